import { expect, nextFrame, waitUntil } from '@open-wc/testing';
import { assistant, conversation } from '../../support/messages.ts';
import { find, has, inside, mount, type Mounted } from '../support/mount.ts';

const LINES = 60;
const LONG = 'A line of the answer.\n\n'.repeat(LINES);

async function withLongAnswer(): Promise<Mounted & { readonly list: HTMLElement; readonly atEnd: () => boolean }> {
  const mounted = await mount();
  const sent = mounted.chat.send('Hello');
  await mounted.agent.heard(1);
  mounted.agent.write(LONG);
  const list = find(mounted.chat, '[part="transcript"]');
  const atEnd = (): boolean => list.scrollHeight - list.clientHeight - list.scrollTop < 2;
  await waitUntil(() => list.scrollHeight > 2 * list.clientHeight && atEnd(), 'the end is followed');
  void sent;
  return { ...mounted, list, atEnd };
}

const wheelUp = (list: HTMLElement): void => {
  list.dispatchEvent(new WheelEvent('wheel', { deltaY: -100 }));
  list.scrollTop -= 300;
};

/**
 * In WebKit a ResizeObserver may report late size changes as an error. It is harmless: the sizes are reported again.
 */
const reportedAgain = (event: ErrorEvent): void => {
  if (event.message.startsWith('ResizeObserver loop completed')) event.stopImmediatePropagation();
};

describe('following the end', () => {
  before(() => {
    addEventListener('error', reportedAgain, true);
  });
  after(() => {
    removeEventListener('error', reportedAgain, true);
  });

  it('continues while the user is at the end', async () => {
    const { agent, list, atEnd } = await withLongAnswer();
    const before = list.scrollHeight;
    agent.write(LONG);
    await waitUntil(() => list.scrollHeight > before && atEnd());
    agent.end();
  });

  it('ends when the user scrolls up, and nothing moves them after that', async () => {
    const { agent, chat, list } = await withLongAnswer();
    wheelUp(list);
    await nextFrame();
    const place = list.scrollTop;
    const before = list.scrollHeight;
    agent.write(LONG);
    await waitUntil(() => list.scrollHeight > before);
    agent.end();
    await waitUntil(() => chat.status === 'idle');
    await nextFrame();
    expect(list.scrollTop).to.equal(place);
  });

  it('shows a button with the number of new messages when it has ended', async () => {
    const { agent, chat, list } = await withLongAnswer();
    wheelUp(list);
    const button = await inside(chat, '[part="scroll-button"]');
    agent.end();
    await waitUntil(() => chat.status === 'idle');
    chat.messages = [...chat.messages, ...conversation(assistant('One more.', { id: 'more' }))];
    await waitUntil(() => button.textContent.includes('1 new'));
    await expect(button).to.be.accessible();
    expect([button.ariaLabel, button.textContent.trim().replace(/\s+/g, ' ')]).to.deep.equal([
      null,
      '1 new Scroll to bottom',
    ]);
  });

  it('starts again when the user returns to the end, or clicks the button', async () => {
    const { agent, chat, list, atEnd } = await withLongAnswer();
    wheelUp(list);
    await waitUntil(() => has(chat, '[part="scroll-button"]'));
    find(chat, '[part="scroll-button"]').click();
    await waitUntil(atEnd);
    await waitUntil(() => !has(chat, '[part="scroll-button"]'));
    agent.write(LONG);
    // All of it: text in bursts is revealed gradually.
    await waitUntil(() => list.querySelectorAll('p').length === 2 * LINES && atEnd());
    wheelUp(list);
    await nextFrame();
    list.scrollTop = list.scrollHeight;
    await nextFrame();
    const before = list.scrollHeight;
    agent.write(LONG);
    await waitUntil(() => list.scrollHeight > before && atEnd());
    agent.end();
  });

  it('starts with a message of the user, wherever they were', async () => {
    const { agent, chat, list, atEnd } = await withLongAnswer();
    agent.end();
    await waitUntil(() => chat.status === 'idle');
    wheelUp(list);
    await nextFrame();
    void chat.send('And then?');
    await waitUntil(atEnd);
    await agent.heard(2);
    agent.end('Nothing.');
  });

  it('continues after the widget was moved in the document', async () => {
    const { agent, chat, list, atEnd } = await withLongAnswer();
    const place = document.createElement('div');
    chat.after(place);
    place.append(chat);
    await waitUntil(atEnd);
    await nextFrame();
    const before = list.scrollHeight;
    agent.write(LONG);
    await waitUntil(() => list.scrollHeight > before && atEnd());
    agent.end();
  });

  it('scrollToMessage() shows one message', async () => {
    const { agent, chat, list } = await withLongAnswer();
    agent.end();
    await waitUntil(() => chat.status === 'idle');
    chat.scrollToMessage(chat.messages[0]?.id ?? '');
    await waitUntil(() => list.scrollTop < 50);
  });
});

describe('scroll-anchor="turn"', () => {
  async function asked(): Promise<Mounted & { readonly list: HTMLElement; readonly fromTop: () => number }> {
    const mounted = await mount({ scrollAnchor: 'turn' });
    const { chat, agent } = mounted;
    const list = find(chat, '[part="transcript"]');
    chat.messages = [
      { role: 'user', text: 'Before' },
      { role: 'assistant', text: LONG },
    ];
    await waitUntil(() => list.scrollHeight > 2 * list.clientHeight);
    void chat.send('And now?');
    await agent.heard(1);
    const fromTop = (): number => {
      const [row] = [...chat.renderRoot.querySelectorAll('[part~="message-user"]')].slice(-1);
      return (row?.getBoundingClientRect().top ?? Infinity) - list.getBoundingClientRect().top;
    };
    await waitUntil(() => Math.abs(fromTop()) < 2, 'the question stands at the top');
    return { ...mounted, list, fromTop };
  }

  it('keeps the question at the top while its answer fills the space below', async () => {
    const { agent, chat, fromTop } = await asked();
    await waitUntil(() => !has(chat, '[part="scroll-button"]'));
    agent.write('A short answer.');
    await waitUntil(() => find(chat, '[part="transcript"]').textContent.includes('A short answer.'));
    await nextFrame();
    expect(Math.abs(fromTop()) < 2, 'a short answer').to.equal(true);
    expect(has(chat, '[part="scroll-button"]')).to.equal(false);
    agent.write(LONG);
    // The answer is longer than the view: a button leads to its end, without automatic scrolling.
    await inside(chat, '[part="scroll-button"]');
    expect(Math.abs(fromTop()) < 2, 'a long answer').to.equal(true);
    agent.end();
    await waitUntil(() => chat.status === 'idle');
    await nextFrame();
    expect(Math.abs(fromTop()) < 2, 'nothing moves at the end').to.equal(true);
  });

  it('follows the end after a click on the button', async () => {
    const { agent, chat, list } = await asked();
    agent.write(LONG);
    (await inside(chat, '[part="scroll-button"]')).click();
    const before = list.scrollHeight;
    agent.write(LONG);
    await waitUntil(() => list.scrollHeight > before);
    await waitUntil(() => list.scrollHeight - list.clientHeight - list.scrollTop < 2);
    agent.end();
  });

  it('moves the next question to the top', async () => {
    const { agent, chat, fromTop } = await asked();
    agent.end('Short.');
    await waitUntil(() => chat.status === 'idle');
    void chat.send('And then?');
    await agent.heard(2);
    await waitUntil(() => chat.messages.length === 6 && Math.abs(fromTop()) < 2);
    agent.end('Nothing.');
  });
});
