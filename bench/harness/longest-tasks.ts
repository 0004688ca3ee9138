import type { Stage } from './browser.ts';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time of the thread in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Records the main thread's tasks. `stop` returns the CPU time (ms) of the longest one since then. */
export async function longestTasks({ page }: Stage): Promise<{ stop(): Promise<number> }> {
  const browser = page.context().browser();
  await browser?.startTracing(page, { categories: ['toplevel'] });
  return {
    async stop() {
      const trace = await browser?.stopTracing();
      const { traceEvents } = JSON.parse(trace?.toString() ?? '{"traceEvents":[]}') as {
        readonly traceEvents: readonly TraceEvent[];
      };
      const mainThreads = new Set(
        traceEvents
          .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
          .map(({ pid, tid }) => `${String(pid)}.${String(tid)}`),
      );
      const tasks = traceEvents.filter(
        ({ name, pid, tid }) => name.endsWith('RunTask') && mainThreads.has(`${String(pid)}.${String(tid)}`),
      );
      return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000));
    },
  };
}
