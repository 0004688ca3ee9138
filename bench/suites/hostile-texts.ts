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

type Target = 'markdown' | 'widget';
interface Variant {
  readonly name: string;
  readonly target: Target;
  readonly delivery: Texts.Delivery;
}
const variantsOf = (target: Target, deliveries: readonly Texts.Delivery[]): readonly Variant[] =>
  deliveries.map((delivery) => ({ name: `${target}: ${delivery}`, target, delivery }));
const variants: readonly Variant[] = [
  ...variantsOf('markdown', ['pieces of 128', 'pieces of 2 KB', 'whole']),
  ...variantsOf('widget', ['pieces of 128', 'pieces of 2 KB', 'set', 'imported', 'restored', 'reasoning', 'tool']),
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

const chosenVariants = ({ chosen }: Options): readonly Variant[] => {
  const names = chosen(
    'contestants',
    variants.map(({ name }) => name),
  );
  return variants.filter(({ name }) => names.includes(name));
};

export const hostileTexts: Suite = {
  name: 'hostile-texts',
  entries: () => ['page/hostile-texts'],
  async run(bench) {
    const variants = chosenVariants(bench);
    const names = bench.chosen('corpora', hostileTextNames);
    const length = bench.quick ? QUICK_LENGTH : LENGTH;
    const empty = await best(bench, { mount: () => Promise.resolve(), show: (script) => script('idle') });
    const rows: string[][] = [];
    const worst = new Map<Variant, Found & { readonly text: string }>();
    for (const name of names) {
      const cells: string[] = [];
      for (const variant of variants) {
        const results = await play(bench, variant, name, length);
        cells.push(formatFound(results));
        if (results.task >= (worst.get(variant)?.task ?? 0)) worst.set(variant, { ...results, text: name });
      }
      rows.push([name, ...cells]);
      console.log([name, ...cells].join(' | '));
    }
    return {
      title: 'Hostile texts',
      how: `Texts of ${formatNumber(length / 1024)} KB, in each way in which a text can enter the page, then scrolled to its end, middle and beginning. Each cell: the maximum CPU time of the main thread in one task, in ms: for so long no frame and no key can come. In brackets, the maximum CPU time between two frames; as wall time, the longest gap between two frames in ms and the time until everything was rendered, in s. The minimum of the rounds, because wall time and garbage collection also depend on the other load of the machine: an empty page has ${formatFound(empty)}.`,
      tables: [{ head: ['', ...variants.map(({ name }) => name)], rows }],
      goals: variants.flatMap((variant) => {
        const results = worst.get(variant);
        return atMost(
          10,
          `${variant.name}: no task over 100 ms`,
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

async function play(bench: Bench, { target, delivery }: Variant, name: string, length: number): Promise<Found> {
  return best(bench, {
    mount: (script) => script(target === 'markdown' ? 'mountMarkdown' : 'mountWidget', name, length),
    show: (script) =>
      target === 'markdown' ? script('showMarkdown', delivery) : script('showInWidget', delivery, name),
  });
}

const scriptOf = (stage: Stage) => stage.script<typeof Texts>('hostile-texts');
type Script = ReturnType<typeof scriptOf>;
interface Scenario {
  mount(script: Script): Promise<unknown>;
  show(script: Script): Promise<Texts.RenderResult>;
}

/** The round with the lowest figures. */
async function best(bench: Bench, scenario: Scenario): Promise<Found> {
  let results = STUCK;
  for (let round = 0; round < bench.rounds; round++) {
    const result = await measureOnce(bench, scenario).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      return STUCK;
    });
    if (result.task < results.task) results = result;
    // Another round would not lower the figures.
    if (results.task <= GAP_MS) break;
  }
  return results;
}

/** Uses its own browser: a blocked page would delay the next ones. */
async function measureOnce({ site }: Bench, { mount, show: act }: Scenario): Promise<Found> {
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
