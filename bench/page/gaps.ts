/** The delays that a user notices: late frames and late responses to keys. */

/** The duration of each frame (ms) while the recording ran. */
let gaps: number[] = [];
/** The time from each key press to the frame that shows its effect. The browser reports none below 16 ms. */
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
  // The DOM's types lack the threshold of event timing.
  observer.observe({ type: 'event', durationThreshold: 16, buffered: false } as PerformanceObserverInit);
}

export interface FrameTimes {
  readonly gaps: readonly number[];
  readonly delays: readonly number[];
}

export async function unwatch(): Promise<FrameTimes> {
  watching = false;
  // Entries arrive shortly after the frame that they describe.
  await new Promise((resolve) => setTimeout(resolve, 200));
  observer?.disconnect();
  return { gaps, delays };
}

/** Moves the focus to the field in which a user would type. */
export function focusInput(): void {
  document.querySelector<HTMLElement>('agent-chat, textarea')?.focus();
}

/** A page with only an input field: the delays of the machine itself. */
export function mountIdle(): void {
  document.body.replaceChildren(document.createElement('textarea'));
}
