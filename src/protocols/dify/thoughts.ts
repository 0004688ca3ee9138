/**
 * The thoughts that stand inside Dify's answers: between think tags, or in the `<details>` that its older servers make of them.
 * Source: `dify.md`, "Gotchas".
 */
import { splitThinkTags, type ThoughtPiece } from '../shared/think-tags.ts';

const OPEN = '<details';
const CLOSE = '</details>';
/** As servers write it: the box, and a summary that says "Thinking". */
const HEAD = /^\s*<details[^>]*>\s*<summary>[^<]*<\/summary>\s*/;
/** A head longer than this is none. */
const HEAD_LENGTH = 400;

/** Like `splitThinkTags`, for both forms. */
export function splitDifyThoughts(): { feed(text: string): readonly ThoughtPiece[]; end(): readonly ThoughtPiece[] } {
  const tags = splitThinkTags();
  let place: 'start' | 'inside' | 'behind' | 'tags' = 'start';
  let held = '';
  const run = (all: boolean): readonly ThoughtPiece[] => {
    if (place === 'start') {
      const start = held.trimStart();
      const head = HEAD.exec(held);
      if (head) {
        held = held.slice(head[0].length);
        place = 'inside';
      } else if (!all && held.length < HEAD_LENGTH && (OPEN.startsWith(start) || start.startsWith(OPEN))) return [];
      else place = 'tags';
    }
    const pieces: ThoughtPiece[] = [];
    if (place === 'inside') {
      const close = held.indexOf(CLOSE);
      const end = close >= 0 ? close : all ? held.length : held.length - begunLength(held);
      const text = held.slice(0, end).replace(close >= 0 ? /\s+$/ : '', '');
      if (text) pieces.push({ kind: 'reasoning', text });
      held = held.slice(close >= 0 ? end + CLOSE.length : end);
      if (close < 0) return pieces;
      place = 'behind';
    }
    if (place === 'behind') {
      held = held.trimStart();
      if (held === '') return pieces;
      place = 'tags';
    }
    const rest = held;
    held = '';
    return [...pieces, ...tags.feed(rest)];
  };
  return {
    feed(text) {
      held += text;
      return run(false);
    },
    end: () => [...run(true), ...tags.end()],
  };
}

/** How much at the end may be the beginning of the closing tag, with the white space in front of it. */
function begunLength(text: string): number {
  const tail = /\s*(?:<[/a-z]*)?$/.exec(text.slice(-64))?.[0] ?? '';
  return CLOSE.startsWith(tail.trim()) ? tail.length : 0;
}
