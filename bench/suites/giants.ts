/** One very long block, no part of which is ever finished. */
import type { CorpusName } from '../corpora/corpora.ts';
import { formatFiniteNumber, formatRatio } from '../harness/figures.ts';
import { atMost } from '../harness/goals.ts';
import { peers } from '../harness/stream-cpu.ts';
import { pairs, streamAll } from '../harness/stream-table.ts';
import type { Options, Suite } from '../harness/suite.ts';

interface Giant {
  readonly name: string;
  readonly small: CorpusName;
  readonly large: CorpusName;
}

const giants: readonly Giant[] = [
  { name: 'code', small: 'code 40 KB', large: 'code 200 KB' },
  { name: 'paragraph', small: 'paragraph 20 KB', large: 'paragraph 100 KB' },
  { name: 'table', small: 'table 400 rows', large: 'table 2,000 rows' },
  { name: 'list', small: 'list 1,000 items', large: 'list 5,000 items' },
];
const all = ['limit', 'ours', 'sketch', 'smd'];
const peersOnce = ['sketch', 'smd'];
const quickly = ['limit', 'ours'];

const chosen = ({ chosen }: Options): readonly string[] => chosen('contestants', all, quickly);

export const giantBlocks: Suite = {
  name: 'giants',
  entries: (options) => ['page/stream', ...chosen(options).map((name) => `contestants/${name}`)],
  async run(bench) {
    const names = chosen(bench);
    const wanted = bench.chosen(
      'corpora',
      giants.map(({ name }) => name),
    );
    const kinds = giants.filter(({ name }) => wanted.includes(name));
    const results = await streamAll(bench, names, () => kinds.flatMap(({ small, large }) => [small, large]), peersOnce);
    return {
      title: 'One giant block',
      how: 'CPU ms per KB of text, 200 tokens per frame, scrolled to the end. Growth is the exponent from the smaller to the larger size: 1 is linear. The limit also adds to a single block: rows, items and chunks of text. After the first ones, they are in boxes that the browser skips off-screen. The peers run once.',
      tables: kinds.map(({ small, large }) => ({
        head: ['', ...pairs([small, large]), 'growth'],
        rows: names.map((name) => [
          peers[name] ?? name,
          ...results.cells(name, [small, large]),
          formatFiniteNumber(results.growth(name, small, large)),
        ]),
      })),
      goals: kinds.flatMap(({ name, small, large }) => [
        ...atMost(
          2,
          `${name}: growth exponent at most 1.05`,
          results.growth('ours', small, large),
          1.05,
          formatFiniteNumber,
        ),
        ...atMost(3, `${large}: at most 1.5× the limit`, results.ratio('ours', large), 1.5, formatRatio),
      ]),
    };
  },
};
