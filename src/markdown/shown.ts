/** What is shown, told as data: `nodes.ts` makes nodes of it. */
import type { TemplateResult } from 'lit';

/** Words, an element, several things at one place, or a template where something listens. */
export type Shown = string | Words | Box | Growth | TemplateResult;

/** Words with marks between them: one text more than there are marks. */
export interface Words {
  readonly texts: readonly string[];
  readonly marks: readonly TemplateResult[];
}

/** An element. Its name and those of its attributes come from our own tables, never from a text. */
export interface Box {
  readonly tag: string;
  readonly attributes: Attributes;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly content: readonly Shown[];
}
export type Attributes = Readonly<Record<string, string | undefined>>;

/** What comes one behind another. Only the last of it may still change. */
export interface Growth {
  readonly count: number;
  /** How many of the first are as they will stay: they are drawn once more, and then never looked at again. */
  readonly settled: number;
  /** Another one means that all of it is to be drawn anew. */
  readonly key: readonly unknown[];
  /** Those that have changed in spite of being settled. */
  readonly again?: ReadonlySet<number> | undefined;
  /** What is shown at a place. */
  at(index: number): Shown;
}

export const isWords = (shown: Shown): shown is string | Words => typeof shown === 'string' || 'texts' in shown;
export const isBox = (shown: Shown): shown is Box => typeof shown !== 'string' && 'tag' in shown;
export const isGrowth = (shown: Shown): shown is Growth => typeof shown !== 'string' && 'at' in shown;
export const isTemplate = (shown: Shown): shown is TemplateResult => typeof shown !== 'string' && '_$litType$' in shown;

const none: Attributes = {};

export const box = (tag: string, content: readonly Shown[], attributes: Attributes = none): Box => ({
  tag,
  attributes,
  content,
});

/** Several at one place. */
export const several = (list: readonly Shown[]): Growth => ({
  count: list.length,
  settled: 0,
  key: [],
  at: (index) => list[index] ?? '',
});

/**
 * The same in groups of `size`, each inside of what `wrap` makes around it: boxes that the browser lays out and skips as one.
 * Without them each new line costs a layout of all that stand before it.
 */
export function inGroups(
  { count, settled, key, again, at }: Growth,
  size: number,
  wrap: (content: Growth, group: { readonly index: number; readonly whole: boolean }) => Shown,
): Growth {
  return {
    count: Math.ceil(count / size),
    settled: Math.floor(settled / size),
    key,
    again: again?.size ? new Set(Array.from(again, (index) => Math.floor(index / size))) : undefined,
    at(index) {
      const first = index * size;
      const within = (places: number): number => Math.min(size, Math.max(0, places - first));
      const changed = Array.from(again ?? [], (place) => place - first).filter((place) => place >= 0 && place < size);
      const content: Growth = {
        count: within(count),
        settled: within(settled),
        key,
        again: new Set(changed),
        at: (place) => at(first + place),
      };
      return wrap(content, { index, whole: settled >= first + size });
    },
  };
}
