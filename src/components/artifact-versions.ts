import type { Artifact } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';

/** An artifact as one block of the conversation has it. */
export interface ArtifactVersion {
  readonly artifact: Artifact;
  readonly source: string;
  /** More of it may come. */
  readonly growing: boolean;
}

/** Asked with every token of a reply, while a panel shows one: a message that did not change is read once. */
const known = new WeakMap<ChatMessage, readonly ArtifactVersion[]>();

/** All versions of an artifact, in the order in which they were made. */
export const artifactVersions = (messages: readonly ChatMessage[], identifier: string): readonly ArtifactVersion[] =>
  messages.flatMap((message) => artifactsOf(message).filter(({ artifact }) => artifact.identifier === identifier));

function artifactsOf(message: ChatMessage): readonly ArtifactVersion[] {
  const before = known.get(message);
  if (before) return before;
  const { blocks, status } = message;
  const found = blocks.flatMap((block, index): readonly ArtifactVersion[] => {
    const { type } = block;
    if ((type !== 'content' && type !== 'artifact-thinking' && type !== 'code') || !block.artifact) return [];
    const growing = status === 'streaming' && index === blocks.length - 1;
    const source = type === 'code' ? block.code.content : block.content;
    return [{ artifact: block.artifact, source, growing }];
  });
  known.set(message, found);
  return found;
}
