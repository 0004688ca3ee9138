import { expect, waitUntil } from '@open-wc/testing';
import type { LooseBlock } from '../../support/messages.ts';
import { find, has, next } from '../../components/support/mount.ts';
import { HOSTILE, named, showBlock, showBlocks, update, wordsIn } from '../support/show.ts';

describe('content', () => {
  it('is Markdown by default', async () => {
    const { element } = await showBlock({ type: 'content', content: '# Title\n\nSome **weight**.' });
    expect(element.querySelector('h1')?.textContent).to.equal('Title');
    expect(element.querySelector('strong')?.textContent).to.equal('weight');
  });

  it('with the format text is shown literally', async () => {
    const { element } = await showBlock({ type: 'content', format: 'text', content: `**as it is** ${HOSTILE}` });
    expect(wordsIn(element)).to.equal(`**as it is** ${HOSTILE}`);
    expect(element.querySelector('b, strong, img')).to.equal(null);
  });

  it('with the format text keeps its lines, and adds no space or line of its own', async () => {
    const { element } = await showBlock({ type: 'content', format: 'text', content: 'First\n\n  second' });
    const paragraph = element.querySelector('p');
    expect(paragraph && getComputedStyle(paragraph).whiteSpace).to.match(/pre-wrap|preserve/);
    expect(paragraph?.textContent).to.equal('First\n\n  second');
  });

  it('with the format html keeps safe elements only', async () => {
    const { element } = await showBlock({
      type: 'content',
      format: 'html',
      content: '<p onclick="hit()">Some <strong style="color:red">weight</strong></p><script>hit()</script>',
    });
    await waitUntil(() => element.querySelector('strong') !== null);
    expect(element.querySelector('[onclick], [style], script')).to.equal(null);
    expect(wordsIn(element)).to.equal('Some weight');
  });

  it('has aria-busy while it is streaming', async () => {
    const block: LooseBlock = { id: 'b', type: 'content', content: 'Half' };
    const { chat, element } = await showBlock(block, { message: { status: 'streaming' } });
    expect(element.getAttribute('aria-busy')).to.equal('true');
    update(chat, [{ ...block, content: 'Half and half.' }], { status: 'complete', finish: 'complete' });
    await waitUntil(() => !element.hasAttribute('aria-busy'));
    expect(wordsIn(element)).to.equal('Half and half.');
  });

  it('keeps rendered nodes while it is streaming', async () => {
    const block: LooseBlock = { id: 'b', type: 'content', content: 'First.\n\nSec' };
    const { chat, element } = await showBlock(block, { message: { status: 'streaming' } });
    const first = element.querySelector('p')?.firstChild;
    update(chat, [{ ...block, content: 'First.\n\nSecond.\n\nThird.' }], { status: 'streaming' });
    await waitUntil(() => wordsIn(element).includes('Third.'));
    expect(element.querySelector('p')?.firstChild).to.equal(first);
  });

  it('renders everything again when its format changes', async () => {
    const { chat, element } = await showBlock({ id: 'b', type: 'content', content: '**x**' });
    update(chat, [{ id: 'b', type: 'content', format: 'text', content: '**x**' }]);
    await waitUntil(() => wordsIn(element) === '**x**');
    expect(element.querySelector('strong')).to.equal(null);
  });

  it('links footnotes to their notes and back, also in a message that arrives complete', async () => {
    const { element } = await showBlock({ type: 'content', content: 'A[^1]\n\n[^1]: The note' });
    const inside = (): Element | null => (element.getRootNode() as ShadowRoot).activeElement;
    await waitUntil(() => {
      named(element, 'Footnote 1').click();
      return inside()?.className === 'note-back';
    });
    (inside() as HTMLElement).click();
    expect(inside()).to.equal(named(element, 'Footnote 1'));
  });

  it('makes hostile markup in Markdown harmless', async () => {
    const { chat, element } = await showBlock({ type: 'content', content: `Look: ${HOSTILE}` });
    expect(element.querySelector('b')?.textContent).to.equal('bold');
    expect(has(chat, 'img[src="x"], [onerror]')).to.equal(false);
  });
});

describe('citations', () => {
  const cited: LooseBlock = {
    type: 'content',
    content: 'It was the buckle. Mara said so. The log as well.',
    citations: [
      { id: 'a', title: 'Change log', url: 'https://ops.example/log', quote: 'The buckle was changed.', end: 18 },
      { id: 'b', title: 'A talk with Mara', end: 32 },
      { id: 'a', url: 'https://ops.example/log', end: 49 },
    ],
  };

  it('are buttons after their text, numbered by source and labelled with its title', async () => {
    const { element } = await showBlock(cited);
    expect(wordsIn(element)).to.equal('It was the buckle. 1 Mara said so. 2 The log as well. 1');
    expect(
      [...element.querySelectorAll('button[part="citation"]')].map((mark) => mark.getAttribute('aria-label')),
    ).to.deep.equal(['Source 1: Change log', 'Source 2: A talk with Mara', 'Source 1: Change log']);
  });

  it('have the quote as their description', async () => {
    const { element } = await showBlock(cited);
    expect(named(element, 'Source 1: Change log').ariaDescription).to.equal('The buckle was changed.');
  });

  it('emit an action with the source when clicked; nothing is sent', async () => {
    const { chat, element } = await showBlock(cited);
    const actionEvent = next(chat, 'agent-chat-action');
    named(element, 'Source 2: A talk with Mara').click();
    const { action, payload } = (await actionEvent).detail;
    expect(action).to.equal('citation');
    expect(payload).to.deep.include({ id: 'b' });
    expect(chat.messages.length).to.equal(1);
  });

  it('work in plain text as well', async () => {
    const { element } = await showBlock({ ...cited, format: 'text' });
    expect(element.querySelectorAll('button[part="citation"]').length).to.equal(3);
  });

  it('of a whole block have no marker, but are in the list of sources', async () => {
    const chat = await showBlocks([{ type: 'content', content: 'All of it.', citations: [{ id: 'a', title: 'Log' }] }]);
    await waitUntil(() => has(chat, '[part="source-list"]'));
    expect(wordsIn(find(chat, '[part="source-list"]'))).to.equal('1 source 1 Log');
    expect(has(chat, 'button[part="citation"]')).to.equal(false);
  });

  it('show a hostile source as text, without a link to its address', async () => {
    const { chat, element } = await showBlock({
      type: 'content',
      content: 'Here.',
      citations: [{ id: 'a', title: `\u202Egpj${HOSTILE}`, url: 'javascript:hit()', end: 5 }],
    });
    expect(element.querySelector('button[part="citation"]')?.getAttribute('aria-label')).to.equal(
      `Source 1: gpj${HOSTILE}`,
    );
    await waitUntil(() => has(chat, '[part="source-list"]'));
    expect(wordsIn(find(chat, '[part="source-list"]'))).to.contain(HOSTILE);
    expect(has(chat, '[part="source-list"] a, img')).to.equal(false);
  });
});
