import { medianOf, type Figure } from './figures.ts';

export interface Job {
  readonly name: string;
  /** It takes so long that one round has to do. */
  readonly once?: boolean;
  run(): Promise<Figure>;
}

/** Each job's median, by name. */
export type Medians = ReadonlyMap<string, Figure>;

/**
 * Runs all jobs once in each round, beginning with another one every time: what else the machine does hits all of them alike.
 * One that was cut off would be so again, and is not run twice.
 */
export async function inRounds(jobs: readonly Job[], count: number): Promise<Medians> {
  const figures = new Map<string, Figure[]>(jobs.map(({ name }) => [name, []]));
  for (let round = 0; round < count; round++) {
    const first = Math.floor((round * jobs.length) / count);
    for (const job of [...jobs.slice(first), ...jobs.slice(0, first)]) {
      const so = figures.get(job.name) ?? [];
      if ((job.once && so.length > 0) || so.some(({ atLeast }) => atLeast)) continue;
      progress(`  round ${String(round + 1)} of ${String(count)}: ${job.name}`);
      // One that fails has no figure; the others still have theirs.
      const figure = await withinReason(job).catch((error: unknown) => {
        console.error(error instanceof Error ? error.message : error);
      });
      if (figure) so.push(figure);
    }
  }
  progress('');
  const medians = new Map<string, Figure>();
  for (const [name, list] of figures) {
    const found = medianOf(list);
    if (found) medians.set(name, found);
  }
  return medians;
}

/** A peer that never comes to an end must not hold up the rest. */
const LONGEST_MS = 240_000;

async function withinReason({ name, run }: Job): Promise<Figure> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`"${name}" has not come to an end in ${String(LONGEST_MS / 1000)} s.`));
    }, LONGEST_MS);
  });
  return Promise.race([run(), late]).finally(() => {
    clearTimeout(timer);
  });
}

/** One line that is written over, where somebody looks at it. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
