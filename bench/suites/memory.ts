/** Memory after use: after widgets were removed, and after a long conversation was cleared. */
import type { Stage } from '../harness/browser.ts';
import { countDetached } from '../harness/detached.ts';
import { median, formatNumber, formatRatio } from '../harness/figures.ts';
import { atMost } from '../harness/goals.ts';
import { sizeOfObjects } from '../harness/heap.ts';
import type { Bench, Suite } from '../harness/suite.ts';
import type * as Memory from '../page/memory.ts';

const MB = 1024 * 1024;
/** A removed widget aborts its reply after two seconds. */
const LET_GO_MS = 3000;

interface Remaining {
  readonly heap: number;
  /** The part of the heap that scripts have created. */
  readonly objects: number;
  readonly nodes: number;
  readonly detached: number;
}

interface Scene {
  readonly name: string;
  /** Establishes the baseline: everything loaded, and used a few times. */
  warm(memory: Script): Promise<void>;
  work(memory: Script, quick: boolean): Promise<void>;
}
type Script = ReturnType<typeof scriptOf>;
const scriptOf = (stage: Stage) => stage.script<typeof Memory>('memory');

const scenes: readonly Scene[] = [
  {
    name: '100 widgets, each with a reply',
    warm: (memory) => memory('cycle', 10),
    work: (memory, quick) => memory('cycle', quick ? 10 : 100),
  },
  {
    name: '1,000 replies in one widget, then cleared',
    async warm(memory) {
      // The heap grows for the first hundred uses, but not again for the second hundred.
      await memory('reply', 100);
      await memory('clear');
    },
    async work(memory, quick) {
      await memory('reply', quick ? 100 : 1000);
      await memory('clear');
    },
  },
];

export const memory: Suite = {
  name: 'memory',
  entries: () => ['page/memory'],
  async run(bench) {
    const results = [];
    for (const scene of scenes) results.push({ name: scene.name, ...(await play(bench, scene)) });
    return {
      title: 'Memory after use',
      how: 'Before and after, each time after garbage collection: the complete heap in MB; only its objects, strings and closures; the nodes of the page’s process; those of them that are in no document. The complete heap contains machine code, which the engine creates as long as scripts run. Each scene runs a few times before the first count. The heap is the median of three counts.',
      tables: [
        {
          head: [
            '',
            'heap before',
            'after',
            'ratio',
            'objects before',
            'after',
            'ratio',
            'nodes before',
            'after',
            'detached before',
            'after',
          ],
          rows: results.map(({ name, before, after }) => [
            bench.quick ? `${name} (here: a tenth of them)` : name,
            formatNumber(before.heap / MB),
            formatNumber(after.heap / MB),
            formatRatio(after.heap / before.heap),
            formatNumber(before.objects / MB),
            formatNumber(after.objects / MB),
            formatRatio(after.objects / before.objects),
            String(before.nodes),
            String(after.nodes),
            String(before.detached),
            String(after.detached),
          ]),
        },
      ],
      goals: results.flatMap(({ name, before, after }) => [
        ...atMost(9, `${name}: objects of the heap within 5 %`, after.objects / before.objects, 1.05, formatRatio),
        ...atMost(9, `${name}: no additional detached nodes`, after.detached - before.detached, 0, String),
      ]),
    };
  },
};

async function play(
  { browser, quick }: Bench,
  { warm, work }: Scene,
): Promise<{ readonly before: Remaining; readonly after: Remaining }> {
  const stage = await browser.openStage();
  try {
    const script = scriptOf(stage);
    await script('fillNumberCache');
    await warm(script);
    const before = await count(stage);
    await work(script, quick);
    return { before, after: await count(stage) };
  } finally {
    await stage.close();
  }
}

async function count(stage: Stage): Promise<Remaining> {
  await new Promise((resolve) => setTimeout(resolve, LET_GO_MS));
  const heaps: number[] = [];
  for (let time = 0; time < 3; time++) {
    await stage.collectGarbage();
    heaps.push((await stage.cdp.send('Runtime.getHeapUsage')).usedSize);
  }
  const objects = await sizeOfObjects(stage.cdp);
  return { heap: median(heaps), objects, nodes: await stage.countNodes(), detached: await countDetached(stage.cdp) };
}
