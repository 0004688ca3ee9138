/**
 * Extracts the reasoning in Dify's answers: think tags, or the `<details>` element that older servers use. Source:
 * `docs/protocols/dify.md`; langgenius/dify.
 */
import { splitThinkTags, type ThinkTagChunk } from '../shared/think-tags.ts';

const OPEN = '<details';
const CLOSE = '</details>';
/** The opening that servers write: the element, and a summary such as "Thinking". */
const HEAD = /^\s*<details[^>]*>\s*<summary>[^<]*<\/summary>\s*/;
/** An opening longer than this is not searched for. */
const HEAD_LENGTH = 400;

/** Like `splitThinkTags`, for both forms. */
export function splitDifyReasoning(): {
  feed(text: string): readonly ThinkTagChunk[];
  end(): readonly ThinkTagChunk[];
} {
  const tags = splitThinkTags();
  let state: 'start' | 'inside' | 'after' | 'tags' = 'start';
  let buffer = '';
  const advance = (isEnd: boolean): readonly ThinkTagChunk[] => {
    if (state === 'start') {
      const start = buffer.trimStart();
      const head = HEAD.exec(buffer);
      if (head) {
        buffer = buffer.slice(head[0].length);
        state = 'inside';
      } else if (!isEnd && buffer.length < HEAD_LENGTH && (OPEN.startsWith(start) || start.startsWith(OPEN))) return [];
      else state = 'tags';
    }
    const chunks: ThinkTagChunk[] = [];
    if (state === 'inside') {
      const close = buffer.indexOf(CLOSE);
      const end = close >= 0 ? close : isEnd ? buffer.length : buffer.length - partialCloseLength(buffer);
      const text = close >= 0 ? buffer.slice(0, end).trimEnd() : buffer.slice(0, end);
      if (text) chunks.push({ kind: 'reasoning', text });
      buffer = buffer.slice(close >= 0 ? end + CLOSE.length : end);
      if (close < 0) return chunks;
      state = 'after';
    }
    if (state === 'after') {
      buffer = buffer.trimStart();
      if (buffer === '') return chunks;
      state = 'tags';
    }
    const remaining = buffer;
    buffer = '';
    return [...chunks, ...tags.feed(remaining)];
  };
  return {
    feed(text) {
      buffer += text;
      return advance(false);
    },
    end: () => [...advance(true), ...tags.end()],
  };
}

/** The length of a possible start of the closing tag at the end, including the white space before it. */
function partialCloseLength(text: string): number {
  const tail = /(?<!\s)\s*(?:<[/a-z]*)?$/.exec(text.slice(-64))?.[0] ?? '';
  return CLOSE.startsWith(tail.trim()) ? tail.length : 0;
}
