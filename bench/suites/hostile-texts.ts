/** Texts that are meant to block a page, in each way in which the widget receives text. */
import { hostileTextNames } from '../corpora/hostile-texts.ts';
import { formatNumber } from '../harness/figures.ts';
import { frameCpu } from '../harness/frame-cpu.ts';
import { startBrowser, type Stage } from '../harness/browser.ts';
import { atMost } from '../harness/goals.ts';
import type { Bench, Options, Suite } from '../harness/suite.ts';
import type * as Texts from '../page/hostile-texts.ts';

const LENGTH = 1024 * 1024;
const QUICK_LENGTH = 256 * 1024;
const GAP_MS = 100;
/** The page is closed if it does not answer within this time. */
const LONGEST_MS = 90_000;
const FRAME = 'bench-frame';

type Place = 'markdown' | 'widget';
interface Way {
  readonly name: string;
  readonly place: Place;
  readonly way: Texts.Way;
}
const inPlace = (place: Place, ways: readonly Texts.Way[]): readonly Way[] =>
  ways.map((way) => ({ name: `${place}: ${way}`, place, way }));
const ways: readonly Way[] = [
  ...inPlace('markdown', ['pieces of 128', 'pieces of 2 KB', 'whole']),
  ...inPlace('widget', ['pieces of 128', 'pieces of 2 KB', 'set', 'imported', 'restored', 'reasoning', 'tool']),
];

interface Found {
  /** Maximum CPU time (ms) of one task. */
  readonly task: number;
  /** Maximum CPU time (ms) between two frames. */
  readonly between: number;
  /** Wall time. */
  readonly gap: number;
  readonly milliseconds: number;
  readonly isComplete: boolean;
}
const STUCK: Found = { task: Infinity, between: Infinity, gap: Infinity, milliseconds: Infinity, isComplete: false };

const chosenWays = ({ chosen }: Options): readonly Way[] => {
  const names = chosen(
    'contestants',
    ways.map(({ name }) => name),
  );
  return ways.filter(({ name }) => names.includes(name));
};

export const hostileTexts: Suite = {
  name: 'hostile-texts',
  entries: () => ['page/hostile-texts'],
  async run(bench) {
    const ways = chosenWays(bench);
    const names = bench.chosen('corpora', hostileTextNames);
    const length = bench.quick ? QUICK_LENGTH : LENGTH;
    const empty = await best(bench, { mount: () => Promise.resolve(), show: (script) => script('idle') });
    const rows: string[][] = [];
    const worst = new Map<Way, Found & { readonly text: string }>();
    for (const name of names) {
      const cells: string[] = [];
      for (const way of ways) {
        const results = await play(bench, way, name, length);
        cells.push(formatFound(results));
        if (results.task >= (worst.get(way)?.task ?? 0)) worst.set(way, { ...results, text: name });
      }
      rows.push([name, ...cells]);
      console.log([name, ...cells].join(' | '));
    }
    return {
      title: 'Hostile texts',
      how: `Texts of ${formatNumber(length / 1024)} KB, in each way in which a text can enter the page, then scrolled to its end, middle and beginning. Each cell: the maximum CPU time of the main thread in one task, in ms: for so long no frame and no key can come. In brackets, the maximum CPU time between two frames; as wall time, the longest gap between two frames in ms and the time until everything was rendered, in s. The minimum of the rounds, because wall time and garbage collection also depend on the other load of the machine: an empty page has ${formatFound(empty)}.`,
      tables: [{ head: ['', ...ways.map(({ name }) => name)], rows }],
      goals: ways.flatMap((way) => {
        const results = worst.get(way);
        return atMost(
          10,
          `${way.name}: no task over 100 ms`,
          results?.task ?? NaN,
          GAP_MS,
          (value) => `${formatNumber(value)} ms: ${results?.text ?? ''}`,
        );
      }),
    };
  },
};

const formatFound = ({ task, between, gap, milliseconds, isComplete }: Found): string =>
  task === Infinity
    ? 'stuck'
    : `${isComplete ? '' : '> '}${formatNumber(Math.round(task))} (${String(Math.round(between))}, ${String(Math.round(gap))}, ${(milliseconds / 1000).toFixed(1)})`;

async function play(bench: Bench, { place, way }: Way, name: string, length: number): Promise<Found> {
  return best(bench, {
    mount: (script) => script(place === 'markdown' ? 'mountMarkdown' : 'mountWidget', name, length),
    show: (script) => (place === 'markdown' ? script('showMarkdown', way) : script('showInWidget', way, name)),
  });
}

const scriptOf = (stage: Stage) => stage.script<typeof Texts>('hostile-texts');
type Script = ReturnType<typeof scriptOf>;
interface Played {
  mount(script: Script): Promise<unknown>;
  show(script: Script): Promise<Texts.Shown>;
}

/** The round with the lowest figures. */
async function best(bench: Bench, played: Played): Promise<Found> {
  let results = STUCK;
  for (let round = 0; round < bench.rounds; round++) {
    const one = await once(bench, played).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      return STUCK;
    });
    if (one.task < results.task) results = one;
    // Another round would not lower the figures.
    if (results.task <= GAP_MS) break;
  }
  return results;
}

/** Uses its own browser: a blocked page would delay the next ones. */
async function once({ site }: Bench, { mount, show: act }: Played): Promise<Found> {
  const browser = await startBrowser(site.origin);
  const stage = await browser.openStage();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error('The page does not answer any more.'));
    }, LONGEST_MS);
  });
  try {
    const frames = await frameCpu(stage, FRAME);
    const script = scriptOf(stage);
    await mount(script);
    const { gap, milliseconds, isComplete } = await Promise.race([act(script), timeout]);
    return { ...(await frames.stop()), gap, milliseconds, isComplete };
  } finally {
    clearTimeout(timer);
    await browser.close();
  }
}
