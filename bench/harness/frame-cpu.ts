import type { Stage } from './browser.ts';

interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds, by the clock. */
  readonly ts: number;
  readonly dur?: number;
  /** CPU time of the thread, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/**
 * Watches the main thread's tasks between the frames that the page marks with `frame`. `stop` returns the most CPU milliseconds that
 * the thread has spent from the beginning of one frame to the beginning of the next: how long the frame would have been late on a
 * machine that has nothing else to do.
 */
export async function frameCpu({ page }: Stage, frame: string): Promise<{ stop(): Promise<number> }> {
  const browser = page.context().browser();
  await browser?.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  return {
    async stop() {
      const trace = await browser?.stopTracing();
      const { traceEvents } = JSON.parse(trace?.toString() ?? '{"traceEvents":[]}') as {
        readonly traceEvents: readonly TraceEvent[];
      };
      const marks = traceEvents.filter(({ name }) => name === frame).toSorted((one, two) => one.ts - two.ts);
      const [first] = marks;
      const tasks = traceEvents
        .filter(({ name, pid, tid }) => name.endsWith('RunTask') && pid === first?.pid && tid === first.tid)
        .toSorted((one, two) => one.ts - two.ts);
      let most = 0;
      let sum = 0;
      let next = 0;
      for (const { ts, dur = 0, tdur = 0 } of tasks) {
        const end = ts + dur;
        // The task of a frame begins another interval: what it goes on to lay out and paint belongs to that.
        if ((marks[next]?.ts ?? Infinity) <= end) {
          while ((marks[next]?.ts ?? Infinity) <= end) next++;
          sum = 0;
        }
        if (next > 0) sum += tdur;
        most = Math.max(most, sum);
      }
      return most / 1000;
    },
  };
}
