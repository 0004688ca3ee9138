/** Runs work when the browser has nothing more urgent to do, at the latest after `timeout` (ms). */
export function whenIdle(work: () => void, timeout?: number): void {
  // Safari has no `requestIdleCallback` yet; a timer after the current task does as well.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, timeout === undefined ? {} : { timeout });
  else setTimeout(work, 50);
}
