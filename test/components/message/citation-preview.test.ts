import { expect, waitUntil } from '@open-wc/testing';
import { wordsIn } from '../../renderers/support/show.ts';
import { find, has, inside, mount, moveThroughFrame, type Mounted } from '../support/mount.ts';

async function cited(): Promise<{ readonly chat: Mounted['chat']; readonly marks: readonly HTMLElement[] }> {
  const { chat } = await mount();
  const citations = [
    { id: 'a', title: 'Change log\u202E', url: 'https://ops.example/log', quote: 'The buckle was changed.', end: 7 },
    { id: 'b', url: 'https://wiki.example/', end: 15 },
  ];
  chat.messages = [{ role: 'assistant', blocks: [{ type: 'content', content: 'Changed, normal.', citations }] }];
  await inside(chat, 'button.citation');
  // The listener is attached once the parts are rendered.
  await chat.updateComplete;
  const marks = [...chat.renderRoot.querySelectorAll<HTMLElement>('button.citation')];
  return { chat, marks };
}

const over = (from: Element, to: Element | null, type: 'pointerover' | 'pointerout' | 'pointerleave'): void => {
  from.dispatchEvent(new PointerEvent(type, { bubbles: true, relatedTarget: to }));
};

describe('the citation preview', () => {
  it('shows title, host and quote while the marker has the focus', async () => {
    const { chat, marks } = await cited();
    marks[0]?.focus();
    expect(wordsIn(await inside(chat, '.preview'))).to.equal('Change log ops.example The buckle was changed.');
    expect(find(chat, '.preview').matches(':popover-open')).to.equal(true);
    marks[1]?.focus();
    expect(wordsIn(find(chat, '.preview'))).to.equal('wiki.example');
    marks[1]?.blur();
    expect(has(chat, '.preview')).to.equal(false);
  });

  it('rule 67: always shows where the link leads, beside a name of any length', async () => {
    const { chat } = await mount();
    const title = `Sign in at www.bank.example ${'\u2800 '.repeat(2200)}`;
    const cite = (id: string, url: string, end: number) => ({ id, url, title, end });
    const citations = [
      cite('a', 'https://evil.example/login', 1),
      cite('b', 'mailto:a@evil.example', 3),
      cite('c', 'javascript://www.bank.example/%0aalert(1)', 5),
    ];
    chat.messages = [{ role: 'assistant', blocks: [{ type: 'content', content: 'A B C', citations }] }];
    await inside(chat, 'button.citation');
    await chat.updateComplete;
    const hosts: unknown[] = [];
    for (const mark of chat.renderRoot.querySelectorAll<HTMLElement>('button.citation')) {
      mark.focus();
      const card = await inside(chat, '.preview');
      expect(card.getBoundingClientRect().height).to.be.below(160);
      hosts.push(card.querySelector('.muted')?.textContent);
    }
    expect(hosts).to.deep.equal(['evil.example', 'a@evil.example', undefined]);
  });

  it('keeps its style after the widget was in another document', async () => {
    const { chat, marks } = await cited();
    marks[0]?.focus();
    const { padding } = getComputedStyle(await inside(chat, '.preview'));
    marks[0]?.blur();
    await moveThroughFrame(chat);
    marks[0]?.focus();
    expect(getComputedStyle(await inside(chat, '.preview')).padding).to.equal(padding);
  });

  it('stays while the pointer is on it, and closes when the pointer leaves', async () => {
    const { chat, marks } = await cited();
    const [mark] = marks;
    if (!mark) throw new Error('There is no mark.');
    over(mark, null, 'pointerover');
    const card = await inside(chat, '.preview');
    over(mark, card, 'pointerout');
    expect(has(chat, '.preview'), 'over the card').to.equal(true);
    over(card, document.body, 'pointerleave');
    expect(has(chat, '.preview')).to.equal(false);
  });

  it('closes with Escape, which has no other effect', async () => {
    const { chat, marks } = await cited();
    marks[0]?.focus();
    await inside(chat, '.preview');
    let pageHeard = false;
    chat.addEventListener('keydown', () => (pageHeard = true));
    marks[0]?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }));
    expect([has(chat, '.preview'), pageHeard]).to.deep.equal([false, false]);
  });

  it('closes with Escape also while the focus is elsewhere, and the reply continues', async () => {
    const { chat, marks } = await cited();
    const [mark] = marks;
    if (!mark) throw new Error('There is no mark.');
    find(chat, '[part="input"]').focus();
    over(mark, null, 'pointerover');
    await inside(chat, '.preview');
    let pageHeard = false;
    chat.addEventListener('keydown', () => (pageHeard = true));
    const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true });
    find(chat, '[part="input"]').dispatchEvent(escape);
    expect([has(chat, '.preview'), pageHeard]).to.deep.equal([false, false]);
  });

  it('leaves Escape to the page after the widget was removed with it', async () => {
    const { chat, marks } = await cited();
    const [mark] = marks;
    if (!mark) throw new Error('There is no mark.');
    over(mark, null, 'pointerover');
    await inside(chat, '.preview');
    chat.remove();
    let pageHeard = 0;
    const hear = (): number => pageHeard++;
    document.addEventListener('keydown', hear);
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    document.removeEventListener('keydown', hear);
    expect(pageHeard).to.equal(1);
  });

  it('closes with the click that opens the source', async () => {
    const { chat, marks } = await cited();
    const [mark] = marks;
    mark?.focus();
    await inside(chat, '.preview');
    mark?.click();
    expect(has(chat, '.preview')).to.equal(false);
    const current = await inside(chat, '.all-sources [aria-current="true"]');
    expect(wordsIn(current)).to.equal('1 Change log ops.example The buckle was changed.');
    await waitUntil(() => chat.shadowRoot?.activeElement === current, 'the source has the focus');
    current.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }));
    await waitUntil(() => !has(chat, 'agent-chat-side') && chat.shadowRoot?.activeElement === mark);
  });

  it('is inside the window, beside its marker', async () => {
    const { chat, marks } = await cited();
    marks[0]?.focus();
    const card = (await inside(chat, '.preview')).getBoundingClientRect();
    const mark = marks[0]?.getBoundingClientRect();
    expect(card.left >= 0 && card.right <= innerWidth && card.top >= 0 && card.bottom <= innerHeight).to.equal(true);
    await waitUntil(() => mark && (card.bottom <= mark.top || card.top >= mark.bottom));
  });
});
