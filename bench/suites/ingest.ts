/** How fast a stream becomes blocks, compared with `JSON.parse`, the one step that no client can omit. */
import { wires, type WireName } from '../corpora/events.ts';
import { formatNumber, formatFigure, formatFiniteNumber } from '../harness/figures.ts';
import { atLeast } from '../harness/goals.ts';
import { inRounds, type Job } from '../harness/rounds.ts';
import type { Bench, Suite } from '../harness/suite.ts';
import type * as Ingest from '../page/ingest.ts';

const LENGTH = 400_000;
/** Unmeasured runs before the measured ones, because the first ones are interpreted. */
const WARM = 3;
const MEASURED = 5;
const steps = ['parseAlone', 'ingest'] as const;

export const ingest: Suite = {
  name: 'ingest',
  entries: () => ['page/ingest'],
  async run(bench) {
    const names = Object.keys(wires) as readonly WireName[];
    const events = new Map<WireName, number>();
    const jobs = names.flatMap((name) =>
      steps.map((step): Job => ({
        name: `${name}, ${step}`,
        run: async () => {
          const { cpu, count } = await cpuOfStep(bench, name, step);
          events.set(name, count);
          return { value: (cpu / count) * 1e6 };
        },
      })),
    );
    const medians = await inRounds(jobs, bench.rounds);
    const of = (name: WireName, step: string): number => medians.get(`${name}, ${step}`)?.value ?? NaN;
    const speed = (name: WireName): number => of(name, 'parseAlone') / of(name, 'ingest');
    return {
      title: 'Ingestion',
      how: `CPU ns per event, from the text of an SSE body in reads of 16 KB through frames and validated events to blocks, and for \`JSON.parse\` alone over the texts of the same events. ${formatNumber(LENGTH / 1000)},000 characters of text in deltas of 1 to 7 characters. Both are measured after a warm-up.`,
      tables: [
        {
          head: ['', 'events', '`JSON.parse` alone', 'to blocks', 'speed of `JSON.parse`'],
          rows: names.map((name) => [
            name,
            (events.get(name) ?? 0).toLocaleString('en'),
            formatFigure(medians.get(`${name}, parseAlone`)),
            formatFigure(medians.get(`${name}, ingest`)),
            `${formatFiniteNumber(speed(name))}×`,
          ]),
        },
      ],
      goals: names.flatMap((name) =>
        atLeast(
          7,
          `${name}: at least 0.7× the speed of \`JSON.parse\``,
          speed(name),
          0.7,
          (value) => `${formatNumber(value)}×`,
        ),
      ),
    };
  },
};

async function cpuOfStep(
  { browser }: Bench,
  name: WireName,
  step: (typeof steps)[number],
): Promise<{ readonly cpu: number; readonly count: number }> {
  const stage = await browser.openStage();
  try {
    const script = stage.script<typeof Ingest>('ingest');
    const count = await script('prepare', name, LENGTH);
    for (let run = 0; run < WARM; run++) await script(step);
    await stage.collectGarbage();
    const { cpu } = await stage.cpuOf(async () => {
      for (let run = 0; run < MEASURED; run++) await script(step);
    });
    return { cpu: cpu / MEASURED, count };
  } finally {
    await stage.close();
  }
}
