import { aTimeout, expect, waitUntil } from '@open-wc/testing';
import { LiveAnnouncer, loadOpenMarkup } from '../../../src/components/transcript/live-announcer.ts';
import type { AgentChat } from '../../../src/define.ts';
import { normalizeMessage } from '../../../src/conversation/normalize-message.ts';
import { createLocalize } from '../../../src/locales/localize.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import { find, inside, mount } from '../support/mount.ts';

let count = 0;
const message = (text: string, status: ChatMessage['status'], more: Partial<ChatMessage> = {}): ChatMessage =>
  normalizeMessage(
    { id: 'm', role: 'assistant', text, status, ...more },
    { now: 0, newId: () => `b${String(++count)}` },
  );

const localize = createLocalize('en');
const PAGE = {
  localize: () => localize,
  settings: () => ({ localize, agents: [], agentName: localize('agent'), userName: undefined }),
};

/** The announced text, without the pauses between announcements. */
async function announcementsDuring(act: (announcer: LiveAnnouncer) => void): Promise<readonly string[]> {
  const region = document.createElement('div');
  document.body.append(region);
  const announced: string[] = [];
  const watch = new MutationObserver(() => announced.push(region.textContent));
  watch.observe(region, { childList: true });
  const announcer = new LiveAnnouncer(region, PAGE);
  act(announcer);
  await waitUntil(() => region.textContent !== '').catch(() => undefined);
  announcer.stop();
  watch.disconnect();
  region.remove();
  return announced;
}

