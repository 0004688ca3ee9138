import { expect, waitUntil } from '@open-wc/testing';
import type { LooseBlock } from '../../support/messages.ts';
import { find, has, inside } from '../../components/support/mount.ts';
import { HOSTILE, showBlock, update, wordsIn } from '../support/show.ts';

const thought = (more: Partial<LooseBlock> = {}): LooseBlock => ({
  id: 'r',
  type: 'reasoning_content',
  content: 'Look **first**.',
  ...more,
});

describe('reasoning', () => {
  it('shows the elapsed time while it is streaming, and is collapsed', async () => {
    const start = Date.now() - 65_000;
    const { chat } = await showBlock(thought({ reasoning_time: { start, end: start } }), {
      message: { status: 'streaming' },
    });
    const details = find<HTMLDetailsElement>(chat, '.thinking details');
    expect(wordsIn(find(chat, '.thinking summary'))).to.match(/^Thinking, 1 ?m \d ?s$/);
    expect(has(chat, '.thinking agent-chat-elapsed')).to.equal(true);
    expect(details.open).to.equal(false);
  });

  it('is expanded from the start with show-reasoning="open"', async () => {
    const { chat } = await showBlock(thought(), {
      message: { status: 'streaming' },
      settings: { showReasoning: 'open' },
    });
    expect(find<HTMLDetailsElement>(chat, '.thinking details').open).to.equal(true);
  });

  it('shows its duration without a clock when text follows', async () => {
    const block = thought({ reasoning_time: { start: 1000, end: 13_000 } });
    const { chat } = await showBlock(block, { message: { status: 'streaming' } });
    update(chat, [block, { id: 'c', type: 'content', content: 'So:' }], { status: 'streaming' });
    await waitUntil(() => !has(chat, 'agent-chat-elapsed'));
    expect(wordsIn(find(chat, '.thinking summary'))).to.match(/^Thought for 12 ?s$/);
  });

  it('of less than a second has no time', async () => {
    const { chat } = await showBlock(thought({ reasoning_time: { start: 1000, end: 1400 } }));
    expect(wordsIn(find(chat, 'summary'))).to.equal('Thought');
  });

  it('is rendered as Markdown, and expands by keyboard', async () => {
    const { chat, element } = await showBlock(thought());
    const fold = find<HTMLDetailsElement>(chat, 'details.activity');
    expect(fold.open).to.equal(false);
    fold.querySelector('summary')?.focus();
    expect((chat.renderRoot as ShadowRoot).activeElement).to.equal(fold.querySelector('summary'));
    fold.querySelector('summary')?.click();
    await waitUntil(() => fold.open);
    expect(element.querySelector('strong')?.textContent).to.equal('first');
  });

  it('says that some of it is hidden', async () => {
    const { chat } = await showBlock(thought({ content: '', extra: { hidden: true } }));
    await inside(chat, '[part~="reasoning"]');
    expect(wordsIn(find(chat, '[part~="reasoning"]'))).to.equal('Some of the reasoning is hidden.');
  });

  it('makes hostile markup harmless', async () => {
    const { chat } = await showBlock(thought({ content: HOSTILE }));
    await inside(chat, '[part~="reasoning"]');
    expect(has(chat, 'img[src="x"], [onerror]')).to.equal(false);
    expect(wordsIn(find(chat, '[part~="reasoning"]'))).to.contain('bold');
  });
});
