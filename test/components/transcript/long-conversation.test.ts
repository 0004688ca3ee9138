import { expect, waitUntil } from '@open-wc/testing';
import { gapIn, goTo, ROOM, row, rowsOf, settled, top, withMessages } from '../support/long.ts';

describe('a long conversation', () => {
  it('begins at its end, with few messages in the document', async () => {
    const { list } = await withMessages(2000);
    expect(rowsOf(list).length).to.be.lessThan(60);
    expect(list.textContent).to.contain('Answer 1999.');
    expect(list.scrollHeight - list.clientHeight - list.scrollTop).to.be.lessThan(2);
  });

  it('is completely in the document when it has few messages', async () => {
    const { list } = await withMessages(60);
    expect(rowsOf(list).length).to.equal(60);
    expect(list.querySelector('.left-out') !== null).to.equal(false);
  });

  it('shows every message while scrolling up and down, without gaps or jumps', async () => {
    const { list } = await withMessages(80);
    const seen = new Set<string>();
    for (const step of [-440, 440]) {
      seen.clear();
      for (let before = -1; Math.round(list.scrollTop) !== before;) {
        before = Math.round(list.scrollTop);
        const view = list.getBoundingClientRect();
        const mark = rowsOf(list).find((row) => row.getBoundingClientRect().bottom > view.top + Math.max(0, step));
        const at = mark?.getBoundingClientRect().top ?? 0;
        list.scrollTop += step;
        const moved = before - list.scrollTop;
        await settled();
        expect(gapIn(list)).to.be.lessThan(ROOM);
        if (mark?.isConnected) expect(mark.getBoundingClientRect().top - at).to.be.closeTo(moved, 2);
        for (const row of rowsOf(list)) seen.add(/(?:Question|Answer) \d+/.exec(row.textContent)?.[0] ?? '');
      }
      expect(seen.size).to.equal(80);
    }
    // Some 300 frames, which take WebKit long on a busy machine.
  }).timeout(90_000);

  it('fills the view wherever the user jumps', async () => {
    const { list } = await withMessages(3000);
    for (const share of [0.5, 0.1, 0.9, 0.33, 0]) {
      await goTo(list, share * list.scrollHeight);
      expect(gapIn(list), `at ${String(share)}`).to.be.lessThan(ROOM);
      expect(rowsOf(list).length).to.be.lessThan(60);
    }
    expect(list.textContent).to.contain('Question 0');
    expect(list.scrollTop).to.equal(0);
    await goTo(list, list.scrollHeight);
    expect(list.textContent).to.contain('Answer 2999.');
  });

  it('leaves nothing behind of removed messages', async () => {
    const { list } = await withMessages(3000);
    const column = list.querySelector('.column');
    const comments = (): number =>
      Array.from(column?.childNodes ?? []).filter(({ nodeType }) => nodeType === Node.COMMENT_NODE).length;
    const before = comments();
    for (const share of [0.5, 0.1, 0.9]) await goTo(list, share * list.scrollHeight);
    expect(rowsOf(list).length).to.be.greaterThan(0);
    expect(comments()).to.equal(before);
  });

  it('scrollToMessage() and scrollToEnd() reach unrendered messages', async () => {
    const { chat, list } = await withMessages(3000);
    for (const id of ['m1501', 'm20', 'm2700', 'm0']) {
      chat.scrollToMessage(id);
      await settled();
      const element = row(list, id);
      expect(element && top(list, element), id).to.be.closeTo(id === 'm0' ? 24 : 0, 25);
      expect(gapIn(list)).to.be.lessThan(ROOM);
    }
    chat.scrollToEnd();
    await settled();
    expect(list.textContent).to.contain('Answer 2999.');
    expect(list.scrollHeight - list.clientHeight - list.scrollTop).to.be.lessThan(2);
  });

  it('scrolls to its ends with Home and End', async () => {
    const { list } = await withMessages(3000);
    list.focus();
    const press = (key: string): boolean =>
      list.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
    expect(press('Home')).to.equal(false);
    await settled();
    expect(row(list, 'm0')).not.to.equal(undefined);
    expect(list.scrollTop).to.equal(0);
    press('End');
    await settled();
    expect(list.scrollHeight - list.clientHeight - list.scrollTop).to.be.lessThan(2);
  });

  it('tells a screen reader the position of each message and their number', async () => {
    const { chat, list } = await withMessages(500);
    chat.scrollToMessage('m100');
    await settled();
    const article = row(list, 'm100')?.querySelector('article');
    expect(article?.getAttribute('aria-posinset')).to.equal('101');
    expect(article?.getAttribute('aria-setsize')).to.equal('500');
    expect(list.getAttribute('aria-live')).to.equal('off');
  });

  it('keeps its position while an unrendered reply streams at its end', async () => {
    const { chat, list, agent } = await withMessages(300);
    const sent = chat.send('One more');
    await agent.heard(1);
    agent.write('First words.');
    await waitUntil(() => list.textContent.includes('First words.'));
    chat.scrollToMessage('m100');
    await settled();
    const mark = row(list, 'm100');
    const at = mark && top(list, mark);
    const position = list.scrollTop;
    agent.end('\n\nMore words.'.repeat(50));
    await sent;
    await settled();
    expect(mark && top(list, mark)).to.equal(at);
    expect(list.scrollTop).to.equal(position);
    expect(list.textContent).not.to.contain('More words.');
  });

  it('follows a long reply at its end', async () => {
    const { chat, list, agent } = await withMessages(300);
    const sent = chat.send('One more');
    await agent.heard(1);
    for (let piece = 0; piece < 20; piece++) {
      agent.write('A paragraph that comes in.\n\n'.repeat(4));
      await settled();
      expect(list.scrollHeight - list.clientHeight - list.scrollTop).to.be.lessThan(2);
    }
    agent.end();
    await sent;
    expect(rowsOf(list).length).to.be.lessThan(30);
  });

  it('keeps its position when something above it changes its height', async () => {
    const { chat, list } = await withMessages(300);
    chat.scrollToMessage('m100');
    await settled();
    const mark = row(list, 'm100');
    const above = row(list, 'm99');
    for (const height of ['900px', '10px', '300px']) {
      above?.style.setProperty('height', height);
      await settled();
      expect(mark && top(list, mark)).to.be.closeTo(0, 1);
    }
  });

  it('keeps its position when something above it in the same message changes its height', async () => {
    const { chat, list } = await withMessages(300);
    chat.scrollToMessage('m111');
    await settled();
    const paragraphs = row(list, 'm111')?.querySelectorAll<HTMLElement>('p') ?? [];
    const mark = paragraphs[5];
    list.scrollTop += mark ? top(list, mark) : 0;
    await settled();
    paragraphs[1]?.style.setProperty('height', '400px');
    await settled();
    expect(mark && top(list, mark)).to.be.closeTo(0, 1);
  });

  it('keeps its position when the widget gets narrower', async () => {
    const { chat, list } = await withMessages(300);
    chat.scrollToMessage('m101');
    await settled();
    chat.style.setProperty('width', '300px');
    await settled();
    const mark = row(list, 'm101');
    expect(mark && top(list, mark)).to.be.closeTo(0, 2);
    expect(gapIn(list)).to.be.lessThan(ROOM);
  });
});
