import { expect, waitUntil } from '@open-wc/testing';
import { matchRangesIn, searchPatternOf } from '../../../src/components/transcript/find-matches.ts';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import type { AgentChat } from '../../../src/define.ts';
import { goTo, row, rowsOf, settled, withMessages } from '../support/long.ts';

/** The middle message of a conversation of 300, in view. */
async function atMiddle(settings: Partial<AgentChat> = {}) {
  const long = await withMessages(300, settings);
  long.chat.scrollToMessage('m151');
  await settled();
  return { ...long, message: row(long.list, 'm151') };
}

/** Copies as the browser does. */
function copied(list: HTMLElement): string | undefined {
  const event = new ClipboardEvent('copy', {
    bubbles: true,
    composed: true,
    cancelable: true,
    clipboardData: new DataTransfer(),
  });
  return list.dispatchEvent(event) ? undefined : event.clipboardData?.getData('text/plain');
}

const press = (element: Element, key: string, keys: KeyboardEventInit = {}): boolean =>
  element.dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...keys }),
  );

describe('unrendered messages', () => {
  it('do not include the focused one', async () => {
    const { list, message } = await atMiddle();
    const copy = message?.querySelector<HTMLElement>('button[aria-label="Copy"]');
    copy?.focus();
    for (const position of [0, list.scrollHeight]) {
      await goTo(list, position);
      expect(copy?.matches(':focus')).to.equal(true);
    }
    copy?.blur();
    await goTo(list, 0);
    expect(message?.isConnected).to.equal(false);
  });

  it('are copied with the selection around them', async () => {
    const { chat, list } = await atMiddle();
    const first = row(list, 'm151')?.querySelector('p')?.firstChild;
    const texts = document.createTreeWalker(first?.parentNode ?? list, NodeFilter.SHOW_TEXT);
    const start = texts.nextNode();
    if (!start) throw new Error('There are no words.');
    getSelection()?.setBaseAndExtent(start, 7, start, 10);
    chat.scrollToMessage('m250');
    await settled();
    expect(start.isConnected, 'where the selection begins stays').to.equal(true);
    const bubble = row(list, 'm250')?.querySelector('.bubble');
    const words = document.createTreeWalker(bubble ?? list, NodeFilter.SHOW_TEXT);
    let end = words.nextNode();
    while (end && end.textContent?.trim() === '') end = words.nextNode();
    if (!end) throw new Error('There are no words.');
    getSelection()?.setBaseAndExtent(start, 7, end, 8);
    const text = copied(list) ?? '';
    expect(text.startsWith('151.\n')).to.equal(true);
    for (const words of ['Question 152', 'Answer 201.', 'Question 248']) expect(text).to.contain(words);
    expect(text.endsWith('Question')).to.equal(true);
    expect(text.match(/Question \d+/g)?.length).to.equal(49);
    getSelection()?.removeAllRanges();
  });

  it('are copied after Ctrl+A in the transcript', async () => {
    const { list } = await withMessages(300);
    list.focus();
    expect(press(list, 'a', { ctrlKey: true })).to.equal(false);
    const text = copied(list) ?? '';
    expect(text.match(/(?:Question|Answer) \d+/g)?.length).to.equal(300);
    expect(text.indexOf('Question 0')).to.equal(0);
    getSelection()?.removeAllRanges();
  });

  it('leave copying to the browser when all messages are in the document', async () => {
    const { list } = await withMessages(20);
    press(list, 'a', { ctrlKey: true });
    expect(copied(list)).to.equal(undefined);
    getSelection()?.removeAllRanges();
  });

  it('are rendered for printing, and removed after it', async () => {
    const { list } = await withMessages(120);
    expect(rowsOf(list).length).to.be.lessThan(60);
    dispatchEvent(new Event('beforeprint'));
    expect(rowsOf(list).length).to.equal(120);
    for (let index = 1; index < 120; index += 2) expect(list.textContent).to.contain(`Answer ${String(index)}.`);
    dispatchEvent(new Event('afterprint'));
    await settled();
    expect(rowsOf(list).length).to.be.lessThan(60);
    expect(list.scrollHeight - list.clientHeight - list.scrollTop).to.be.lessThan(2);
  });

  it('restore an element of the page, created once', async () => {
    let made = 0;
    class PageCard extends HTMLElement {
      constructor() {
        super();
        made++;
      }
    }
    if (!customElements.get('page-card')) customElements.define('page-card', PageCard);
    const { chat, list } = await withMessages(300);
    chat.renderers.register({ type: 'code', getProps: () => ({}), component: 'page-card' });
    chat.updateMessage('m151', {
      blocks: [{ type: 'code', status: 'success', data: { language: 'text', code: 'x' } } as never],
    });
    chat.scrollToMessage('m151');
    await settled();
    const card = list.querySelector('page-card');
    await goTo(list, 0);
    expect(card?.isConnected).to.equal(false);
    chat.scrollToMessage('m151');
    await settled();
    expect(list.querySelector('page-card')).to.equal(card);
    expect(made).to.equal(1);
  });
});

