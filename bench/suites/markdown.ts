/** A long mixed answer, streamed into each way of showing it. */
import { corpora, kilobytes, type CorpusName } from '../corpora/corpora.ts';
import { exponent, show, showFigure, showRatio, type Figure } from '../harness/figures.ts';
import { inRounds, type Job } from '../harness/rounds.ts';
import { cpuPerKb, peers } from '../harness/stream-cpu.ts';
import type { Goal, Options, Suite } from '../harness/suite.ts';

const sizes = ['mixed 10 KB', 'mixed 100 KB', 'mixed 500 KB'] as const satisfies readonly CorpusName[];

/** Who would take minutes is given the smaller texts alone. */
const contestants: Readonly<Record<string, readonly CorpusName[]>> = {
  limit: sizes,
  ours: sizes,
  sketch: sizes,
  smd: sizes,
  streamdown: sizes,
  naive: sizes,
  'deep-chat': ['mixed 10 KB', 'mixed 100 KB'],
};
const quickly = ['limit', 'ours', 'sketch', 'smd'];

const chosen = ({ quick, wants }: Options): readonly string[] =>
  Object.keys(contestants).filter((name) => wants('contestants', name) && (!quick || quickly.includes(name)));

export const markdown: Suite = {
  name: 'markdown',
  entries: (options) => ['page/stream', ...chosen(options).map((name) => `contestants/${name}`)],
  async run(bench) {
    const names = chosen(bench);
    const texts = sizes.filter((size) => bench.wants('corpora', size));
    const jobs = names.flatMap((name): Job[] =>
      texts
        .filter((size) => contestants[name]?.includes(size))
        .map((size) => ({ name: `${name}, ${size}`, run: () => cpuPerKb(bench, name, size) })),
    );
    const medians = await inRounds(jobs, bench.rounds);
    const of = (name: string, size: CorpusName): Figure | undefined => medians.get(`${name}, ${size}`);
    const ratio = (name: string, size: CorpusName, to = 'limit'): number =>
      (of(name, size)?.value ?? NaN) / (of(to, size)?.value ?? NaN);
    const growth = (name: string): number => {
      const [small, large] = [of(name, 'mixed 100 KB'), of(name, 'mixed 500 KB')];
      if (!small || !large || small.atLeast || large.atLeast) return NaN;
      return 1 + exponent({ size: 1, cost: small.value }, { size: 5, cost: large.value });
    };
    const rows = names.map((name) => [
      peers[name] ?? name,
      ...texts.flatMap((size) => [
        showFigure(of(name, size)),
        `${of(name, size)?.atLeast ? '> ' : ''}${showRatio(ratio(name, size))}`,
      ]),
      Number.isNaN(growth(name)) ? '–' : show(growth(name)),
    ]);
    const lengths = texts.map((size) => `${size.replace('mixed ', '')} is ${show(kilobytes(corpora[size]()))}`);
    return {
      title: 'A mixed answer',
      how: `CPU ms per KB of text, 200 tokens a frame, the end kept in view; ${lengths.join(', ')}. Ratios are to the limit in the same run.`,
      tables: [{ head: ['', ...texts.flatMap((size) => [size, 'to the limit']), 'growth 100→500 KB'], rows }],
      goals: goals({ ratio, growth }),
    };
  },
};

interface Findings {
  ratio(name: string, size: CorpusName, to?: string): number;
  growth(name: string): number;
}

function goals({ ratio, growth }: Findings): readonly Goal[] {
  const large = (['mixed 100 KB', 'mixed 500 KB'] as const).flatMap((size): Goal[] => [
    {
      goal: 1,
      wanted: `${size}: at most 1.25× the limit`,
      figure: showRatio(ratio('ours', size)),
      met: ratio('ours', size) <= 1.25,
    },
    {
      goal: 1,
      wanted: `${size}: less than smd`,
      figure: `${showRatio(ratio('ours', size, 'smd'))} of smd`,
      met: ratio('ours', size, 'smd') < 1,
    },
  ]);
  const linear: Goal = {
    goal: 2,
    wanted: 'mixed: growth exponent at most 1.05',
    figure: show(growth('ours')),
    met: growth('ours') <= 1.05,
  };
  return [...large, linear].filter(({ figure }) => !figure.startsWith('–') && figure !== 'NaN');
}
