/** The visible parts of a message. */
import { enumerate } from '../../enumerate.ts';
import { knownBlocks, msgBlockToMedia, type Msg, type MsgBlock } from '../../formats/agentscope-msg.ts';
import type { Media } from '../../model/blocks.ts';
import type { Part } from '../shared/snapshot.ts';
import { splitThinkTags } from '../shared/think-tags.ts';

/** @param final - whether the message is complete, so that no tag in its text is partial */
export function partsOf(message: Msg, final: boolean): readonly Part[] {
  const parts = knownBlocks(message).flatMap((block) => blockParts(block, final));
  // Adjacent texts, or thoughts, are from different blocks: those of one block have been merged.
  return parts.map((part, index) =>
    (part.kind === 'text' || part.kind === 'reasoning') && parts[index - 1]?.kind === part.kind
      ? { ...part, begins: true }
      : part,
  );
}

function blockParts(block: MsgBlock, final: boolean): readonly Part[] {
  switch (block.type) {
    case 'text':
      return splitReasoning(block.text, final);
    case 'thinking':
      return [{ kind: 'reasoning', text: block.thinking }];
    case 'hint':
      return typeof block.hint === 'string'
        ? [{ kind: 'text', text: block.hint }]
        : knownBlocks({ content: block.hint }).flatMap((inner) => blockParts(inner, final));
    case 'tool_use':
      return [{ kind: 'tool', id: block.id, name: block.name, params: JSON.stringify(block.input) }];
    case 'tool_result':
      return [];
    default: {
      const media = msgBlockToMedia(block);
      return media ? [{ kind: 'media', media: withName(media) }] : [];
    }
  }
}

/** A file on the server can't be shown here, but its name can. */
export const withName = (media: Media): Media => {
  const [, name] = /^file:.*\/([^/]+)$/.exec(media.url ?? '') ?? [];
  return name === undefined || media.name !== undefined ? media : { ...media, name };
};

/** Converts `<think>` tags to reasoning. A partial tag is held back while the message may still grow. */
function splitReasoning(text: string, final: boolean): readonly Part[] {
  const splitter = splitThinkTags();
  const parts: Part[] = [];
  for (const chunk of [...splitter.feed(text), ...(final ? splitter.end() : [])]) {
    if (chunk.kind === 'text-was-reasoning') {
      for (const [index, part] of enumerate(parts))
        if (part.kind === 'text') parts[index] = { ...part, kind: 'reasoning' };
    } else if (parts.at(-1)?.kind === chunk.kind) {
      parts[parts.length - 1] = { kind: chunk.kind, text: (parts.at(-1) as { text: string }).text + chunk.text };
    } else parts.push(chunk);
  }
  return parts;
}
