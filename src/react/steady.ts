type Callback = (this: unknown, ...args: unknown[]) => unknown;

/** The latest props of a component, ready to be passed on. */
export interface StableProps {
  readonly props: Readonly<Record<string, unknown>>;
  /** Commits the props: from now on their functions are called. */
  commit(): void;
}

/** Below this depth, different objects count as changed. */
const DEPTH = 8;

/**
 * Keeps the identity of props that are deeply equal, even if a component creates new objects with every render. Lists and
 * plain objects are compared by content; a function is replaced by a stable one that calls the latest. React may
 * discard a render, so nothing changes before `commit`.
 */
export class PropStabilizer {
  #props: Readonly<Record<string, unknown>> = {};
  readonly #newest = new WeakMap<Callback, Callback>();

  stabilize(props: Readonly<Record<string, unknown>>): StableProps {
    const standIns: [standIn: Callback, newest: Callback][] = [];
    const stable = Object.fromEntries(
      Object.entries(props).map(([name, value]) => [name, this.#stabilize(this.#props[name], value, standIns, DEPTH)]),
    );
    return {
      props: stable,
      commit: () => {
        this.#props = stable;
        for (const [standIn, newest] of standIns) this.#newest.set(standIn, newest);
      },
    };
  }

  #stabilize(before: unknown, now: unknown, standIns: [Callback, Callback][], depth: number): unknown {
    if (typeof now === 'function') {
      const standIn = typeof before === 'function' ? (before as Callback) : this.#standIn();
      standIns.push([standIn, now as Callback]);
      return standIn;
    }
    if (depth === 0 || Object.is(before, now)) return now;
    if (Array.isArray(now)) {
      const old: readonly unknown[] = Array.isArray(before) ? before : [];
      const next = now.map((item: unknown, index) => this.#stabilize(old[index], item, standIns, depth - 1));
      return sameItems(old, next) && Array.isArray(before) ? before : sameItems(now, next) ? now : next;
    }
    if (!isPlain(now)) return now;
    const old = isPlain(before) ? before : {};
    const entries = Object.entries(now).map(([name, value]) => {
      return [name, this.#stabilize(old[name], value, standIns, depth - 1)] as const;
    });
    const sameAs = (other: Readonly<Record<string, unknown>>): boolean =>
      Object.keys(other).length === entries.length &&
      entries.every(([name, value]) => Object.hasOwn(other, name) && Object.is(other[name], value));
    if (isPlain(before) && sameAs(before)) return before;
    return sameAs(now) ? now : Object.fromEntries(entries);
  }

  #standIn(): Callback {
    const newest = this.#newest;
    return function standIn(this: unknown, ...args) {
      return newest.get(standIn)?.apply(this, args);
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
