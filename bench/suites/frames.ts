/** Whether the page stays responsive while an answer streams: frames in time, and quick responses to keys. */
import { median, formatNumber } from '../harness/figures.ts';
import { atMost } from '../harness/goals.ts';
import { longestTasks } from '../harness/longest-tasks.ts';
import type { Stage } from '../harness/browser.ts';
import type { Bench, Suite } from '../harness/suite.ts';
import type * as Chat from '../page/chat.ts';
import type * as Gaps from '../page/gaps.ts';

interface Scene {
  readonly name: string;
  /** Events per second; undefined for a page without activity. */
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
/** Two frames of 60 per second, with the tolerance of the clock. */
const LATE_MS = 34;

/** The delays that a user noticed in a scene, over all rounds. */
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
    const delays = new Map(
      scenes.map(({ name }): [string, Found] => [name, { gaps: [], delays: [], keys: [], longest: [] }]),
    );
    for (let round = 0; round < bench.rounds; round++) {
      for (const scene of scenes) {
        const earlier = delays.get(scene.name);
        const frameTimes = await play(bench, scene);
        earlier?.gaps.push(...frameTimes.gaps);
        earlier?.delays.push(...frameTimes.delays);
        earlier?.keys.push(frameTimes.keys);
        earlier?.longest.push(frameTimes.longest);
      }
    }
    const countLateFrames = (name: string): number =>
      delays.get(name)?.gaps.filter((gap) => gap > LATE_MS).length ?? NaN;
    const worst = (name: string): number => Math.max(...(delays.get(name)?.gaps ?? []));
    const slowestKey = (name: string): number => Math.max(16, ...(delays.get(name)?.delays ?? []));
    const longest = (name: string): number => median(delays.get(name)?.longest ?? []);
    const streaming = scenes.filter(({ rate }) => rate !== undefined).map(({ name }) => name);
    return {
      title: 'Frames and keys',
      how: `An answer of mixed Markdown over SSE for ${String(bench.quick ? QUICK_SECONDS : SECONDS)} seconds, a key pressed in the composer every ${String(KEY_EVERY_MS)} ms. Gaps are wall time between animation frames, so they include delays of the machine itself. The page with an empty field, on the same machine in the same minutes, shows how large those are. The longest task is CPU time of the main thread. A key’s delay is that of the Event Timing API, from the press to the frame that shows it, reported from 16 ms on in steps of 8.`,
      tables: [
        {
          head: ['', 'frames', 'median gap', '99 %', 'worst', 'over 33 ms', 'longest task, CPU', 'slowest key'],
          rows: scenes.map(({ name }) => {
            const gaps = delays.get(name)?.gaps ?? [];
            return [
              name,
              String(gaps.length),
              formatNumber(median(gaps)),
              formatNumber(percentile(gaps, 0.99)),
              formatNumber(worst(name)),
              String(countLateFrames(name)),
              formatNumber(longest(name)),
              `${slowestKey(name) > 16 ? '' : '≤ '}${formatNumber(slowestKey(name))} of ${String(delays.get(name)?.keys.reduce((sum, keys) => sum + keys, 0))}`,
            ];
          }),
        },
      ],
      goals: streaming.flatMap((name) => [
        ...atMost(
          8,
          `${name}: frame gaps over 33 ms`,
          countLateFrames(name),
          0,
          (value) => `${String(value)}, worst ${formatNumber(worst(name))} ms`,
        ),
        ...atMost(
          8,
          `${name}: a key is answered within 50 ms`,
          slowestKey(name),
          50,
          (value) => `${formatNumber(value)} ms`,
        ),
      ]),
    };
  },
};

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length * share)] ?? NaN;
}

interface PlayResult {
  readonly gaps: readonly number[];
  readonly delays: readonly number[];
  readonly keys: number;
  readonly longest: number;
}

async function play({ browser, quick }: Bench, { rate, slowdown }: Scene): Promise<PlayResult> {
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
    // Longer than any observation, so its end is not awaited.
    if (rate !== undefined) void chat('ask', 'mixed 500 KB', rate).catch(() => undefined);
    await wait(500);
    const longest = await longestTasks(stage);
    await gaps('watch');
    const keys = await typeFor(stage, (quick ? QUICK_SECONDS : SECONDS) * 1000);
    const frameTimes = await gaps('unwatch');
    return { ...frameTimes, keys, longest: await longest.stop() };
  } finally {
    await stage.close();
  }
}

/** Presses a key at intervals. Returns the number of presses. */
async function typeFor(stage: Stage, milliseconds: number): Promise<number> {
  const deadline = performance.now() + milliseconds;
  let keys = 0;
  while (performance.now() < deadline) {
    await stage.page.keyboard.press('a');
    keys++;
    await wait(KEY_EVERY_MS);
  }
  return keys;
}

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
