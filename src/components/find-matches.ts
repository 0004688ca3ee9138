import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';

/** One place where the words stand: a message, and the how manieth in it, from 0. */
export interface Match {
  readonly id: string;
  readonly nth: number;
}

/** So many messages are looked through before the page has its turn. */
const SLICE = 500;

/** The words as they may stand in a text: in either case, over the end of a line too. Undefined for none. */
export function patternOf(words: string): RegExp | undefined {
  const parts = words.trim().split(/\s+/).filter(Boolean);
  const escaped = parts.map((part) => part.replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&'));
  return escaped.length > 0 ? new RegExp(escaped.join('\\s+'), 'giu') : undefined;
}

/** All places in a conversation, in their order. Undefined when `signal` has ended the search. */
export async function findMatches(
  messages: readonly ChatMessage[],
  pattern: RegExp,
  signal: AbortSignal,
): Promise<readonly Match[] | undefined> {
  const matches: Match[] = [];
  for (let from = 0; from < messages.length; from += SLICE) {
    for (const message of messages.slice(from, from + SLICE)) {
      const count = shownWords(message).match(pattern)?.length ?? 0;
      for (let nth = 0; nth < count; nth++) matches.push({ id: message.id, nth });
    }
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return undefined;
  }
  return matches;
}

/** The places in what is drawn of a message. */
export function rangesIn(row: Element, pattern: RegExp): readonly Range[] {
  const texts = [...row.querySelectorAll('[part~="block-content"], [part~="bubble"]')].flatMap(textNodesIn);
  const starts: number[] = [];
  let all = '';
  for (const text of texts) {
    starts.push(all.length);
    all += text.data;
  }
  const pointAt = (offset: number): readonly [Text, number] | undefined => {
    const index = starts.findLastIndex((start) => start <= offset);
    const text = texts[index];
    return text && [text, offset - (starts[index] ?? 0)];
  };
  return [...all.matchAll(pattern)].flatMap((match): readonly Range[] => {
    const [start, last] = [pointAt(match.index), pointAt(match.index + match[0].length - 1)];
    if (!start || !last) return [];
    const range = document.createRange();
    range.setStart(...start);
    range.setEnd(last[0], last[1] + 1);
    return [range];
  });
}

function textNodesIn(element: Element): readonly Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node instanceof Text) texts.push(node);
  return texts;
}

/** The words about as a reader sees them: Markdown without the marks that can stand inside a word or between two. */
function shownWords(message: ChatMessage): string {
  if (message.metadata?.['hidden'] === true) return '';
  const words = textOf(message);
  if (message.role === 'user') return words;
  return words.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*_`~]+/g, '');
}
