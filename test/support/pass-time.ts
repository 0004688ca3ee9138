import { nextFrame } from '@open-wc/testing';

/**
 * Lets time pass for code that compares `performance.now()` and `event.timeStamp`, and waits for two frames only: what has been rendered is
 * painted before. Timers, animations and `Date` do not notice. Time never goes back, so nothing has to be undone.
 *
 * @param milliseconds how much later it is from now on
 */
export async function passTime(milliseconds: number): Promise<void> {
  if (passed === 0) install();
  await painted();
  passed += milliseconds;
  await nextFrame();
}

/** Waits until what has been rendered is painted, and code that waits for this has run. */
export async function painted(): Promise<void> {
  await nextFrame();
  // Two tasks, because a timer of the code in the same frame may be set after this one.
  for (let task = 0; task < 2; task += 1) await new Promise((resolve) => setTimeout(resolve));
}

let passed = 0;

function install(): void {
  const now = performance.now.bind(performance);
  performance.now = () => now() + passed;
  const { get } = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')!;
  const at = new WeakMap<Event, number>();
  Object.defineProperty(Event.prototype, 'timeStamp', {
    configurable: true,
    enumerable: true,
    // An event keeps the time that it had when it was first asked for.
    get(this: Event) {
      const known = at.get(this) ?? (get?.call(this) as number) + passed;
      at.set(this, known);
      return known;
    },
  });
  const request = requestAnimationFrame.bind(globalThis);
  globalThis.requestAnimationFrame = (tell) => {
    return request((time) => {
      tell(time + passed);
    });
  };
}
