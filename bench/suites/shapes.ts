/** Texts in other scripts and shapes than English prose. */
import type { CorpusName } from '../corpora/corpora.ts';
import { peers } from '../harness/stream-cpu.ts';
import { pairs, streamAll } from '../harness/stream-table.ts';
import type { Options, Suite } from '../harness/suite.ts';

const texts: readonly CorpusName[] = ['CJK 50 KB', 'emoji 50 KB', 'math 50 KB', 'nested 50 KB'];
const all = ['limit', 'ours', 'sketch', 'smd', 'streamdown'];
const quickly = ['limit', 'ours'];

const chosen = ({ chosen }: Options): readonly string[] => chosen('contestants', all, quickly);

export const shapes: Suite = {
  name: 'shapes',
  entries: (options) => ['page/stream', ...chosen(options).map((name) => `contestants/${name}`)],
  async run(bench) {
    const names = chosen(bench);
    const corpora = bench.chosen('corpora', texts) as readonly CorpusName[];
    const results = await streamAll(bench, names, () => corpora);
    return {
      title: 'Other shapes',
      how: 'CPU ms per KB of text, 200 tokens per frame: Chinese, Japanese and Korean; emoji of several code points; formulas; nested blocks with markers that are never closed.',
      tables: [
        {
          head: ['', ...pairs(corpora)],
          rows: names.map((name) => [peers[name] ?? name, ...results.cells(name, corpora)]),
        },
      ],
      goals: [],
    };
  },
};
