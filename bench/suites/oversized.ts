/** Parts of an answer that are larger than any agent needs: how long each one blocks the main thread. */
import { median, formatNumber } from '../harness/figures.ts';
import { atMost } from '../harness/goals.ts';
import { longestTasks } from '../harness/longest-tasks.ts';
import type { Bench, Suite } from '../harness/suite.ts';
import type * as Oversized from '../page/oversized.ts';

const TASK_MS = 100;
const PATIENCE_MS = 60_000;

export const oversized: Suite = {
  name: 'oversized',
  entries: () => ['page/oversized'],
  async run(bench) {
    const times = new Map<string, number[]>();
    const asking = await bench.browser.openStage();
    const names = await asking.script<typeof Oversized>('oversized')('names');
    await asking.close();
    for (let round = 0; round < bench.rounds; round++)
      for (const name of names) {
        const task = await play(bench, name);
        console.log(`${name}: ${formatNumber(task)} ms`);
        times.set(name, [...(times.get(name) ?? []), task]);
      }
    const of = (name: string): number => median(times.get(name) ?? []);
    return {
      title: 'Oversized parts',
      how: 'A widget gets an answer (or a history) with one part that is far too large. CPU time of the longest task of the main thread, in milliseconds, from sending to the last rendering.',
      tables: [{ head: ['', 'longest task, ms'], rows: names.map((name) => [name, formatNumber(of(name))]) }],
      goals: names.flatMap((name) =>
        atMost(10, `${name}: no task over 100 ms`, of(name), TASK_MS, (value) => `${formatNumber(value)} ms`),
      ),
    };
  },
};

async function play({ browser }: Bench, name: string): Promise<number> {
  const stage = await browser.openStage();
  try {
    const script = stage.script<typeof Oversized>('oversized');
    await script('mount', name);
    const tasks = await longestTasks(stage);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, 'late');
    });
    const ended = await Promise.race([script('show'), timeout]);
    clearTimeout(timer);
    const longest = await tasks.stop();
    if (ended === 'late') return Infinity;
    console.log(`  ${String(await script('elements'))} elements`);
    if (!(await script('drawn'))) {
      console.log('  nothing was drawn: the figure would say nothing');
      return Infinity;
    }
    return longest;
  } finally {
    await stage.close();
  }
}
