import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/message-text.ts';
import { stripLinkMarkup } from '../shared/strip-markdown.ts';

/** A match: the message, and the zero-based index among the matches in it. */
export interface FindMatch {
  readonly messageId: string;
  readonly index: number;
}

/** Number of messages to search before yielding to the main thread. */
const MESSAGES_PER_SLICE = 500;

/** The pattern of a query. It ignores case, and white space in it matches any white space. Undefined for an empty query. */
export function searchPatternOf(query: string): RegExp | undefined {
  const parts = query.trim().split(/\s+/).filter(Boolean);
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
  for (let from = 0; from < messages.length; from += MESSAGES_PER_SLICE) {
    for (const message of messages.slice(from, from + MESSAGES_PER_SLICE)) {
      const count = searchableTextOf(message).match(pattern)?.length ?? 0;
      for (let index = 0; index < count; index++) matches.push({ messageId: message.id, index });
    }
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return undefined;
  }
  return matches;
}

/** The DOM ranges of the matches in a rendered message: in the same parts that {@link textOf} reads. */
export function matchRangesIn(messageElement: Element, pattern: RegExp): readonly Range[] {
  const textNodes = [...messageElement.querySelectorAll('[part~="block-content"], [part~="bubble"]')].flatMap(
    textNodesIn,
  );
  const starts: number[] = [];
  let allText = '';
  for (const { data } of textNodes) {
    starts.push(allText.length);
    allText += data;
  }
  const pointAt = (offset: number): readonly [Text, number] | undefined => {
    const index = starts.findLastIndex((start) => start <= offset);
    const node = textNodes[index];
    return node && [node, offset - (starts[index] ?? 0)];
  };
  return [...allText.matchAll(pattern)].flatMap((match): readonly Range[] => {
    // From the last character: behind it another node may begin.
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

/** The text approximately as rendered: without link markup and emphasis characters. Marks at the start of a line stay. */
function searchableTextOf(message: ChatMessage): string {
  if (message.metadata?.['hidden'] === true) return '';
  const text = textOf(message);
  if (message.role === 'user') return text;
  return stripLinkMarkup(text).replace(/[*_`~]+/g, '');
}
