/**
 * Extracts the reasoning in Dify's answers: think tags, or the `<details>` element that older servers use. Source:
 * `docs/protocols/dify.md`; langgenius/dify.
 */
import { splitThinkTags, type ThinkTagChunk } from '../shared/think-tags.ts';

const OPEN = '<details';
const CLOSE = '</details>';
/** The start of the element, as Dify writes it: the opening tag, and a summary such as "Thinking". */
const HEAD = /^\s*<details[^>]*>\s*<summary>[^<]*<\/summary>\s*/;
/** Maximum length of that start, in characters. A longer one is treated as text. */
const MAX_HEAD_LENGTH = 400;

/**
 * Splits a streamed answer into chunks of reasoning and of text. `feed` takes the next text; `end` emits the rest. Only a
 * `<details>` element at the start is reasoning; all other text is passed to `splitThinkTags`, which has the same methods.
 */
export function splitDifyReasoning(): {
  feed(text: string): readonly ThinkTagChunk[];
  end(): readonly ThinkTagChunk[];
} {
  const tags = splitThinkTags();
  /** `inside` and `after`: inside and directly after the `<details>` element. `tags`: `splitThinkTags` reads the rest. */
  let state: 'start' | 'inside' | 'after' | 'tags' = 'start';
  let buffer = '';
  const advance = (isEnd: boolean): readonly ThinkTagChunk[] => {
    if (state === 'start') {
      const start = buffer.trimStart();
      const head = HEAD.exec(buffer);
      if (head) {
        buffer = buffer.slice(head[0].length);
        state = 'inside';
      } else if (!isEnd && buffer.length < MAX_HEAD_LENGTH && (OPEN.startsWith(start) || start.startsWith(OPEN)))
        return [];
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

/** The length of the end of the text that may belong to the closing tag: white space, and an incomplete tag. */
function partialCloseLength(text: string): number {
  const tail = /(?<!\s)\s*(?:<[/a-z]*)?$/.exec(text.slice(-64))?.[0] ?? '';
  return CLOSE.startsWith(tail.trim()) ? tail.length : 0;
}
