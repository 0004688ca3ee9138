import { noChange } from 'lit';
import { directive, Directive, type ChildPart } from 'lit/directive.js';
import { insertPart, removePart, setChildPartValue } from 'lit/directive-helpers.js';

/** What comes one behind another. Only the last of it may still change. */
export interface Growth {
  readonly count: number;
  /** How many of the first are as they will stay: they are drawn once more, and then never looked at again. */
  readonly settled: number;
  /** Another one means that all of it is to be drawn anew. */
  readonly key: readonly unknown[];
  /** Those that have changed in spite of being settled. */
  readonly again?: ReadonlySet<number>;
  /** What is shown at a place. */
  at(index: number): unknown;
}

/** Draws what grows at its end. An update costs as much as has come, however much is there already. */
class Appended extends Directive {
  readonly #parts: ChildPart[] = [];
  #settled = 0;
  #key: readonly unknown[] = [];

  render(_growth: Growth): unknown {
    return noChange;
  }

  override update(place: ChildPart, [growth]: [Growth]): unknown {
    const { count, settled, key, again, at } = growth;
    // What was whole is not any more where another text has begun in the same place.
    const same = key.every((part, index) => part === this.#key[index]) && settled >= this.#settled;
    const from = same ? this.#settled : 0;
    if (same) for (const index of again ?? []) if (index < from) this.#draw(index, growth);
    for (let index = from; index < count; index++) {
      const part = (this.#parts[index] ??= insertPart(place));
      setChildPartValue(part, at(index));
    }
    for (const part of this.#parts.splice(count)) removePart(part);
    this.#settled = settled;
    this.#key = key;
    return noChange;
  }

  #draw(index: number, { at }: Growth): void {
    const part = this.#parts[index];
    if (part) setChildPartValue(part, at(index));
  }
}

const appended = directive(Appended);

/**
 * The same in groups of `size`, each inside of what `wrap` makes around it: boxes that the browser lays out and skips as one.
 * Without them each new line costs a layout of all that stand before it.
 */
export function inGroups(
  { count, settled, key, again, at }: Growth,
  size: number,
  wrap: (content: unknown, group: { readonly index: number; readonly whole: boolean }) => unknown,
): unknown {
  return appended({
    count: Math.ceil(count / size),
    settled: Math.floor(settled / size),
    key,
    ...(again && { again: new Set(Array.from(again, (index) => Math.floor(index / size))) }),
    at(index) {
      const first = index * size;
      const within = (places: number): number => Math.min(size, Math.max(0, places - first));
      const changed = Array.from(again ?? [], (place) => place - first).filter((place) => place >= 0 && place < size);
      const content = appended({
        count: within(count),
        settled: within(settled),
        key,
        again: new Set(changed),
        at: (place) => at(first + place),
      });
      return wrap(content, { index, whole: settled >= first + size });
    },
  });
}
