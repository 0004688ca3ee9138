/** Virtual nodes; `patch-dom.ts` creates the DOM nodes. */
import type { TemplateResult } from 'lit';

/** Text, an element, a list, or a template (where event listeners are needed). */
export type VNode = string | CitedText | ElementNode | ListNode | TemplateResult;

/** Text with citation marks between its parts: one more text than marks. */
export interface CitedText {
  readonly texts: readonly string[];
  readonly marks: readonly TemplateResult[];
}

/** An element. Tag and attribute names come from our own tables, never from a text. */
export interface ElementNode {
  readonly tag: string;
  readonly attributes: Attributes;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly content: readonly VNode[];
}
export type Attributes = Readonly<Record<string, string | undefined>>;

/** An ordered list of parts, built lazily. Only the parts from `settled` on may still change, and those in `changed`. */
export interface ListNode {
  readonly count: number;
  /** Number of leading parts that are final: each is rendered once more, then skipped. */
  readonly settled: number;
  /** A changed key re-renders the complete list. */
  readonly key: readonly unknown[];
  /** Indexes of settled parts that have changed nevertheless. */
  readonly changed?: ReadonlySet<number> | undefined;
  /** Returns the part at an index. `begins`: it is the first of its group. */
  at(index: number, begins?: boolean): VNode;
}

export const isTextNode = (shown: VNode): shown is string | CitedText => typeof shown === 'string' || 'texts' in shown;
export const isElementNode = (shown: VNode): shown is ElementNode => typeof shown !== 'string' && 'tag' in shown;
export const isListNode = (shown: VNode): shown is ListNode => typeof shown !== 'string' && 'at' in shown;
export const isTemplateNode = (shown: VNode): shown is TemplateResult =>
  typeof shown !== 'string' && '_$litType$' in shown;

const none: Attributes = {};

export const elementNode = (tag: string, content: readonly VNode[], attributes: Attributes = none): ElementNode => ({
  tag,
  attributes,
  content,
});

/** Creates a list of fixed parts. */
export const listNode = (list: readonly VNode[]): ListNode => ({
  count: list.length,
  settled: 0,
  key: [],
  at: (index) => list[index] ?? '',
});

/** The group size: a group is full with `size` parts or with `most` characters. */
export interface GroupSize {
  readonly size: number;
  readonly most?: number;
  /** Number of characters of a part. */
  readonly lengthOf?: (index: number) => number;
}

interface Group {
  readonly index: number;
  /** Whether the group is full and all of its parts are final. */
  readonly whole: boolean;
  readonly last: boolean;
}

/**
 * Groups a list; `wrap` creates the element around each group. The browser lays out and skips each group as one;
 * otherwise every new line would cost a layout of all lines before it.
 */
export function groupParts(
  { count, settled, key, changed, at }: ListNode,
  size: GroupSize,
  wrap: (content: ListNode, group: Group) => VNode,
): ListNode {
  const starts = startsOf(count, settled, key[0], size);
  const groups = starts.findLastIndex((start) => start < count) + 1;
  const groupOf = (index: number): number => lastAtMost(starts, index);
  return {
    count: groups,
    settled: settled === Number.POSITIVE_INFINITY ? settled : groupOf(settled),
    key,
    changed: changed?.size ? new Set([...changed].map((index) => groupOf(index))) : undefined,
    at(index) {
      const first = starts[index] ?? 0;
      const end = starts[index + 1] ?? Number.POSITIVE_INFINITY;
      const within = (count: number): number => Math.min(end - first, Math.max(0, count - first));
      const ownChanged = [...(changed ?? [])].filter((index) => index >= first && index < end);
      const content: ListNode = {
        count: within(count),
        settled: within(settled),
        key,
        changed: new Set(ownChanged.map((index) => index - first)),
        at: (index) => at(first + index, index === 0),
      };
      return wrap(content, { index, whole: settled >= end, last: index === groups - 1 });
    },
  };
}

/** Group boundaries of a streaming list: final parts are counted once. */
interface GroupStarts {
  readonly starts: number[];
  counted: number;
  length: number;
}
const startsCache = new WeakMap<object, GroupStarts>();

/** Returns the start index of each group; one more than there are groups if the last one is full. */
function startsOf(count: number, settled: number, list: unknown, size: GroupSize): readonly number[] {
  const { lengthOf, most = Number.POSITIVE_INFINITY } = size;
  if (!lengthOf || typeof list !== 'object' || list === null)
    return [...Array(Math.floor(count / size.size) + 1).keys()].map((index) => index * size.size);
  const before = startsCache.get(list);
  const base = before && before.counted <= settled ? before : { starts: [0], counted: 0, length: 0 };
  startsCache.set(list, base);
  const countTo = (state: GroupStarts, to: number): void => {
    for (; state.counted < to; state.counted++) {
      state.length += lengthOf(state.counted);
      const isFull = state.counted + 1 - (state.starts.at(-1) ?? 0) >= size.size || state.length >= most;
      if (!isFull) continue;
      state.starts.push(state.counted + 1);
      state.length = 0;
    }
  };
  countTo(base, Math.min(settled, count));
  if (base.counted >= count) return base.starts;
  const rest: GroupStarts = { ...base, starts: [...base.starts] };
  countTo(rest, count);
  return rest.starts;
}

/** Returns the index of the last number that is at most `limit`. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