describe('find in conversation', () => {
  async function open(count = 300, more: readonly MessageInput[] = []) {
    const long = await withMessages(count);
    if (more.length > 0) long.chat.messages = [...long.chat.messages, ...more];
    await settled();
    long.list.focus();
    const { left } = long.list.getBoundingClientRect();
    const untouched = press(long.list, 'f', { ctrlKey: true });
    await settled();
    return { ...long, untouched, left };
  }

  it('is left to the browser when all messages are in the document', async () => {
    const { untouched, chat } = await open(20);
    expect(untouched).to.equal(true);
    expect(chat.renderRoot.querySelector('agent-chat-find')).to.equal(null);
    expect(chat.renderRoot.querySelector('[aria-label="Find in conversation"]')).to.equal(null);
  });

  it('shows each match and their number, and restores the focus', async () => {
    const { chat, list, left } = await open();
    await waitUntil(() => chat.renderRoot.querySelector('agent-chat-find input') !== null);
    const bar = chat.renderRoot.querySelector('agent-chat-find');
    const input = bar?.querySelector('input');
    if (!bar || !input) throw new Error('There is no search bar.');
    expect(input.matches(':focus')).to.equal(true);
    expect(list.getBoundingClientRect().left, 'the transcript stays where it is').to.equal(left);
    input.value = 'question  1';
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    // 10 to 18 and 100 to 198: only the user's messages are questions.
    await waitUntil(() => bar.querySelector('[role=status]')?.textContent === '55 of 55');
    await settled();
    expect(row(list, 'm198')).not.to.equal(undefined);
    const current = (): string =>
      [...(CSS.highlights.get('agent-chat-found-current') ?? [])]
        .map((range) => String((range as Range).startContainer.parentElement?.textContent).trim())
        .join();
    expect(current()).to.equal('Question 198');
    press(input, 'Enter');
    await waitUntil(() => current() === 'Question 10');
    expect(bar.querySelector('[role=status]')?.textContent).to.equal('1 of 55');
    press(input, 'Enter', { shiftKey: true });
    await waitUntil(() => current() === 'Question 198');
    press(input, 'Escape');
    expect(bar.isConnected).to.equal(false);
    expect(list.matches(':focus')).to.equal(true);
    expect(CSS.highlights.has('agent-chat-found')).to.equal(false);
  });

  it('shows when there is no match, and searches special characters literally', async () => {
    const { chat } = await open();
    await waitUntil(() => chat.renderRoot.querySelector('agent-chat-find input') !== null);
    const bar = chat.renderRoot.querySelector('agent-chat-find');
    const input = bar?.querySelector('input');
    if (!bar || !input) throw new Error('There is no search bar.');
    input.value = '.*(';
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await waitUntil(() => bar.querySelector('[role=status]')?.textContent === 'No results');
    press(input, 'Escape');
  });

  it('rule 95: highlights only the matches around the current one, however many a message has', async () => {
    const { chat } = await open(300, [{ id: 'many', role: 'user', text: 'e'.repeat(200_000) }]);
    await waitUntil(() => chat.renderRoot.querySelector('agent-chat-find input') !== null);
    const bar = chat.renderRoot.querySelector('agent-chat-find');
    const input = bar?.querySelector('input');
    if (!bar || !input) throw new Error('There is no search bar.');
    input.value = 'ee';
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await waitUntil(
      () => bar.querySelector('[role=status]')?.textContent === '100,000 of 100,000',
      `It says ${String(bar.querySelector('[role=status]')?.textContent)}`,
    );
    await waitUntil(() => CSS.highlights.has('agent-chat-found-current'));
    const offsets = (name: string): readonly number[] =>
      [...(CSS.highlights.get(name) ?? [])].map(({ startOffset }) => startOffset);
    // The end of the text, which is shown because the match is there.
    const [current] = CSS.highlights.get('agent-chat-found-current') ?? [];
    const texts = [...chat.renderRoot.querySelectorAll('[part~="bubble"] code, [part~="bubble"] .lines')];
    expect(current?.startContainer).to.equal(texts.at(-1)?.lastChild);
    expect(current?.endOffset).to.equal(current?.endContainer.textContent?.length);
    expect(offsets('agent-chat-found').length).to.equal(501);
    press(input, 'Enter');
    await waitUntil(() => offsets('agent-chat-found-current')[0] === 0);
    press(input, 'Escape');
  });

  it('scrolls to a match in the hidden part of a long message', async () => {
    const text = `${'a line\n'.repeat(4000)}needle`;
    const { chat } = await open(300, [{ id: 'long', role: 'user', text }]);
    await waitUntil(() => chat.renderRoot.querySelector('agent-chat-find input') !== null);
    const input = chat.renderRoot.querySelector<HTMLInputElement>('agent-chat-find input');
    if (!input) throw new Error('There is no search bar.');
    input.value = 'needle';
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await waitUntil(() => CSS.highlights.has('agent-chat-found-current'));
    const [match] = CSS.highlights.get('agent-chat-found-current') ?? [];
    const list = chat.renderRoot.querySelector('[part="transcript"]')?.getBoundingClientRect();
    const { top, bottom } = match instanceof Range ? match.getBoundingClientRect() : { top: 0, bottom: 0 };
    expect(list && top >= list.top && bottom <= list.bottom && bottom > top).to.equal(true);
    press(input, 'Escape');
  });

  const matchRows: readonly { name: string; html: string; query: string; index: number; expected: string }[] = [
    { name: 'in one node', html: 'a be b', query: 'b', index: 1, expected: 'b|b at 5' },
    { name: 'across nodes', html: 'so<b>me</b> wo<i>rds</i>', query: 'me words', index: 0, expected: 'me words at 0' },
    { name: 'of which fewer are rendered', html: 'e<b></b>e', query: 'e', index: 7, expected: 'e|e at 0' },
    { name: 'far behind many others', html: 'ab'.repeat(9000), query: 'b', index: 8000, expected: '1001 at 16001' },
    { name: 'of none', html: 'text', query: 'z', index: 0, expected: ' at undefined' },
  ];
  for (const { name, html, query, index, expected } of matchRows) {
    it(`the ranges of matches ${name}`, () => {
      const element = document.createElement('div');
      const block = document.createElement('p');
      block.setAttribute('part', 'block-content');
      block.innerHTML = html;
      element.append(block);
      const { ranges, current } = matchRangesIn(element, searchPatternOf(query) ?? /$/g, index);
      const texts = ranges.length > 100 ? String(ranges.length) : ranges.map(String).join('|');
      expect(`${texts} at ${String(current?.startOffset)}`).to.equal(expected);
    });
  }
});
