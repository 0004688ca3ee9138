import type { Stage } from './browser.ts';

interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  readonly pid: number;
  readonly tid: number;
  /** Wall-clock time in microseconds. */
  readonly ts: number;
  readonly dur?: number;
  /** CPU time of the thread in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Maximum CPU time of the main thread (ms). */
export interface FrameCpu {
  /** In one task: neither a frame nor a key press can interrupt it, whatever the load of the machine. */
  readonly task: number;
  /**
   * Between the starts of two consecutive frames. On a busy machine frames are late, so an interval contains more
   * tasks.
   */
  readonly between: number;
}

/** Records the main thread's tasks between the frames that the page marks with `frame`. */
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
        // The task of a frame starts the next interval: its layout and paint belong to that one.
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
