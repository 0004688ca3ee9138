import { expect, nextFrame, waitUntil } from '@open-wc/testing';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import { goTo, row, settled, withMessages, type Long } from '../support/long.ts';
import { silence } from '../support/silence.ts';

interface Shown extends Long {
  readonly message: HTMLElement;
  /** The element with the selector in the message. */
  readonly part: HTMLElement;
}

/** A conversation of 300 messages, with the middle one changed by `patch` and in view. */
async function showing(selector: string, patch: Partial<MessageInput> = {}, id = 'm151'): Promise<Shown> {
  const long = await withMessages(300);
  long.chat.updateMessage(id, patch);
  long.chat.scrollToMessage(id);
  const find = () => row(long.list, id)?.querySelector<HTMLElement>(selector);
  await waitUntil(() => find(), `${selector} comes`, { timeout: 10_000 });
  await settled();
  const [message, part] = [row(long.list, id), find()];
  if (!message || !part) throw new Error(`There is no ${selector}.`);
  return { ...long, message, part };
}

/** Scrolls to the start, where the message is not rendered, and back to it. */
async function awayAndBack({ chat, list, message }: Shown, id = 'm151'): Promise<HTMLElement | undefined> {
  chat.focus();
  await goTo(list, 0);
  expect(message.isConnected, 'it is left out').to.equal(false);
  chat.scrollToMessage(id);
  await settled();
  return row(list, id);
}

describe('an unrendered message', () => {
  it('keeps an open editor and its text', async () => {
    const shown = await showing('button[aria-label="Edit"]', {}, 'm150');
    shown.part.click();
    await waitUntil(() => shown.message.querySelector('textarea') !== null);
    await settled();
    const editor = shown.message.querySelector('textarea');
    if (!editor) throw new Error('There is no editor.');
    editor.value = 'Half a thought';
    expect(await awayAndBack(shown, 'm150')).to.equal(shown.message);
    expect(editor.isConnected).to.equal(true);
    expect(editor.value).to.equal('Half a thought');
  });

  it('keeps the scroll position of its content', async () => {
    const code = 'x '.repeat(900);
    const shown = await showing('pre', { blocks: [{ type: 'content', content: `\`\`\`text\n${code}\n\`\`\`` }] });
    const scrolling = [...shown.message.querySelectorAll('*')].find(
      ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 50,
    );
    if (!scrolling) throw new Error('Nothing in it scrolls.');
    scrolling.scrollTo({ left: 40 });
    await settled();
    expect(await awayAndBack(shown)).to.equal(shown.message);
    expect(scrolling.scrollLeft).to.equal(40);
  });

  it('keeps an expanded detail', async () => {
    const text = '<details><summary>More</summary>\n\nWhat is inside.\n\n</details>';
    const shown = await showing('details', { blocks: [{ type: 'content', content: text }] });
    shown.part.querySelector<HTMLElement>('summary')?.click();
    await settled();
    expect(await awayAndBack(shown)).to.equal(shown.message);
    expect(shown.message.querySelector('details')).to.equal(shown.part);
    expect(shown.part.hasAttribute('open')).to.equal(true);
  });

  it('is rendered anew when the user has not used it', async () => {
    const shown = await showing('p');
    expect(await awayAndBack(shown)).not.to.equal(shown.message);
  });

  it('is kept for the last fifty messages that the user has used, and no more', async () => {
    const { chat, list } = await withMessages(300);
    const used = new Map<string, HTMLElement>();
    for (let index = 1; index < 120; index += 2) {
      const id = `m${String(index)}`;
      chat.scrollToMessage(id);
      await nextFrame();
      const message = row(list, id);
      message?.click();
      if (message) used.set(id, message);
    }
    expect(used.size).to.equal(60);
    await goTo(list, list.scrollHeight);
    for (const id of ['m119', 'm21', 'm19', 'm1']) {
      chat.scrollToMessage(id);
      await settled();
      expect(row(list, id) === used.get(id), id).to.equal(id === 'm119' || id === 'm21');
    }
  });

  it('is not one with media that is playing', async () => {
    // A browser plays a silent video without a user gesture, but no audio.
    const { list, message, part } = await showing('agent-chat-player button', {
      blocks: [{ type: 'video', ...silence, mimeType: 'video/mp4' }],
    });
    part.click();
    await waitUntil(() => message.querySelector('video'));
    const film = message.querySelector('video') ?? new HTMLVideoElement();
    film.loop = true;
    film.muted = true;
    await film.play();
    for (const position of [0, list.scrollHeight]) {
      await goTo(list, position);
      expect(film.isConnected).to.equal(true);
      expect(film.paused).to.equal(false);
    }
    film.pause();
    await goTo(list, 0);
    expect(film.isConnected).to.equal(false);
  });
});
