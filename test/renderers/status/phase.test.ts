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
