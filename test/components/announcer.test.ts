import { expect, waitUntil } from '@open-wc/testing';
import { Announcer } from '../../src/components/announcer.ts';
import { fillMessage } from '../../src/conversation/fill-message.ts';
import { createLocalize } from '../../src/locales/localize.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { find, inside, mount } from './support/mount.ts';

let count = 0;
const message = (text: string, status: ChatMessage['status'], more: Partial<ChatMessage> = {}): ChatMessage =>
  fillMessage({ id: 'm', role: 'assistant', text, status, ...more }, { now: 0, newId: () => `b${String(++count)}` });

/** What is said, piece after piece, without the pauses between. */
async function spoken(act: (announcer: Announcer) => void): Promise<readonly string[]> {
  const region = document.createElement('div');
  const said: string[] = [];
  const watch = new MutationObserver(() => said.push(region.textContent));
  watch.observe(region, { childList: true });
  const announcer = new Announcer(region, () => createLocalize('en'));
  act(announcer);
  await waitUntil(() => region.textContent !== '').catch(() => undefined);
  announcer.stop();
  watch.disconnect();
  return said;
}

describe('what is said aloud', () => {
  it('whole sentences only, while the answer grows', async () => {
    const said = await spoken((announcer) => {
      announcer.hear([message('It is on its way. It will', 'streaming')]);
    });
    expect(said).to.deep.equal(['Assistant: It is on its way.']);
  });

  it('the rest when it is complete, each sentence once', async () => {
    const said = await spoken((announcer) => {
      announcer.hear([message('One. Tw', 'streaming')]);
      announcer.hear([message('One. Two. Thr', 'streaming')]);
      announcer.hear([message('One. Two. Three', 'complete')]);
    });
    expect(said).to.deep.equal(['Assistant: One. Two. Three']);
  });

  it('without the marks of markdown, code and tags', async () => {
    const said = await spoken((announcer) => {
      announcer.hear([
        message(
          '# Title\n\n- **One** [log](https://a.example)\n\n```js\nlet a\n```\n\nWith <b onclick="x()">raw</b> tags.',
          'complete',
        ),
      ]);
    });
    expect(said).to.deep.equal(['Assistant: Title One log With raw tags.']);
  });

  it('HTML once it is whole, since half a tag is no words', async () => {
    const html = (content: string, status: ChatMessage['status']): ChatMessage => ({
      ...message('', status),
      blocks: [{ type: 'content', id: 'h', status: 'success', timestamp: 0, format: 'html', content }],
    });
    const said = await spoken((announcer) => {
      announcer.hear([html('<p title="One. Two', 'streaming')]);
      announcer.hear([html('<p title="One. Two.">Three.</p> ', 'streaming')]);
      announcer.hear([html('<p title="One. Two.">Three.</p> ', 'complete')]);
    });
    expect(said).to.deep.equal(['Assistant: Three.']);
  });

  it('what no sentence ended in as soon as one does, however it was cut', async () => {
    const text = 'It is “on its way.” ';
    const said = await spoken((announcer) => {
      for (let end = 1; end <= text.length; end++)
        announcer.hear([message('a '.repeat(40) + text.slice(0, end), 'streaming')]);
    });
    expect(said).to.deep.equal([`Assistant: ${'a '.repeat(40)}It is “on its way.”`]);
  });

  it('no more at once than anybody would listen to: the rest can be read', async () => {
    const said = await spoken((announcer) => {
      announcer.hear([message('word '.repeat(10_000), 'complete')]);
    });
    expect(said[0]).to.match(/^Assistant: (word )+word …$/);
    expect(said[0]?.length).to.be.lessThan(5000);
  });

  it('the speaker’s name where there is one', async () => {
    const said = await spoken((announcer) => {
      announcer.hear([message('Hello.', 'complete', { name: 'Ann' })]);
    });
    expect(said).to.deep.equal(['Ann: Hello.']);
  });

  it('sentences without blanks between them, as in Chinese', async () => {
    const said = await spoken((announcer) => {
      announcer.hear([message('已发货。预计明天', 'streaming')]);
    });
    expect(said).to.deep.equal(['Assistant: 已发货。']);
  });

  it('nothing of what was there before', async () => {
    const said = await spoken((announcer) => {
      announcer.skip([message('Old.', 'complete')]);
      announcer.hear([message('Old.', 'complete')]);
      announcer.say('Your answer is needed.');
    });
    expect(said).to.deep.equal(['Your answer is needed.']);
  });

  it('by a polite region in the shadow root; the log itself is silent', async () => {
    const { chat, agent } = await mount();
    expect(find(chat, '[part="transcript"]').getAttribute('aria-live')).to.equal('off');
    const region = find(chat, '[role="status"]');
    expect(region.getAttribute('aria-live')).to.equal('polite');
    const sent = chat.send('Hello');
    await agent.heard(1);
    agent.write('Hello to you. And ');
    await waitUntil(() => region.textContent.includes('Assistant: Hello to you.'));
    expect(region.textContent).not.to.contain('And');
    agent.end('goodbye.');
    await sent;
    await inside(chat, '[role="status"] p');
  });

  it('an answer that is there before the first frame, but nothing that the page has put there', async () => {
    const { chat, agent } = await mount();
    const { requestAnimationFrame: frame } = globalThis;
    const late: FrameRequestCallback[] = [];
    Object.assign(globalThis, { requestAnimationFrame: (draw: FrameRequestCallback) => late.push(draw) });
    try {
      chat.addMessage({ role: 'assistant', text: 'Welcome.' });
      const sent = chat.send('Hello');
      await agent.heard(1);
      agent.end('Hello to you.');
      await sent;
    } finally {
      Object.assign(globalThis, { requestAnimationFrame: frame });
    }
    for (const draw of late) draw(0);
    const region = find(chat, '[role="status"]');
    await waitUntil(() => region.textContent !== '');
    expect(region.textContent).to.equal('Assistant: Hello to you.');
  });

  it('an error behind the last words of the answer, with its own', async () => {
    const { chat, agent } = await mount();
    const region = find(chat, '[role="status"]');
    const said: string[] = [];
    const watch = new MutationObserver(() => said.push(region.textContent));
    watch.observe(region, { childList: true });
    const sent = chat.send('Hello');
    await agent.heard(1);
    agent.write('It is on its way. It will');
    await waitUntil(() => said.length > 0);
    agent.drop();
    await sent;
    await waitUntil(() => said.length > 1, 'the error is said', { timeout: 5000 });
    watch.disconnect();
    expect(said.join(' | ')).to.equal(
      'Assistant: It is on its way. | It will The answer ended with an error. The connection to the agent was lost.',
    );
  });
});
