import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/message-text.ts';
import { stripLinkMarkup } from '../shared/strip-markdown.ts';

/** A match: the message, and the zero-based index among the matches in it. */
export interface FindMatch {
  readonly messageId: string;
  readonly index: number;
}

/** The matches in a conversation, in order. They are counted instead of listed: one letter may match millions of times. */
export class FindMatches {
  readonly #messages: { readonly messageId: string; readonly start: number }[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(messageId: string, count: number): void {
    if (count === 0) return;
    this.#messages.push({ messageId, start: this.#length });
    this.#length += count;
  }

  at(index: number): FindMatch | undefined {
    const message = this.#messages.findLast(({ start }) => start <= index);
    return message && index < this.#length ? { messageId: message.messageId, index: index - message.start } : undefined;
  }
}

/** Maximum time of a search before it yields to the main thread (ms), and the number of matches between two checks of it. */
const SLICE_MS = 8;
const MATCHES_PER_CHECK = 1000;

/** The pattern of a query. It ignores case, and white space in it matches any white space. Undefined for an empty query. */
export function searchPatternOf(query: string): RegExp | undefined {
  const parts = query.trim().split(/\s+/).filter(Boolean);
  const escaped = parts.map((part) => part.replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&'));
  return escaped.length > 0 ? new RegExp(escaped.join('\\s+'), 'giu') : undefined;
}

/** All matches in a conversation. Undefined when `signal` has aborted the search. */
export async function findMatches(
  messages: readonly ChatMessage[],
  pattern: RegExp,
  signal: AbortSignal,
): Promise<FindMatches | undefined> {
  const matches = new FindMatches();
  const matcher = new RegExp(pattern);
  let started = performance.now();
  const yieldToMain = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve));
    started = performance.now();
  };
  for (const message of messages) {
    const text = searchableTextOf(message);
    let count = 0;
    matcher.lastIndex = 0;
    while (matcher.test(text)) {
      count++;
      if (count % MATCHES_PER_CHECK > 0 || performance.now() - started < SLICE_MS) continue;
      await yieldToMain();
      if (signal.aborted) return undefined;
    }
    matches.add(message.id, count);
    if (performance.now() - started < SLICE_MS) continue;
    await yieldToMain();
    if (signal.aborted) return undefined;
  }
  await yieldToMain();
  return signal.aborted ? undefined : matches;
}

/** Number of matches on either side of the current one that get a range: each is an object that the browser updates and paints. */
const MAX_AROUND = 500;

export interface RenderedMatches {
  /** Whether the wanted match is rendered. */
  readonly hasWanted: boolean;
  readonly ranges: readonly Range[];
  /** The range of the current match. */
  readonly current: Range | undefined;
}

/**
 * The DOM ranges of the matches around one of them in a rendered message: in the same parts that {@link textOf} reads.
 *
 * @param index - of the current match. The rendered text may contain fewer matches than the source; then it is the last one.
 */
export function matchRangesIn(messageElement: Element, pattern: RegExp, index = 0): RenderedMatches {
  const textNodes = [...messageElement.querySelectorAll('[part~="block-content"], [part~="bubble"]')].flatMap(
    textNodesIn,
  );
  const spans = spansAround(textNodes.map(({ data }) => data).join(''), pattern, index);
  const ranges = rangesOf(spans.list, textNodes);
  return { hasWanted: spans.hasWanted, ranges, current: ranges[spans.current] };
}

interface Span {
  readonly start: number;
  /** Offset of the last character. */
  readonly last: number;
}

/** The matches around one of them in a text, and the position of that one among them. */
function spansAround(
  text: string,
  pattern: RegExp,
  index: number,
): { hasWanted: boolean; list: readonly Span[]; current: number } {
  let list: Span[] = [];
  let count = 0;
  for (const { 0: found, index: start } of text.matchAll(pattern)) {
    list.push({ start, last: start + found.length - 1 });
    count++;
    if (count > index + MAX_AROUND) break;
    if (list.length > 4 * MAX_AROUND) list = list.slice(-2 * MAX_AROUND);
  }
  const current = Math.min(index, count - 1) - (count - list.length);
  const from = Math.max(0, current - MAX_AROUND);
  return { hasWanted: count > index, list: list.slice(from, current + MAX_AROUND + 1), current: current - from };
}

/** Reads spans and nodes in parallel, so that each node is visited once. */
function rangesOf(spans: readonly Span[], textNodes: readonly Text[]): readonly Range[] {
  let at = 0;
  let nodeStart = 0;
  const pointAt = (offset: number): readonly [Text, number] | undefined => {
    let node = textNodes[at];
    while (node && nodeStart + node.length <= offset) {
      nodeStart += node.length;
      at++;
      node = textNodes[at];
    }
    return node && [node, offset - nodeStart];
  };
  return spans.flatMap(({ start, last }): readonly Range[] => {
    // The end is found by the last character: the position after it may be in the next node.
    const [first, end] = [pointAt(start), pointAt(last)];
    if (!first || !end) return [];
    const range = document.createRange();
    range.setStart(...first);
    range.setEnd(end[0], end[1] + 1);
    return [range];
  });
}

/** The text nodes of an element, without those of buttons and of the titles of code: they are not part of the message. */
function textNodesIn(element: Element): readonly Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && node.matches('button, figcaption') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
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
