type Callback = (this: unknown, ...given: unknown[]) => unknown;

/** What a component was given last, made ready to be handed on. */
export interface Kept {
  readonly props: Readonly<Record<string, unknown>>;
  /** Takes it over: from now on the functions of these props are called. */
  commit(): void;
}

/** Deeper than this, what is not the same object has changed. */
const DEPTH = 8;

/**
 * Props that stay the same objects for as long as they say the same, however often a component writes them anew: lists and plain
 * objects are compared by what is in them, and a function is stood in for by one that calls the newest. React may render and throw
 * away, so nothing changes before `commit`.
 */
export class Steady {
  #props: Readonly<Record<string, unknown>> = {};
  readonly #newest = new WeakMap<Callback, Callback>();

  keep(props: Readonly<Record<string, unknown>>): Kept {
    const found: [standIn: Callback, newest: Callback][] = [];
    const kept = Object.fromEntries(
      Object.entries(props).map(([name, value]) => [name, this.#keep(this.#props[name], value, found, DEPTH)]),
    );
    return {
      props: kept,
      commit: () => {
        this.#props = kept;
        for (const [standIn, newest] of found) this.#newest.set(standIn, newest);
      },
    };
  }

  #keep(before: unknown, now: unknown, found: [Callback, Callback][], depth: number): unknown {
    if (typeof now === 'function') {
      const standIn = typeof before === 'function' ? (before as Callback) : this.#standIn();
      found.push([standIn, now as Callback]);
      return standIn;
    }
    if (depth === 0 || Object.is(before, now)) return now;
    if (Array.isArray(now)) {
      const old: readonly unknown[] = Array.isArray(before) ? before : [];
      const next = now.map((item: unknown, index) => this.#keep(old[index], item, found, depth - 1));
      return sameItems(old, next) && Array.isArray(before) ? before : sameItems(now, next) ? now : next;
    }
    if (!isPlain(now)) return now;
    const old = isPlain(before) ? before : {};
    const entries = Object.entries(now).map(([name, value]) => {
      return [name, this.#keep(old[name], value, found, depth - 1)] as const;
    });
    const sameAs = (other: Readonly<Record<string, unknown>>): boolean =>
      Object.keys(other).length === entries.length &&
      entries.every(([name, value]) => Object.hasOwn(other, name) && Object.is(other[name], value));
    if (isPlain(before) && sameAs(before)) return before;
    return sameAs(now) ? now : Object.fromEntries(entries);
  }

  #standIn(): Callback {
    const newest = this.#newest;
    return function standIn(this: unknown, ...given) {
      return newest.get(standIn)?.apply(this, given);
    };
  }
}

const sameItems = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length && left.every((item, index) => Object.is(item, right[index]));

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
