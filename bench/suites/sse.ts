/** Complete widgets that read an answer from a server at full speed. */
import type { CorpusName } from '../corpora/corpora.ts';
import { formatNumber, formatFigure, formatFiniteNumber, formatRatio, type Figure } from '../harness/figures.ts';
import { atMost } from '../harness/goals.ts';
import { inRounds, type Job } from '../harness/rounds.ts';
import type { Bench, Options, Suite } from '../harness/suite.ts';
import type * as Chat from '../page/chat.ts';

const texts: readonly CorpusName[] = ['mixed 11 KB', 'mixed 500 KB'];
const FIRST: CorpusName = 'mixed 1 KB';

const names: Readonly<Record<string, string>> = {
  'widget-ours': '`<agent-chat>`',
  'widget-markdown': '`<agent-chat-markdown>` and a stream reader of 20 lines',
  'widget-sketch': 'sketch and a stream reader of 20 lines',
  'widget-deep-chat': 'deep-chat, its own `connect`',
};
const SLOW = 'widget-deep-chat';

const chosen = ({ chosen }: Options): readonly string[] => chosen('contestants', Object.keys(names));

export const sse: Suite = {
  name: 'sse',
  entries: (options) => ['page/chat', ...chosen(options).map((name) => `widgets/${name}`)],
  async run(bench) {
    const widgets = chosen(bench);
    const jobs = widgets.flatMap((name): Job[] =>
      texts
        .filter((text) => name !== SLOW || text === 'mixed 11 KB')
        .map((text) => ({ name: `${name}, ${text}`, run: () => cpuOfAnswer(bench, name, text), once: name === SLOW })),
    );
    const medians = await inRounds(jobs, bench.rounds);
    const of = (name: string, text: CorpusName): Figure | undefined => medians.get(`${name}, ${text}`);
    const ratio = (left: string, right: string, text: CorpusName): number =>
      (of(left, text)?.value ?? NaN) / (of(right, text)?.value ?? NaN);
    const share = 1 / ratio('widget-ours', 'widget-deep-chat', 'mixed 11 KB');
    return {
      title: 'Whole widgets over HTTP',
      how: 'CPU ms from the question to the last rendered word of an answer of OpenAI’s chat completions, sent as fast as it is read. Each widget has shown a short answer before, so that its lazy parts are loaded. deep-chat runs once.',
      tables: [
        {
          head: ['', ...texts],
          rows: widgets.map((name) => [names[name] ?? name, ...texts.map((text) => formatFigure(of(name, text)))]),
        },
      ],
      goals: [
        ...(Number.isNaN(share)
          ? []
          : [
              {
                goal: 4,
                wanted: '11 KB: at most 1/120 of deep-chat',
                figure: `1/${formatNumber(share)}`,
                met: share >= 120,
              },
            ]),
        ...atMost(
          4,
          '11 KB: at most 1.3× the sketch',
          ratio('widget-ours', 'widget-sketch', 'mixed 11 KB'),
          1.3,
          formatRatio,
        ),
        ...atMost(
          4,
          '500 KB: at most 1.5× the Markdown element',
          ratio('widget-ours', 'widget-markdown', 'mixed 500 KB'),
          1.5,
          formatFiniteNumber,
        ),
      ],
    };
  },
};

async function cpuOfAnswer({ browser }: Bench, widget: string, text: CorpusName): Promise<Figure> {
  const stage = await browser.openStage();
  try {
    const chat = stage.script<typeof Chat>('chat');
    await chat('mount', widget);
    await chat('ask', FIRST);
    await stage.collectGarbage();
    const { cpu } = await stage.cpuOf(() => chat('ask', text));
    return { value: cpu };
  } finally {
    await stage.close();
  }
}
