/** Whatever the page and the user do during a reply: every promise settles, and no text is lost, doubled or mixed up. */
import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { find, mount } from '../support/mount.ts';

const linesOf = (chat: AgentChat): readonly string[] =>
  chat.messages.map(
    ({ role, status, blocks }) => `${role} ${status}: ${blocks.map((block) => block.content ?? '').join('')}`,
  );
const COMPLETE = ['user complete: Hello', 'assistant complete: Half and half.'];
const CANCELLED = ['user complete: Hello', 'assistant cancelled: Half '];

const frame = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });

type Act = readonly [act: (chat: AgentChat) => unknown, lines: readonly string[], linesIfStored?: readonly string[]];

/** What happens in mid-reply, and the conversation when the reply has ended. */
const ACTS: Readonly<Record<string, Act>> = {
  'nothing happens': [() => undefined, COMPLETE],
  'it is stopped and a message is sent': [
    (chat) => {
      chat.stop();
      void chat.send('More');
    },
    [...CANCELLED, 'user complete: More', 'assistant complete: and half.'],
  ],
  'a message is sent and it is stopped': [
    (chat) => {
      void chat.send('More');
      chat.stop();
    },
    [...CANCELLED, 'user complete: More', 'assistant complete: and half.'],
  ],
  'it is stopped twice': [
    (chat) => {
      chat.stop();
      chat.stop();
    },
    CANCELLED,
  ],
  'it is removed and inserted': [
    (chat) => {
      const parent = chat.parentElement;
      chat.remove();
      parent?.append(chat);
    },
    COMPLETE,
  ],
  'it is inserted into another shadow root': [
    (chat) => {
      const host = document.createElement('div');
      chat.before(host);
      host.attachShadow({ mode: 'open' }).append(chat);
    },
    COMPLETE,
  ],
  'it is moved into another document': [
    async (chat) => {
      const parent = chat.parentElement;
      const iframe = document.createElement('iframe');
      parent?.append(iframe);
      iframe.contentDocument?.body.append(chat);
      await frame();
      parent?.append(chat);
      await chat.updateComplete;
      expect(getComputedStyle(find(chat, '.panel')).display).not.to.equal('block');
    },
    COMPLETE,
  ],
  'it is hidden': [
    async (chat) => {
      chat.hidden = true;
      await frame();
      chat.hidden = false;
    },
    COMPLETE,
  ],
  'the protocol changes': [(chat) => (chat.protocol = 'openai-chat'), COMPLETE],
  // Another endpoint has its own stored conversations. The reply is interrupted and stored first.
  'the endpoint changes and changes back': [
    async (chat) => {
      chat.endpoint = '/other';
      await chat.updateComplete;
      chat.endpoint = '/agent';
      await chat.updateComplete;
    },
    COMPLETE,
    ['user complete: Hello', 'assistant interrupted: Half '],
  ],
  'the headers change': [(chat) => (chat.headers = { authorization: 'other' }), COMPLETE],
  'the agents change': [
    (chat) => (chat.agents = [{ id: 'x', name: 'X', endpoint: '/x', protocol: 'agent-session' }]),
    COMPLETE,
  ],
  'the language and the mode change': [
    (chat) => {
      chat.locale = 'de';
      chat.mode = 'sidebar';
    },
    COMPLETE,
  ],
  'it is cleared': [
    (chat) => {
      chat.clear();
    },
    [],
  ],
  'messages are assigned': [
    (chat) => (chat.messages = [{ role: 'user', text: 'Assigned' }]),
    ['user complete: Assigned'],
  ],
  'a conversation is imported': [
    (chat) => chat.importConversation('[{"role":"user","content":"Imported"}]', 'openai-messages'),
    ['user complete: Imported'],
  ],
  'another conversation is opened and the first again': [
    async (chat) => {
      const id = chat.threadId ?? '';
      await chat.newThread();
      await chat.openThread(id);
    },
    COMPLETE,
  ],
  'its answer is requested again': [
    (chat) => void chat.regenerate(),
    ['user complete: Hello', 'assistant complete: and half.'],
  ],
  'its question is edited': [
    (chat) => void chat.edit(chat.messages[0]?.id ?? '', 'Other'),
    ['user complete: Other', 'assistant complete: and half.'],
  ],
  'its reply is removed': [
    (chat) => {
      chat.removeMessage(chat.messages[1]?.id ?? '');
    },
    ['user complete: Hello'],
  ],
};

describe('in mid-reply', () => {
  for (const persist of ['none', 'session'] as const)
    for (const [name, [act, usual, stored = usual]] of Object.entries(ACTS)) {
      const lines = persist === 'none' ? usual : stored;
      it(`${name}, persist="${persist}"`, async () => {
        const { chat, agent } = await mount({ persist, storage: { user: `mid-reply ${name}` } });
        const sent = chat.send('Hello');
        await agent.heard(1);
        agent.write('Half ');
        await waitUntil(() => linesOf(chat)[1] === 'assistant streaming: Half ');
        await act(chat);
        if (lines.includes('assistant complete: and half.')) await agent.heard(2);
        else await frame();
        try {
          agent.end('and half.');
        } catch (error) {
          // The connection of a stopped reply no longer accepts text.
          expect(lines, String(error)).not.to.equal(COMPLETE);
        }
        await sent;
        await waitUntil(() => chat.status === 'idle' || chat.status === 'error');
        expect(linesOf(chat)).to.deep.equal(lines);
        const count = agent.requests.length;
        const next = chat.send('Next');
        await agent.heard(count + 1);
        expect(JSON.stringify(agent.requests.at(-1)?.body).split('Next').length - 1, 'sent once').to.equal(1);
        if (chat.protocol === 'agent-session') {
          agent.end('Done.');
          expect((await next).status).to.equal('complete');
        } else chat.stop();
        await chat.forget();
      });
    }
});
