import type { Artifact } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';

/** One version of an artifact, as one block of the conversation defines it. */
export interface ArtifactVersion {
  readonly artifact: Artifact;
  readonly source: string;
  /** Whether the block is still streaming. */
  readonly growing: boolean;
}

/** Cache per message: an open panel asks with every token of a reply. */
const cache = new WeakMap<ChatMessage, readonly ArtifactVersion[]>();

/** All versions of an artifact, in order of creation. */
export const artifactVersions = (messages: readonly ChatMessage[], identifier: string): readonly ArtifactVersion[] =>
  messages.flatMap((message) => artifactsOf(message).filter(({ artifact }) => artifact.identifier === identifier));

function artifactsOf(message: ChatMessage): readonly ArtifactVersion[] {
  const cached = cache.get(message);
  if (cached) return cached;
  const { blocks, status } = message;
  const versions = blocks.flatMap((block, index): readonly ArtifactVersion[] => {
    const { type } = block;
    if ((type !== 'content' && type !== 'artifact-thinking' && type !== 'code') || !block.artifact) return [];
    const growing = status === 'streaming' && index === blocks.length - 1;
    const source = type === 'code' ? block.code.content : block.content;
    return [{ artifact: block.artifact, source, growing }];
  });
  cache.set(message, versions);
  return versions;
}
