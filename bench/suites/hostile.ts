/** The effects of a malicious agent on a page: whether the user can continue, and the cost. */
import { median, formatNumber } from '../harness/figures.ts';
import { atMost } from '../harness/goals.ts';
import { floodText, hostileNames, type HostileName } from '../harness/hostile.ts';
import type { Bench, Suite } from '../harness/suite.ts';
import type * as Gaps from '../page/gaps.ts';
import type * as Hostile from '../page/hostile.ts';

const MB = 1024 * 1024;
const FLOOD = 'a flood of 100,000 events';
const GAP_MS = 50;
const FLOOD_MS = 2000;
const GROWTH_MB = 50;

interface Found {
  readonly milliseconds: number;
  readonly gap: number;
  readonly growth: number;
  readonly peak: number;
  readonly ending: string;
}

export const hostile: Suite = {
  name: 'hostile',
  entries: () => ['page/hostile', 'page/gaps'],
  async run(bench) {
    const results = new Map<HostileName, Found[]>(hostileNames.map((name) => [name, []]));
    for (let round = 0; round < bench.rounds; round++)
      for (const name of hostileNames) results.get(name)?.push(await play(bench, name));
    const of = (name: HostileName, figure: 'milliseconds' | 'gap' | 'growth' | 'peak'): number =>
      median(results.get(name)?.map((one) => one[figure]) ?? []);
    return {
      title: 'Hostile streams',
      how: 'A widget that has answered once gets a reply that floods it, never ends, or decompresses to 200 MB. Wall time from sending to the end of the reply; the longest gap between two frames; the growth of the heap after garbage collection and its maximum meanwhile, in MB.',
      tables: [
        {
          head: ['', 'ends as', 'ms', 'longest gap, ms', 'heap growth', 'maximum'],
          rows: hostileNames.map((name) => [
            name,
            results.get(name)?.[0]?.ending ?? '',
            formatNumber(of(name, 'milliseconds')),
            formatNumber(of(name, 'gap')),
            formatNumber(of(name, 'growth')),
            formatNumber(of(name, 'peak')),
          ]),
        },
      ],
      goals: hostileNames.flatMap((name) => [
        ...atMost(10, `${name}: no frame gap over 50 ms`, of(name, 'gap'), GAP_MS, ms),
        ...atMost(
          10,
          `${name}: heap grows by less than 50 MB`,
          of(name, 'growth'),
          GROWTH_MB,
          (value) => `${formatNumber(value)} MB`,
        ),
        ...(name === FLOOD ? atMost(10, `${name}: done in 2 s`, of(name, 'milliseconds'), FLOOD_MS, ms) : []),
      ]),
    };
  },
};

const ms = (value: number): string => `${formatNumber(value)} ms`;

async function play({ browser }: Bench, name: HostileName): Promise<Found> {
  const stage = await browser.openStage();
  try {
    const script = stage.script<typeof Hostile>('hostile');
    const gaps = stage.script<typeof Gaps>('gaps');
    await script('mount');
    const heap = async (): Promise<number> => (await stage.cdp.send('Runtime.getHeapUsage')).usedSize;
    await stage.collectGarbage();
    const before = await heap();
    await gaps('watch');
    let peak = before;
    let over = false;
    const watching = (async () => {
      while (!over) {
        peak = Math.max(peak, await heap());
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    const reply = await script('ask', `/agent/hostile?${new URLSearchParams({ stream: name }).toString()}`);
    over = true;
    await watching;
    const frameTimes = await gaps('unwatch');
    await stage.collectGarbage();
    const exact = name !== FLOOD || (await script('replyText')) === floodText();
    return {
      milliseconds: reply.milliseconds,
      // Three frames at 60 per second are 50 ms, with a tolerance of ten per cent.
      gap: Math.round(Math.max(0, ...frameTimes.gaps)),
      growth: ((await heap()) - before) / MB,
      peak: (peak - before) / MB,
      ending: `${reply.status} ${reply.error}${exact ? '' : ', not to the word'}`.trim(),
    };
  } finally {
    await stage.close();
  }
}
