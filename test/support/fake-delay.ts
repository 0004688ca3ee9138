/** Waiting in the test's hands: a delay ends when the test says so. */
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

/** A stream of which the test says when the next piece comes. */
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

/** Lets everything that is ready to run do so: promises first, then what waits for a task. */
export const settled = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
