/** Measures contestants with texts: the cells of a table, and the ratios that the goals need. */
import type { CorpusName } from '../corpora/corpora.ts';
import { exponent, formatFigure, formatRatio, type Figure } from './figures.ts';
import { inRounds, type Job } from './rounds.ts';
import { cpuPerKb, sizeOf } from './stream-cpu.ts';
import type { Bench } from './suite.ts';

export interface StreamResults {
  of(contestant: string, corpus: CorpusName): Figure | undefined;
  /** The cost relative to another contestant, by default the limit. NaN if one of them has no figure or was cut off. */
  ratio(contestant: string, corpus: CorpusName, to?: string): number;
  /** The growth exponent of the cost. NaN if one of the figures was cut off. */
  growth(contestant: string, small: CorpusName, large: CorpusName): number;
  /** The cells of a contestant's row, two per text. */
  cells(contestant: string, corpora: readonly CorpusName[]): readonly string[];
}

/** Streams each text into each contestant that supports it. */
export async function streamAll(
  bench: Bench,
  contestants: readonly string[],
  corporaOf: (contestant: string) => readonly CorpusName[],
  /** Slow contestants that no goal needs: they run in one round only. */
  once: readonly string[] = [],
): Promise<StreamResults> {
  const jobs = contestants.flatMap((name) =>
    corporaOf(name).map((corpus): Job => ({
      name: `${name}, ${corpus}`,
      once: once.includes(name),
      run: () => cpuPerKb(bench, name, corpus),
    })),
  );
  const medians = await inRounds(jobs, bench.rounds);
  const of: StreamResults['of'] = (name, corpus) => medians.get(`${name}, ${corpus}`);
  const ratio: StreamResults['ratio'] = (name, corpus, to = 'limit') =>
    completeValueOf(of(name, corpus)) / completeValueOf(of(to, corpus));
  return {
    of,
    ratio,
    growth(name, small, large) {
      const total = (corpus: CorpusName) => ({
        size: sizeOf(corpus),
        cost: completeValueOf(of(name, corpus)) * sizeOf(corpus),
      });
      return exponent(total(small), total(large));
    },
    cells: (name, corpora) =>
      corpora.flatMap((corpus) => {
        const figure = of(name, corpus);
        return [formatFigure(figure), formatRatio(ratio(name, corpus))];
      }),
  };
}

const completeValueOf = (figure: Figure | undefined): number => (!figure || figure.atLeast ? NaN : figure.value);

export const pairs = (corpora: readonly string[]): readonly string[] =>
  corpora.flatMap((corpus) => [corpus, 'to the limit']);
