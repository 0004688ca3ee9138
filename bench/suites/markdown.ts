/** A long mixed answer, streamed into each contestant. */
import { type CorpusName } from '../corpora/corpora.ts';
import { formatFiniteNumber, formatRatio } from '../harness/figures.ts';
import { atMost, below } from '../harness/goals.ts';
import { peers } from '../harness/stream-cpu.ts';
import { pairs, streamAll } from '../harness/stream-table.ts';
import type { Options, Suite } from '../harness/suite.ts';

const sizes: readonly CorpusName[] = ['mixed 10 KB', 'mixed 100 KB', 'mixed 500 KB'];
const all = ['limit', 'ours', 'sketch', 'smd', 'streamdown', 'naive', 'deep-chat'];
const quickly = ['limit', 'ours', 'sketch', 'smd'];
/** Skipped: the largest text would take hours. */
const SLOWEST = 'deep-chat';

const once = ['streamdown', 'naive', SLOWEST];

const chosen = ({ chosen }: Options): readonly string[] => chosen('contestants', all, quickly);

export const markdown: Suite = {
  name: 'markdown',
  entries: (options) => ['page/stream', ...chosen(options).map((name) => `contestants/${name}`)],
  async run(bench) {
    const names = chosen(bench);
    const texts = bench.chosen('corpora', sizes) as readonly CorpusName[];
    const results = await streamAll(bench, names, (name) => (name === SLOWEST ? texts.slice(0, 2) : texts), once);
    const growth = (name: string): number => results.growth(name, 'mixed 100 KB', 'mixed 500 KB');
    return {
      title: 'A mixed answer',
      how: 'CPU ms per KB of text (1,024 characters), 200 tokens per frame, scrolled to the end. Ratios are relative to the limit in the same run. A figure with “>” was cut off: it is the time that the contestant had used when its 40 seconds were over. Growth is the exponent from 100 to 500 KB: 1 is linear. streamdown, innerHTML and deep-chat run once.',
      tables: [
        {
          head: ['', ...pairs(texts), 'growth'],
          rows: names.map((name) => [
            peers[name] ?? name,
            ...results.cells(name, texts),
            formatFiniteNumber(growth(name)),
          ]),
        },
      ],
      goals: [
        ...(['mixed 100 KB', 'mixed 500 KB'] as const).flatMap((size) => [
          atMost(1, `${size}: at most 1.25× the limit`, results.ratio('ours', size), 1.25, formatRatio),
          below(1, `${size}: less than streaming-markdown`, results.ratio('ours', size, 'smd'), 1, formatRatio),
        ]),
        atMost(2, 'mixed: growth exponent at most 1.05', growth('ours'), 1.05, formatFiniteNumber),
      ].flat(),
    };
  },
};
