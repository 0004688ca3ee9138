import { expect, waitUntil } from '@open-wc/testing';
import type { BlockOf } from '../../../src/model/blocks.ts';
import { find, inside } from '../../components/support/mount.ts';
import { HOSTILE, showBlocks, update, wordsIn } from '../support/show.ts';

const phases = (
  steps: readonly { phase: string; message?: string; start?: number }[],
  status: 'loading' | 'success' = 'loading',
) => ({ id: 's', type: 'status', status, phase: steps.at(-1)?.phase ?? '', extra: { steps: [...steps] } }) as const;

const stepsOf = (root: ParentNode) =>
  [...root.querySelectorAll<HTMLElement>('.step')].map((step) => [wordsIn(step), step.dataset['state']]);

describe('phases', () => {
  it('are steps in order with the last one running; the agent’s own text comes before the known name', async () => {
    const chat = await showBlocks(
      [phases([{ phase: 'thinking', message: 'Hm' }, { phase: 'tool_calling' }, { phase: 'my_own' }])],
      { message: { status: 'streaming' } },
    );
    await inside(chat, '.step');
    expect(stepsOf(chat.renderRoot)).to.deep.equal([
      ['Hm', 'success'],
      ['Getting data', 'success'],
      ['my own', 'running'],
    ]);
  });

  it('collapse into one line after the reply, and none is running', async () => {
    const chat = await showBlocks([phases([{ phase: 'thinking' }, { phase: 'generating' }])]);
    const fold = await inside<HTMLDetailsElement>(chat, 'details.activity');
    expect(wordsIn(fold.querySelector('summary') ?? fold)).to.equal('2 steps');
    expect(fold.open).to.equal(false);
    expect(stepsOf(fold)).to.deep.equal([
      ['Thinking', 'success'],
      ['Writing', 'success'],
    ]);
  });

  describe('in one line while the text streams', () => {
    const text = { id: 'c', type: 'content', content: 'One' } as const;
    const tool = { type: 'tool_call', status: 'success', timestamp: 2, tool_call: { id: 't', name: 'f' } } as const;
    const first = { phase: 'thinking', message: 'Analysing', start: 1 } as const;
    const next = { phase: 'tool_calling', message: 'Fetching more', start: 3 } as const;
    const known = { phase: 'generating', start: 3 } as const;
    for (const [name, blocks, running, ended] of [
      ['the current phase', [phases([first, next]), text], 'Fetching more', '2 steps'],
      ['the current phase without a text of its own', [phases([first, known]), text], 'Writing', '2 steps'],
      ['the current phase after a tool', [phases([first, next]), tool, text], 'Fetching more', '1 tool'],
      [
        'the current phase and the number of failures',
        [phases([first, next]), { ...tool, status: 'error' }, text],
        'Fetching more · 1 failed',
        '1 tool · 1 failed',
      ],
      ['a tool that began after the phase', [phases([first]), tool, text], '1 tool', '1 tool'],
      [
        'a complete reply',
        [phases([first, { phase: 'completed', start: 3 }], 'success'), text],
        'Complete',
        'Complete',
      ],
    ] as const) {
      it(`${name}: “${running}”, and “${ended}” after the reply`, async () => {
        const chat = await showBlocks(blocks, { message: { status: 'streaming' } });
        const summary = await inside(chat, 'details.activity > summary');
        expect([wordsIn(summary), summary.checkVisibility()]).to.deep.equal([running, true]);
        const height = summary.getBoundingClientRect().height;
        update(chat, blocks, { status: 'complete', finish: 'complete' });
        await waitUntil(() => wordsIn(summary) === ended, `${ended} instead of ${wordsIn(summary)}`);
        expect(summary.getBoundingClientRect().height).to.equal(height);
      });
    }

    it('the text below does not move when a second phase begins', async () => {
      const chat = await showBlocks([phases([first]), text], { message: { status: 'streaming' } });
      const content = await inside(chat, '[part~="block-content"]');
      await inside(chat, '.step');
      await waitUntil(() => getComputedStyle(find(chat, '.step')).display === 'grid', 'the styles come');
      const { top } = content.getBoundingClientRect();
      update(chat, [phases([first, next]), text], { status: 'streaming' });
      await waitUntil(() => wordsIn(find(chat, 'details.activity > summary')) === 'Fetching more');
      expect(content.getBoundingClientRect().top).to.equal(top);
    });

    it('the line stays in view above a long text until the reply ends', async () => {
      const long = { id: 'c', type: 'content', content: 'A line of it.\n\n'.repeat(60) } as const;
      const chat = await showBlocks([phases([first, next]), long], { message: { status: 'streaming' } });
      const summary = await inside(chat, 'details.activity > summary');
      const list = find(chat, '[part="transcript"]');
      const isInView = (): boolean =>
        summary.getBoundingClientRect().top >= list.getBoundingClientRect().top - 2.5 && summary.checkVisibility();
      await waitUntil(() => list.scrollHeight > 2 * list.clientHeight);
      list.scrollTop = list.scrollHeight;
      await waitUntil(() => list.scrollTop > list.clientHeight && isInView());
      update(chat, [phases([first, next]), long], { status: 'complete', finish: 'complete' });
      await waitUntil(() => !isInView());
    });

    it('the current phase is running in the list, too', async () => {
      const chat = await showBlocks([phases([first, next]), text], { message: { status: 'streaming' } });
      (await inside(chat, 'details.activity > summary')).click();
      expect(stepsOf(chat.renderRoot)).to.deep.equal([
        ['Analysing', 'success'],
        ['Fetching more', 'running'],
      ]);
      update(chat, [phases([first, next]), text], { status: 'complete', finish: 'complete' });
      await waitUntil(() => stepsOf(chat.renderRoot).every(([, state]) => state === 'success'));
    });
  });

  it('a phase without a list of steps is one step', async () => {
    const block: Partial<BlockOf<'status'>> & { type: 'status' } = { type: 'status', phase: 'thinking', message: 'Hm' };
    const chat = await showBlocks([block]);
    await inside(chat, '.step');
    expect(stepsOf(chat.renderRoot)).to.deep.equal([['Hm', 'success']]);
  });

  it('adds a new step after the others, whose nodes stay', async () => {
    const chat = await showBlocks([phases([{ phase: 'thinking', start: 1 }])], { message: { status: 'streaming' } });
    const first = await inside(chat, '.step');
    update(
      chat,
      [
        phases([
          { phase: 'thinking', start: 1 },
          { phase: 'generating', start: 2 },
        ]),
      ],
      { status: 'streaming' },
    );
    await waitUntil(() => stepsOf(chat.renderRoot).length === 2);
    expect(first.isConnected).to.equal(true);
    expect(first.dataset['state']).to.equal('success');
  });

  it('shows hostile text as text, and leaves out invalid steps', async () => {
    const chat = await showBlocks([
      { type: 'status', phase: 'x', extra: { steps: [{ phase: HOSTILE }, { start: 2 }] } },
    ]);
    await inside(chat, '.step');
    expect(stepsOf(chat.renderRoot)).to.deep.equal([[HOSTILE, 'success']]);
    expect(find(chat, '.steps').querySelector('img')).to.equal(null);
  });
});
