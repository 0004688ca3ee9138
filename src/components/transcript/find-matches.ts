import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/message-text.ts';
import { stripLinkMarkup } from '../shared/strip-markdown.ts';

/** One match: a message, and the zero-based index of the match in it. */
export interface FindMatch {
  readonly id: string;
  readonly nth: number;
}

/** Number of messages to search before yielding to the main thread. */
const SLICE = 500;

/**
 * A pattern for the search text: ignores case and matches any white space, including line breaks. Undefined if the text is empty.
 */
export function searchPatternOf(text: string): RegExp | undefined {
  const parts = text.trim().split(/\s+/).filter(Boolean);
  const escaped = parts.map((part) => part.replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&'));
  return escaped.length > 0 ? new RegExp(escaped.join('\\s+'), 'giu') : undefined;
}

/** All matches in a conversation, in order. Undefined when `signal` has aborted the search. */
export async function findMatches(
  messages: readonly ChatMessage[],
  pattern: RegExp,
  signal: AbortSignal,
): Promise<readonly FindMatch[] | undefined> {
  const matches: FindMatch[] = [];
  for (let from = 0; from < messages.length; from += SLICE) {
    for (const message of messages.slice(from, from + SLICE)) {
      const count = visibleTextOf(message).match(pattern)?.length ?? 0;
      for (let nth = 0; nth < count; nth++) matches.push({ id: message.id, nth });
    }
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return undefined;
  }
  return matches;
}

/** The matches in the rendered content of a message. */
export function matchRangesIn(row: Element, pattern: RegExp): readonly Range[] {
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

/** The text approximately as rendered: Markdown without the marks that can occur inside or between words. */
function visibleTextOf(message: ChatMessage): string {
  if (message.metadata?.['hidden'] === true) return '';
  const text = textOf(message);
  if (message.role === 'user') return text;
  return stripLinkMarkup(text).replace(/[*_`~]+/g, '');
}
