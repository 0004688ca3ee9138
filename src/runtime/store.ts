/** One value and those who want to know of its changes. */
export interface Store<State> {
  readonly state: State;
  /** Puts a new state in place; the same one changes nothing. */
  set(state: State): void;
  /** @returns what ends the subscription */
  subscribe(listener: () => void): () => void;
}

export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get state() {
      return state;
    },
    set(next) {
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
