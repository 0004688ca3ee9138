/** Opening a conversation with many messages. */
import { formatFigure, formatRatio, type Figure } from '../harness/figures.ts';
import { atMost } from '../harness/goals.ts';
import { inRounds, type Job } from '../harness/rounds.ts';
import type { Bench, Options, Suite } from '../harness/suite.ts';
import type * as Open from '../page/open.ts';

const counts = [30, 1000, 10_000];
/** Steps of half a view each. */
const STEPS = 100;
const SCROLLED = 1000;
/** One shows only its end, the other has no countable steps. */
const NOT_SCROLLED = ['open-limit', 'open-deep-chat'];
const names: Readonly<Record<string, string>> = {
  'open-limit': 'the limit: last 30 messages and a spacer',
  'open-ours': '`<agent-chat>`',
  'open-list': 'a list of all, marked + DOMPurify',
  'open-tanstack': 'TanStack Virtual, marked + DOMPurify',
  'open-lit-virtualizer': '`@lit-labs/virtualizer`, marked + DOMPurify',
  'open-deep-chat': 'deep-chat',
};
/** It needs more than a minute of CPU time for the largest conversation, so it gets smaller ones. */
const countsOf = (name: string): readonly number[] => (name === 'open-deep-chat' ? counts.slice(0, 2) : counts);

const chosen = ({ chosen }: Options): readonly string[] =>
  chosen('contestants', Object.keys(names), ['open-limit', 'open-ours']);

export const open: Suite = {
  name: 'open',
  entries: (options) => ['page/open', ...chosen(options).map((name) => `openers/${name}`)],
  async run(bench) {
    const openers = chosen(bench);
    const nodes = new Map<string, number>();
    const jobs = openers.flatMap((name) =>
      countsOf(name).map((count): Job => ({
        name: `${name}, ${String(count)}`,
        once: name === 'open-deep-chat',
        run: async () => {
          const opened = await openConversation(bench, name, count);
          nodes.set(`${name}, ${String(count)}`, opened.nodes);
          return { value: opened.cpu };
        },
      })),
    );
    const scrolled = new Map<string, Open.ScrollResult>();
    const scrollers = openers.filter((name) => !NOT_SCROLLED.includes(name));
    const scrolls = scrollers.map((name): Job => ({
      name: `${name}, scrolled`,
      run: async () => {
        const { cpu, ...moves } = await scrollConversation(bench, name);
        scrolled.set(name, moves);
        return { value: cpu / STEPS };
      },
    }));
    const medians = await inRounds([...jobs, ...scrolls], bench.rounds);
    const of = (name: string, count: number): Figure | undefined => medians.get(`${name}, ${String(count)}`);
    const nodesOf = (name: string, count: number): number => nodes.get(`${name}, ${String(count)}`) ?? NaN;
    const ratio = (name: string, count: number, to: string, toCount: number): number =>
      (of(name, count)?.value ?? NaN) / (of(to, toCount)?.value ?? NaN);
    return {
      title: 'Opening a conversation',
      how: 'CPU ms until the end of the conversation is visible, and the nodes of the page’s process then. Answers have 600 characters of mixed Markdown. Each contestant has opened a conversation of two messages before, so that its code is loaded. The others render with marked and DOMPurify. A contestant that has not reached the end after 300 frames has no figure. deep-chat runs once, and would need minutes for 10,000.',
      tables: [
        {
          head: ['', ...counts.flatMap((count) => [`${count.toLocaleString('en')} messages`, 'nodes'])],
          rows: openers.map((name) => [
            names[name] ?? name,
            ...counts.flatMap((count) => [formatFigure(of(name, count)), showCount(nodesOf(name, count))]),
          ]),
        },
        {
          caption: `Scrolling upwards through ${SCROLLED.toLocaleString('en')} messages, from the end, ${String(STEPS)} steps of half a viewport with two frames each: CPU ms per step; steps after which the visible text had moved by another distance than the step; steps after which there was no message around the middle of the viewport. The last two are from the last round.`,
          head: ['', 'CPU ms per step', 'moved', 'empty'],
          rows: scrollers.map((name) => [
            names[name] ?? name,
            formatFigure(medians.get(`${name}, scrolled`)),
            showCount(scrolled.get(name)?.moved ?? NaN),
            showCount(scrolled.get(name)?.empty ?? NaN),
          ]),
        },
      ],
      goals: [
        ...atMost(
          5,
          '10,000 messages: at most 2× the limit',
          ratio('open-ours', 10_000, 'open-limit', 10_000),
          2,
          formatRatio,
        ),
        ...atMost(
          5,
          '10,000 messages: at most 1.2× its own 1,000',
          ratio('open-ours', 10_000, 'open-ours', 1000),
          1.2,
          formatRatio,
        ),
        ...atMost(
          5,
          'nodes bounded: 10,000 have as many as 1,000, within a tenth',
          nodesOf('open-ours', 10_000) / nodesOf('open-ours', 1000),
          1.1,
          formatRatio,
        ),
      ],
    };
  },
};

const showCount = (value: number): string => (Number.isNaN(value) ? '–' : value.toLocaleString('en'));

async function openConversation(
  { browser }: Bench,
  opener: string,
  count: number,
): Promise<{ readonly cpu: number; readonly nodes: number }> {
  const stage = await browser.openStage();
  try {
    const script = stage.script<typeof Open>('open');
    await script('prepare', opener, count);
    await stage.collectGarbage();
    const { cpu } = await stage.cpuOf(() => script('open'));
    await stage.collectGarbage();
    return { cpu, nodes: await stage.countNodes() };
  } finally {
    await stage.close();
  }
}

async function scrollConversation(
  { browser }: Bench,
  opener: string,
): Promise<Open.ScrollResult & { readonly cpu: number }> {
  const stage = await browser.openStage();
  try {
    const script = stage.script<typeof Open>('open');
    await script('prepare', opener, SCROLLED);
    await script('open');
    const { cpu, result } = await stage.cpuOf(() => script('scrollUp', STEPS));
    return { cpu, ...result };
  } finally {
    await stage.close();
  }
}
