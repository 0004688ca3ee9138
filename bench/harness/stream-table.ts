/** Contestants against texts: a table of what each costs, and the questions that goals ask of it. */
import type { CorpusName } from '../corpora/corpora.ts';
import { exponent, showFigure, showRatio, type Figure } from './figures.ts';
import { inRounds, type Job } from './rounds.ts';
import { cpuPerKb, sizeOf } from './stream-cpu.ts';
import type { Bench } from './suite.ts';

export interface Findings {
  of(contestant: string, corpus: CorpusName): Figure | undefined;
  /** How much dearer than another contestant, the limit by default. Not a number where one has no figure or was cut off. */
  ratio(contestant: string, corpus: CorpusName, to?: string): number;
  /** By which power of the size the cost has grown. Not a number where one figure was cut off. */
  growth(contestant: string, small: CorpusName, large: CorpusName): number;
  /** The cells of a contestant's row, two for each text. */
  cells(contestant: string, corpora: readonly CorpusName[]): readonly string[];
}

/** Streams each text into each contestant that may have it. */
export async function streamAll(
  bench: Bench,
  contestants: readonly string[],
  corporaOf: (contestant: string) => readonly CorpusName[],
  /** Who is slow, and no part of a goal: one round has to do. */
  once: readonly string[] = [],
): Promise<Findings> {
  const jobs = contestants.flatMap((name) =>
    corporaOf(name).map((corpus): Job => ({
      name: `${name}, ${corpus}`,
      once: once.includes(name),
      run: () => cpuPerKb(bench, name, corpus),
    })),
  );
  const medians = await inRounds(jobs, bench.rounds);
  const of: Findings['of'] = (name, corpus) => medians.get(`${name}, ${corpus}`);
  const ratio: Findings['ratio'] = (name, corpus, to = 'limit') => wholeOf(of(name, corpus)) / wholeOf(of(to, corpus));
  return {
    of,
    ratio,
    growth(name, small, large) {
      const total = (corpus: CorpusName) => ({
        size: sizeOf(corpus),
        cost: wholeOf(of(name, corpus)) * sizeOf(corpus),
      });
      return exponent(total(small), total(large));
    },
    cells: (name, corpora) =>
      corpora.flatMap((corpus) => {
        const figure = of(name, corpus);
        return [showFigure(figure), showRatio(ratio(name, corpus))];
      }),
  };
}

const wholeOf = (figure: Figure | undefined): number => (!figure || figure.atLeast ? NaN : figure.value);

export const pairs = (corpora: readonly string[]): readonly string[] =>
  corpora.flatMap((corpus) => [corpus, 'to the limit']);
