/** What a reader feels: frames that come late, and keys that are answered late. */

/** How long each frame has taken, in milliseconds, while the watch was on. */
let gaps: number[] = [];
/** How long each key took from the press to the frame that shows it. Below 16 ms the browser tells nothing. */
let delays: number[] = [];
let watching = false;
let observer: PerformanceObserver | undefined;

export function watch(): void {
  gaps = [];
  delays = [];
  watching = true;
  let before: number | undefined;
  const tick = (now: number): void => {
    if (before !== undefined) gaps.push(now - before);
    before = now;
    if (watching) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  observer = new PerformanceObserver((list) => {
    delays.push(...list.getEntriesByName('keydown').map(({ duration }) => duration));
  });
  // The DOM's types don't know the threshold of event timing.
  observer.observe({ type: 'event', durationThreshold: 16, buffered: false } as PerformanceObserverInit);
}

export interface Felt {
  readonly gaps: readonly number[];
  readonly delays: readonly number[];
}

export async function unwatch(): Promise<Felt> {
  watching = false;
  // Entries come a moment after the frame that they tell of.
  await new Promise((resolve) => setTimeout(resolve, 200));
  observer?.disconnect();
  return { gaps, delays };
}

/** Puts the cursor where a reader would type. */
export function focusInput(): void {
  document.querySelector<HTMLElement>('agent-chat, textarea')?.focus();
}

/** A page with a field to type in and nothing else: what the machine itself makes of it. */
export function mountIdle(): void {
  document.body.replaceChildren(document.createElement('textarea'));
}
