import { medianOf, type Figure } from './figures.ts';

export interface Job {
  readonly name: string;
  /** Runs in one round only, because it takes long. */
  readonly once?: boolean;
  run(): Promise<Figure>;
}

/** The median of each job, by name. */
export type Medians = ReadonlyMap<string, Figure>;

/**
 * Runs all jobs once per round, each round starting with another job, so that other load of the machine affects all of
 * them. A job that was cut off would be cut off again, so it does not run twice.
 */
export async function inRounds(jobs: readonly Job[], count: number): Promise<Medians> {
  const figures = new Map<string, Figure[]>(jobs.map(({ name }) => [name, []]));
  for (let round = 0; round < count; round++) {
    const first = Math.floor((round * jobs.length) / count);
    for (const job of [...jobs.slice(first), ...jobs.slice(0, first)]) {
      const earlierFigures = figures.get(job.name) ?? [];
      if ((job.once && earlierFigures.length > 0) || earlierFigures.some(({ atLeast }) => atLeast)) continue;
      progress(`  round ${String(round + 1)} of ${String(count)}: ${job.name}`);
      // A job that fails has no figure; the others continue.
      const figure = await runWithTimeout(job).catch((error: unknown) => {
        console.error(error instanceof Error ? error.message : error);
      });
      if (figure) earlierFigures.push(figure);
    }
  }
  progress('');
  const medians = new Map<string, Figure>();
  for (const [name, list] of figures) {
    const result = medianOf(list);
    if (result) medians.set(name, result);
  }
  return medians;
}

/** Time limit for a job that never ends (ms). */
const TIMEOUT_MS = 240_000;

async function runWithTimeout({ name, run }: Job): Promise<Figure> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`"${name}" has not come to an end in ${String(TIMEOUT_MS / 1000)} s.`));
    }, TIMEOUT_MS);
  });
  return Promise.race([run(), timeout]).finally(() => {
    clearTimeout(timer);
  });
}

/** Overwrites one line of a terminal. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