describe('LiveAnnouncer', () => {
  before(() => loadOpenMarkup());

  it('announces nothing and sets no timer outside the document', async () => {
    const region = document.createElement('div');
    const announcer = new LiveAnnouncer(region, PAGE);
    announcer.announce('Not heard.');
    document.body.append(region);
    announcer.announce('Heard.');
    await waitUntil(() => region.textContent !== '');
    announcer.stop();
    region.remove();
    expect(region.textContent).to.equal('Heard.');
  });

  it('announces complete sentences only, while the answer streams', async () => {
    const announced = await announcementsDuring((announcer) => {
      announcer.announceMessages([message('It is on its way. It will', 'streaming')]);
    });
    expect(announced).to.deep.equal(['Assistant: It is on its way.']);
  });

  it('announces the rest when the answer is complete, each sentence once', async () => {
    const announced = await announcementsDuring((announcer) => {
      announcer.announceMessages([message('One. Tw', 'streaming')]);
      announcer.announceMessages([message('One. Two. Thr', 'streaming')]);
      announcer.announceMessages([message('One. Two. Three', 'complete')]);
    });
    expect(announced).to.deep.equal(['Assistant: One. Two. Three']);
  });

  it('removes the marks of Markdown, code and tags', async () => {
    const announced = await announcementsDuring((announcer) => {
      announcer.announceMessages([
        message(
          '# Title\n\n- **One** [log](https://a.example)\n\n```js\nlet a\n```\n\nWith <b onclick="x()">raw</b> tags.',
          'complete',
        ),
      ]);
    });
    expect(announced).to.deep.equal(['Assistant: Title One log With raw tags.']);
  });

  it('keeps the marks that are no markup, so that no number changes', async () => {
    const announced = await announcementsDuring((announcer) => {
      announcer.announceMessages([
        message(
          'It takes **3~5** days: 2*3, 2 * 3 or 2**8 for `user_id`, _about_ ~~35~~.\n\n|a|b|\n|-|:-:|\n|1|2|',
          'complete',
        ),
      ]);
    });
    expect(announced).to.deep.equal([
      'Assistant: It takes 3~5 days: 2*3, 2 * 3 or 2**8 for userid, about 35. a b - :-: 1 2',
    ]);
  });

  it('announces plain text as it is, and each block as text of its own', async () => {
    const block = (id: string, content: string, format: 'html' | 'markdown' | 'text') =>
      ({ type: 'content', id, status: 'success', timestamp: 0, format, content }) as const;
    const announced = await announcementsDuring((announcer) => {
      announcer.announceMessages([
        {
          ...message('', 'complete'),
          blocks: [
            block('h', '<h2>Result</h2>', 'html'),
            block('t', '1. *Not* <strong>,\n```a```', 'text'),
            block('m', '**Bold**', 'markdown'),
          ],
        },
      ]);
    });
    expect(announced).to.deep.equal(['Assistant: Result 1. *Not* <strong>,\n```a``` Bold']);
  });

  it('announces HTML when it is complete, because an incomplete tag is not text', async () => {
    const html = (content: string, status: ChatMessage['status']): ChatMessage => ({
      ...message('', status),
      blocks: [{ type: 'content', id: 'h', status: 'success', timestamp: 0, format: 'html', content }],
    });
    const announced = await announcementsDuring((announcer) => {
      announcer.announceMessages([html('<p title="One. Two', 'streaming')]);
      announcer.announceMessages([html('<p title="One. Two.">Three.</p> ', 'streaming')]);
      announcer.announceMessages([html('<p title="One. Two.">Three.</p> ', 'complete')]);
    });
    expect(announced).to.deep.equal(['Assistant: Three.']);
  });

  const HIDDEN = {
    'a comment': ['<!-- Hidden one. Hidden two. -->', ''],
    'a script': ['<script>Hidden one. Hidden two.</script>', ''],
    'a title': ['<title>Hidden one. Hidden two.</title>', ''],
    'a processing instruction': ['<?php Hidden one. Hidden two. ?>', ''],
    'an attribute': ['<abbr title="Hidden one. > Hidden two.">Seen.</abbr>', 'Seen. '],
    'the title of a link': ['[Seen](https://a.example "Hidden one. Hidden) two.").', 'Seen. '],
    'a link definition': ['[a]: https://a.example "Hidden one. Hidden two."', ''],
    code: ['```Hidden info. More\nHidden one. Hidden two.\n```', ''],
    'code in other marks': ['~~~ hidden\nHidden one. Hidden two.\n~~~', ''],
  } as const;
  for (const [name, [source, shown]] of Object.entries(HIDDEN)) {
    it(`announces nothing that is not shown, however it is cut into sentences: ${name}`, async () => {
      const text = `Start.\n\n${source}\n\nAfter. `;
      const announced = await announcementsDuring((announcer) => {
        for (let end = 1; end <= text.length; end++)
          announcer.announceMessages([message(text.slice(0, end), end < text.length ? 'streaming' : 'complete')]);
      });
      expect(announced).to.deep.equal([`Assistant: Start. ${shown}After.`]);
    });
  }

  it('announces a sentence as soon as it is complete, however it was cut', async () => {
    const text = 'It is “on its way.” ';
    const announced = await announcementsDuring((announcer) => {
      for (let end = 1; end <= text.length; end++)
        announcer.announceMessages([message('a '.repeat(40) + text.slice(0, end), 'streaming')]);
    });
    expect(announced).to.deep.equal([`Assistant: ${'a '.repeat(40)}It is “on its way.”`]);
  });

  it('limits the length of one announcement', async () => {
    const announced = await announcementsDuring((announcer) => {
      announcer.announceMessages([message('word '.repeat(10_000), 'complete')]);
    });
    expect(announced[0]).to.match(/^Assistant: (word )+word …$/);
    expect(announced[0]?.length).to.be.lessThan(5000);
  });

  it('includes the author’s name', async () => {
    const announced = await announcementsDuring((announcer) => {
      announcer.announceMessages([message('Hello.', 'complete', { name: 'Ann' })]);
    });
    expect(announced).to.deep.equal(['Ann: Hello.']);
  });

  it('rule 43: names the speaker again whenever another message speaks', async () => {
    const say = (id: string, name: string, text: string): ChatMessage => message(text, 'streaming', { id, name });
    const bank = say('b', 'Bank', 'I am the bank. ');
    const announced = await announcementsDuring((announcer) => {
      announcer.announceMessages([say('h', 'Helper', 'Hello. ')]);
      announcer.announceMessages([say('h', 'Helper', 'Hello. Well. '), bank]);
      announcer.announceMessages([say('h', 'Helper', 'Hello. Well. Please type your PIN now. '), bank]);
    });
    expect(announced).to.deep.equal(['Helper: Hello. Well. Bank: I am the bank. Helper: Please type your PIN now.']);
  });

  it('rule 43: names the speaker of what is announced, though earlier announcements were dropped', async () => {
    const texts = Array.from('abcdefghij', (letter) => `${letter}. `);
    const announced = await announcementsDuring((announcer) => {
      announcer.announceMessages([message('Hi.', 'complete', { id: 'a', name: 'Bank' })]);
      for (const index of texts.keys())
        announcer.announceMessages([
          message('Hi.', 'complete', { id: 'a', name: 'Bank' }),
          message(texts.slice(0, index + 1).join(''), 'streaming', { id: 'b', name: 'Helper' }),
        ]);
    });
    expect(announced).to.deep.equal(['Helper: c. d. e. f. g. h. i. j.']);
  });

  for (const [name, remove] of [
    [
      'clear()',
      (chat: AgentChat) => {
        chat.clear();
      },
    ],
    ['forget()', (chat: AgentChat) => chat.forget()],
    ['newThread()', (chat: AgentChat) => chat.newThread()],
    ['deleteThread()', (chat: AgentChat) => chat.deleteThread(chat.threadId ?? '')],
    [
      'removeMessage()',
      (chat: AgentChat) => {
        chat.removeMessage(chat.messages.at(-1)?.id ?? '');
      },
    ],
    [
      'other `messages`',
      (chat: AgentChat) => {
        chat.messages = [{ role: 'assistant', text: 'Other.' }];
      },
    ],
  ] as const)
    it(`says no text of a message any more that ${name} has removed`, async () => {
      const { chat, agent } = await mount({ persist: 'session', storage: { user: `announced ${name}` } });
      const region = find(chat, '[role="status"]');
      const sent = chat.send('Hello');
      await agent.heard(1);
      agent.write('First. ');
      await waitUntil(() => region.textContent.includes('First.'));
      // The second sentence waits for the end of the pause.
      agent.end('Second.');
      await sent;
      await inside(chat, '[part="transcript"] article:not(.user)');
      await remove(chat);
      await waitUntil(() => region.textContent === '');
      await aTimeout(1200);
      expect(region.textContent).to.equal('');
    });

  for (const [name, announced] of [
    ['Ines', 'Ines (agent): Hello.'],
    ['Writer', 'Writer (agent): Hello.'],
    ['Table', 'Table: Hello.'],
  ] as const)
    it(`rule 43: announces the name that is shown: ${name}`, async () => {
      const { chat, agent } = await mount({
        participants: { user: { name: 'Ines' } },
        agents: [
          { id: 'data', name: 'Data Analyst', endpoint: '/data', protocol: 'deepchat-events' },
          { id: 'write', name: 'Writer', endpoint: '/write', protocol: 'deepchat-events' },
        ],
      });
      const sent = chat.send('Hello');
      await agent.heard(1);
      agent.say({ type: 'response', data: { eventId: 'e', message: { id: 'm', name }, content: 'Hello.' } });
      agent.say({ type: 'end', data: { eventId: 'e', userStop: false } });
      agent.hangUp();
      await sent;
      const region = find(chat, '[role="status"]');
      await waitUntil(() => region.textContent.includes('Hello.'));
      expect(region.textContent).to.equal(announced);
      expect(find(chat, 'article:not(.user)').ariaLabel).to.equal(announced.split(':')[0]);
    });

  it('recognizes sentences without blanks between them, as in Chinese', async () => {
    const announced = await announcementsDuring((announcer) => {
      announcer.announceMessages([message('已发货。预计明天', 'streaming')]);
    });
    expect(announced).to.deep.equal(['Assistant: 已发货。']);
  });

  it('does not announce existing messages', async () => {
    const announced = await announcementsDuring((announcer) => {
      announcer.markAnnounced([message('Old.', 'complete')]);
      announcer.announceMessages([message('Old.', 'complete')]);
      announcer.announce('Your answer is needed.');
    });
    expect(announced).to.deep.equal(['Your answer is needed.']);
  });

  it('uses a polite region in the shadow root; the log itself is silent', async () => {
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

  it('announces an answer that arrives before the first frame, but no messages of the page', async () => {
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

  it('announces an answer without content', async () => {
    const { chat, agent } = await mount();
    const region = find(chat, '[role="status"]');
    const sent = chat.send('Hello');
    await agent.heard(1);
    agent.end();
    await sent;
    await waitUntil(() => region.textContent !== '');
    expect(region.textContent).to.equal('The agent sent an empty answer.');
  });

  it('announces an error after the last text of the answer', async () => {
    const { chat, agent } = await mount();
    const region = find(chat, '[role="status"]');
    const announced: string[] = [];
    const watch = new MutationObserver(() => announced.push(region.textContent));
    watch.observe(region, { childList: true });
    const sent = chat.send('Hello');
    await agent.heard(1);
    agent.write('It is on its way. It will');
    await waitUntil(() => announced.length > 0);
    agent.drop();
    await sent;
    await waitUntil(() => announced.length > 1, 'the error is said', { timeout: 5000 });
    watch.disconnect();
    expect(announced.join(' | ')).to.equal(
      'Assistant: It is on its way. | It will The answer ended with an error. The connection to the agent was lost.',
    );
  });
});
