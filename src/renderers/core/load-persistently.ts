/** Pauses before further attempts, in milliseconds. */
const PAUSES = [2000, 8000, 30_000];

/** Loads in progress, with their further attempts. */
const running = new WeakMap<() => Promise<unknown>, Promise<unknown>>();

/**
 * Loads a part of an answer that is already visible, so that no later event would load it. After a failure it retries
 * after a pause, and as soon as the network is back. `load` must be the same function in every call.
 */
export function loadPersistently<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const loading =
    (running.get(load) as Promise<Loaded> | undefined) ??
    attempt(load).finally(() => {
      running.delete(load);
    });
  running.set(load, loading);
  return loading;
}

async function attempt<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (const pause of PAUSES) {
    try {
      return await load();
    } catch {
      await waitForNetwork(pause);
    }
  }
  return load();
}

/**
 * Resolves after the pause, or as soon as the browser reports that the network is back. While the browser is offline, there
 * is no time limit.
 */
function waitForNetwork(pause: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = navigator.onLine ? setTimeout(end, pause) : undefined;
    function end(): void {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    }
    addEventListener('online', end);
  });
}
