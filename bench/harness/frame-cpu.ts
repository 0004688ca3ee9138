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

/** CPU milliseconds of the main thread, at most. */
export interface FrameCpu {
  /** In one task: no frame and no key can come in between, whatever else the machine does. */
  readonly task: number;
  /** From the beginning of one frame to the beginning of the next. On a busy machine frames come late, and more tasks fit in. */
  readonly between: number;
}

/** Watches the main thread's tasks between the frames that the page marks with `frame`. */
export async function frameCpu({ page }: Stage, frame: string): Promise<{ stop(): Promise<FrameCpu> }> {
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
      let task = 0;
      let between = 0;
      let sum = 0;
      let next = 0;
      for (const { ts, dur = 0, tdur = 0 } of tasks) {
        const end = ts + dur;
        // The task of a frame begins another interval: what it goes on to lay out and paint belongs to that.
        if ((marks[next]?.ts ?? Infinity) <= end) {
          while ((marks[next]?.ts ?? Infinity) <= end) next++;
          sum = 0;
        }
        if (next === 0) continue;
        sum += tdur;
        task = Math.max(task, tdur);
        between = Math.max(between, sum);
      }
      return { task: task / 1000, between: between / 1000 };
    },
  };
}
