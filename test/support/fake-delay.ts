/** A delay that the test controls: it ends when the test ends it. */
export function fakeDelay() {
  const waiting: { readonly milliseconds: number; readonly end: () => void }[] = [];
  return {
    waiting,
    delay: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        waiting.push({ milliseconds, end: resolve });
      }),
  };
}

/** A stream whose chunks the test sends. */
export function handFed<T>() {
  const pieces: T[] = [];
  let over = false;
  let wake: (() => void) | undefined;
  const state = { ended: false };
  async function* read(): AsyncGenerator<T> {
    try {
      for (;;) {
        const piece = pieces.shift();
        if (piece !== undefined) yield piece;
        else if (over) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      state.ended = true;
    }
  }
  return {
    state,
    stream: read(),
    feed(...more: readonly T[]): void {
      pieces.push(...more);
      wake?.();
    },
    end(): void {
      over = true;
      wake?.();
    },
  };
}

/** Lets everything that is ready run: promises first, then tasks. */
export const settled = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
