/** Whether the page stays with its reader while an answer comes: frames in time, and keys answered. */
import { median, show } from '../harness/figures.ts';
import { atMost } from '../harness/goals.ts';
import { longestTasks } from '../harness/longest-tasks.ts';
import type { Stage } from '../harness/browser.ts';
import type { Bench, Suite } from '../harness/suite.ts';
import type * as Chat from '../page/chat.ts';
import type * as Gaps from '../page/gaps.ts';

interface Scene {
  readonly name: string;
  /** Events a second; none for a page in which nothing happens. */
  readonly rate?: number;
  readonly slowdown: number;
}

const scenes: readonly Scene[] = [
  { name: 'a page with an empty field', slowdown: 1 },
  { name: '`<agent-chat>`, 2,000 events/s', rate: 2000, slowdown: 1 },
  { name: 'a page with an empty field, 4× slower', slowdown: 4 },
  { name: '`<agent-chat>`, 500 events/s, 4× slower', rate: 500, slowdown: 4 },
];

const SECONDS = 10;
const QUICK_SECONDS = 5;
const KEY_EVERY_MS = 150;
/** Two frames of 60 a second, with what a clock may be off. */
const LATE_MS = 34;

/** What a reader has felt in a scene, over all rounds. */
interface Found {
  readonly gaps: number[];
  readonly delays: number[];
  readonly keys: number[];
  readonly longest: number[];
}

export const frames: Suite = {
  name: 'frames',
  entries: () => ['page/chat', 'page/gaps', 'widgets/widget-ours'],
  async run(bench) {
    const found = new Map(
      scenes.map(({ name }): [string, Found] => [name, { gaps: [], delays: [], keys: [], longest: [] }]),
    );
    for (let round = 0; round < bench.rounds; round++) {
      for (const scene of scenes) {
        const so = found.get(scene.name);
        const felt = await play(bench, scene);
        so?.gaps.push(...felt.gaps);
        so?.delays.push(...felt.delays);
        so?.keys.push(felt.keys);
        so?.longest.push(felt.longest);
      }
    }
    const late = (name: string): number => found.get(name)?.gaps.filter((gap) => gap > LATE_MS).length ?? NaN;
    const worst = (name: string): number => Math.max(...(found.get(name)?.gaps ?? []));
    const slowestKey = (name: string): number => Math.max(16, ...(found.get(name)?.delays ?? []));
    const longest = (name: string): number => median(found.get(name)?.longest ?? []);
    const streaming = scenes.filter(({ rate }) => rate !== undefined).map(({ name }) => name);
    return {
      title: 'Frames and keys',
      how: `An answer of mixed Markdown over SSE for ${String(bench.quick ? QUICK_SECONDS : SECONDS)} seconds, a key pressed in the composer every ${String(KEY_EVERY_MS)} ms. Gaps are wall time between animation frames, so they include delays of the machine itself. The page with an empty field, on the same machine in the same minutes, shows how large those are. The longest task is CPU time of the main thread. A key’s delay is that of the Event Timing API, from the press to the frame that shows it, reported from 16 ms on in steps of 8.`,
      tables: [
        {
          head: ['', 'frames', 'median gap', '99 %', 'worst', 'over 33 ms', 'longest task, CPU', 'slowest key'],
          rows: scenes.map(({ name }) => {
            const gaps = found.get(name)?.gaps ?? [];
            return [
              name,
              String(gaps.length),
              show(median(gaps)),
              show(percentile(gaps, 0.99)),
              show(worst(name)),
              String(late(name)),
              show(longest(name)),
              `${slowestKey(name) > 16 ? '' : '≤ '}${show(slowestKey(name))} of ${String(found.get(name)?.keys.reduce((sum, keys) => sum + keys, 0))}`,
            ];
          }),
        },
      ],
      goals: streaming.flatMap((name) => [
        ...atMost(
          8,
          `${name}: frame gaps over 33 ms`,
          late(name),
          0,
          (value) => `${String(value)}, worst ${show(worst(name))} ms`,
        ),
        ...atMost(8, `${name}: a key is answered within 50 ms`, slowestKey(name), 50, (value) => `${show(value)} ms`),
      ]),
    };
  },
};

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length * share)] ?? NaN;
}

interface Play {
  readonly gaps: readonly number[];
  readonly delays: readonly number[];
  readonly keys: number;
  readonly longest: number;
}

async function play({ browser, quick }: Bench, { rate, slowdown }: Scene): Promise<Play> {
  const stage = await browser.openStage();
  try {
    const chat = stage.script<typeof Chat>('chat');
    const gaps = stage.script<typeof Gaps>('gaps');
    if (rate === undefined) await gaps('mountIdle');
    else {
      await chat('mount', 'widget-ours');
      await chat('ask', 'mixed 1 KB');
    }
    await gaps('focusInput');
    await stage.collectGarbage();
    await stage.cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    // Longer than anybody watches: its end is not waited for.
    if (rate !== undefined) void chat('ask', 'mixed 500 KB', rate).catch(() => undefined);
    await rest(500);
    const longest = await longestTasks(stage);
    await gaps('watch');
    const keys = await typeFor(stage, (quick ? QUICK_SECONDS : SECONDS) * 1000);
    const felt = await gaps('unwatch');
    return { ...felt, keys, longest: await longest.stop() };
  } finally {
    await stage.close();
  }
}

/** Presses a key now and again. Returns how many there were. */
async function typeFor(stage: Stage, milliseconds: number): Promise<number> {
  const until = performance.now() + milliseconds;
  let keys = 0;
  while (performance.now() < until) {
    await stage.page.keyboard.press('a');
    keys++;
    await rest(KEY_EVERY_MS);
  }
  return keys;
}

const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
