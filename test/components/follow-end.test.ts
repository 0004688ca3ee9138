import { expect, nextFrame, waitUntil } from '@open-wc/testing';
import { find, has, mount, type Mounted } from './support/mount.ts';

const LONG = 'A line of the answer.\n\n'.repeat(60);

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

describe('following the end', () => {
  it('goes on as long as the reader is there', async () => {
    const { agent, list, atEnd } = await withLongAnswer();
    const before = list.scrollHeight;
    agent.write(LONG);
    await waitUntil(() => list.scrollHeight > before && atEnd());
    agent.end();
  });

  it('ends with a gesture of theirs, and nothing moves them after', async () => {
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

  it('begins again when they come back, or press the button that leads there', async () => {
    const { agent, chat, list, atEnd } = await withLongAnswer();
    wheelUp(list);
    await waitUntil(() => has(chat, '[part="scroll-button"]'));
    find(chat, '[part="scroll-button"]').click();
    await waitUntil(atEnd);
    await waitUntil(() => !has(chat, '[part="scroll-button"]'));
    const low = list.scrollHeight;
    agent.write(LONG);
    await waitUntil(() => list.scrollHeight > low && atEnd());
    wheelUp(list);
    await nextFrame();
    list.scrollTop = list.scrollHeight;
    await nextFrame();
    const before = list.scrollHeight;
    agent.write(LONG);
    await waitUntil(() => list.scrollHeight > before && atEnd());
    agent.end();
  });

  it('begins with the reader’s own words, wherever they were', async () => {
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

  it('goes on after the widget was moved in the document', async () => {
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
