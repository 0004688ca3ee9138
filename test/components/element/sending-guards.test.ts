/** Each way to send something × each guard. The guards of one conversation: `test/runtime/chat/send-guards.test.ts`. */
import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import type { BaseAgent } from '../../../src/model/agent.ts';
import type { Adapter } from '../../../src/protocols/core/adapter.ts';
import type { ConversationStore } from '../../../src/storage/stores/conversation-store.ts';
import { session } from '../../runtime/support/scripted-server.ts';
import { END, replaying, says } from '../../runtime/support/wire-agent.ts';
import { surface, text } from '../../renderers/support/surfaces.ts';
import { passTime } from '../../support/pass-time.ts';
import { has, inside, mount, type, wordsOf, type Mounted } from '../support/mount.ts';

const adapter: Adapter = {
  ...replaying,
  feedback: (rating, _turn, { url }) => ({ url: `${url}/rate`, init: { body: { value: rating.value } } }),
};

/** Counts its calls as requests. */
const pageAgent = (called: () => void): BaseAgent => ({
  id: 'page',
  name: 'Page',
  description: '',
  capabilities: [],
  async *processMessage() {
    called();
    yield await Promise.resolve({
      id: 'r',
      messageId: 'm',
      agentId: 'page',
      type: 'text',
      content: { text: 'Yes.' },
      metadata: {},
      status: 'complete',
      timestamp: 1,
    } as const);
  },
  getSupportedMessageTypes: () => ['text'],
  getConfigurationSchema: () => ({}),
});

const QUESTION: MessageInput = { id: 'u', role: 'user', text: 'Hello' };
const ANSWER: MessageInput = { id: 'a', role: 'assistant', text: 'Hi' };
const answer = (more: Partial<MessageInput>): readonly MessageInput[] => [QUESTION, { ...ANSWER, ...more }];
const waiting = (action_type: string, more: object): readonly MessageInput[] =>
  answer({
    status: 'streaming',
    finish: 'tool_use',
    blocks: [{ id: 'b', type: 'action', status: 'pending', action_type, ...more }] as never,
  });
const PERMISSION = waiting('tool_call_permission', {
  content: 'Delete?',
  tool_call: { id: 't', name: 'delete', params: '{}' },
});
const SURFACE = answer({
  blocks: [
    {
      id: 'b',
      type: 'ui',
      ui: {
        kind: 'a2ui',
        messages: surface(
          { component: 'Button', child: 'label', action: { event: { name: 'book', context: {} } } },
          text('label', 'Book'),
        ),
      },
    },
  ] as never,
});

interface Entry {
  readonly messages?: readonly MessageInput[];
  readonly settings?: Partial<AgentChat>;
  /** A control of the user: its selector. */
  readonly press?: string;
  /** What a user or the page does. */
  act?(chat: AgentChat): unknown;
  /** Called by the page: `disabled` and `readonly` do not apply. */
  readonly isScript?: true;
  /** The event by which the page can prevent it. */
  readonly event?: 'agent-chat-send' | 'agent-chat-action';
}

const script = (act: (chat: AgentChat) => Promise<unknown>, more: Partial<Entry> = {}): Entry => ({
  isScript: true,
  messages: answer({}),
  act: (chat) => void act(chat).catch(() => undefined),
  ...more,
});

const ENTRIES: Readonly<Record<string, Entry>> = {
  'send()': script((chat) => chat.send('Words'), { event: 'agent-chat-send' }),
  'edit()': script((chat) => chat.edit('u', 'Words'), { event: 'agent-chat-send' }),
  'regenerate()': script((chat) => chat.regenerate()),
  'resume()': script((chat) => chat.resume(), { messages: answer({ status: 'interrupted' }) }),
  'respond()': script((chat) => chat.respond('b', 'granted'), { messages: PERMISSION }),
  'an agent in the page': script((chat) => chat.send('Words'), {
    event: 'agent-chat-send',
    settings: { agent: 'page' },
  }),
  'the composer': {
    event: 'agent-chat-send',
    act: (chat) =>
      type(chat, 'Words').dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
      ),
  },
  'a starter': { settings: { suggestions: ['Words'] }, press: '.starter', event: 'agent-chat-send' },
  'a suggestion': {
    messages: answer({ suggestions: [{ label: 'Words', prompt: 'Words' }] as never }),
    press: '.suggestions button',
    event: 'agent-chat-action',
  },
  '“Regenerate”': { messages: answer({}), press: 'button[aria-label="Regenerate"]', event: 'agent-chat-action' },
  '“Continue”': {
    messages: answer({ finish: 'max_tokens' }),
    press: '.message .line button.link',
    event: 'agent-chat-action',
  },
  '“Try again” of an answer that was cut': {
    messages: answer({ status: 'interrupted' }),
    press: '.message .line button.link',
    event: 'agent-chat-action',
  },
  '“Try again” of an error': {
    messages: answer({
      status: 'error',
      blocks: [{ id: 'b', type: 'error', content: 'No', extra: { recoverable: true } }] as never,
    }),
    press: '.notice.error .button',
    event: 'agent-chat-action',
  },
  '“Try again” of a message that was not sent': {
    messages: [{ ...QUESTION, status: 'failed' }],
    press: '.message.user .failed button',
    event: 'agent-chat-action',
  },
  'a permission': { messages: PERMISSION, press: '.ask .button.primary', event: 'agent-chat-action' },
  'a question': {
    messages: waiting('question', { content: 'Which?', extra: { options: [{ label: 'Words' }, { label: 'Other' }] } }),
    press: '.ask .choice',
    event: 'agent-chat-action',
  },
  'a surface of the agent': { messages: SURFACE, press: 'agent-chat-surface button', event: 'agent-chat-action' },
  'a rating': { messages: answer({}), settings: { feedback: 'thumbs' }, press: '.thumb-up' },
};

/** A store of the page that is read when the promise resolves. */
const storeThatWaits = (read: Promise<undefined>): ConversationStore => ({
  list: () => read.then(() => []),
  load: () => read,
  save: () => undefined,
  rename: () => undefined,
  remove: () => undefined,
});

let users = 0;
/** A user without stored data. */
const newUser = (): { user: string } => ({ user: `guards ${String(++users)}` });

/** The widget before the entry is used, and how often something was sent. */
async function prepared(entry: Entry, settings: Partial<AgentChat> = {}) {
  let calls = 0;
  const mounted: Mounted = await mount({
    protocol: adapter,
    storage: newUser(),
    ...(entry.settings?.agent && { agents: [pageAgent(() => calls++)] }),
    ...entry.settings,
    ...settings,
  });
  const { chat, agent } = mounted;
  agent.answer = () =>
    new Response(says({ content: 'Yes.' }, END), { headers: { 'content-type': 'text/event-stream' } });
  if (entry.messages) chat.messages = entry.messages;
  await chat.updateComplete;
  return { ...mounted, sent: () => agent.requests.length + calls };
}

/** The control, once a press of it counts: what the agent offers takes none in its first half-second. */
async function controlOf({ press = '' }: Entry, chat: AgentChat): Promise<HTMLElement> {
  const control = await inside(chat, press);
  await passTime(550);
  return control;
}

async function use(entry: Entry, chat: AgentChat): Promise<void> {
  if (entry.press !== undefined) (await controlOf(entry, chat)).click();
  entry.act?.(chat);
}

/** Whatever would be sent has been sent: a lazy chunk, the guards and the request take some tasks. */
async function settled(chat: AgentChat): Promise<void> {
  for (let count = 0; count < 20; count++) {
    await chat.updateComplete;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

const answerConsent = async (chat: AgentChat, label: 'Accept' | 'Not now'): Promise<void> => {
  const dialog = await inside(chat, 'dialog.consent');
  [...dialog.querySelectorAll('button')].find(({ textContent }) => textContent === label)?.click();
  await waitUntil(() => !has(chat, 'dialog.consent'));
};

describe('a suggestion', () => {
  it('rule 96: that is pressed again while the question for consent loads sends once', async () => {
    const entry = ENTRIES['a suggestion'] ?? {};
    const { chat, sent } = await prepared(entry, { consent: 'Terms' });
    const button = await controlOf(entry, chat);
    button.click();
    button.click();
    await answerConsent(chat, 'Not now');
    // Declined, it can be pressed again.
    button.click();
    button.click();
    await answerConsent(chat, 'Accept');
    await waitUntil(() => sent() > 0);
    await settled(chat);
    await settled(chat);
    expect(sent()).to.equal(1);
  });
});

describe('everything that sends', () => {
  for (const [name, entry] of Object.entries(ENTRIES)) {
    describe(name, () => {
      it('sends once if nothing is in its way', async () => {
        const { chat, sent } = await prepared(entry);
        await use(entry, chat);
        await waitUntil(() => sent() === 1);
        await settled(chat);
        expect(sent()).to.equal(1);
      });

      it('waits for consent, and then sends once', async () => {
        const { chat, sent } = await prepared(entry, { consent: 'Terms' });
        await use(entry, chat);
        await inside(chat, 'dialog.consent');
        expect(sent()).to.equal(0);
        await answerConsent(chat, 'Accept');
        await waitUntil(() => sent() === 1);
        await settled(chat);
        expect(sent()).to.equal(1);
      });

      it('sends nothing without consent', async () => {
        const { chat, sent } = await prepared(entry, { consent: 'Terms' });
        await use(entry, chat);
        await answerConsent(chat, 'Not now');
        await settled(chat);
        expect(sent()).to.equal(0);
      });

      it('waits for the stored conversations', async () => {
        const read = Promise.withResolvers<undefined>();
        const store = storeThatWaits(read.promise);
        const { chat, sent } = await prepared(entry, { persist: 'session', storage: { ...newUser(), store } });
        await use(entry, chat);
        await settled(chat);
        expect(sent()).to.equal(0);
        read.resolve(undefined);
        await waitUntil(() => sent() === 1);
      });

      // A second press of a rating removes it.
      if (entry.press !== undefined && name !== 'a rating')
        for (const guard of ['nothing', 'the question for consent', 'reading the storage'])
          it(`rule 96: sends once if it is double-clicked while ${guard} is in its way`, async () => {
            const read = Promise.withResolvers<undefined>();
            const { chat, sent } = await prepared(entry, {
              ...(guard === 'the question for consent' && { consent: 'Terms' }),
              ...(guard === 'reading the storage' && {
                persist: 'session',
                storage: { ...newUser(), store: storeThatWaits(read.promise) },
              }),
            });
            const button = await controlOf(entry, chat);
            for (const detail of [1, 2]) {
              button.dispatchEvent(
                new MouseEvent('click', { detail, bubbles: true, composed: true, cancelable: true }),
              );
              await chat.updateComplete;
            }
            if (guard === 'the question for consent') await answerConsent(chat, 'Accept');
            read.resolve(undefined);
            await waitUntil(() => sent() > 0);
            await settled(chat);
            await settled(chat);
            expect(sent()).to.equal(1);
          });

      if (!entry.settings?.agent)
        it('sends nothing without an endpoint', async () => {
          const { chat, sent } = await prepared(entry);
          chat.endpoint = undefined;
          if (entry.messages) chat.messages = entry.messages;
          await use(entry, chat);
          await settled(chat);
          expect(sent()).to.equal(0);
        });

      const { event } = entry;
      if (event)
        it(`sends nothing if the page prevents ${event}`, async () => {
          const { chat, sent } = await prepared(entry);
          chat.addEventListener(event, (prevented: Event) => {
            prevented.preventDefault();
          });
          await use(entry, chat);
          await settled(chat);
          expect(sent()).to.equal(0);
        });

      for (const lock of ['disabled', 'readonly'] as const)
        if (entry.isScript)
          it(`sends with ${lock}, which applies to the user`, async () => {
            const { chat, sent } = await prepared(entry, { [lock]: true });
            await use(entry, chat);
            await waitUntil(() => sent() === 1);
          });
        else
          it(`sends nothing with ${lock}`, async () => {
            const { chat, sent } = await prepared(entry);
            const control = entry.press === undefined ? undefined : await controlOf(entry, chat);
            chat[lock] = true;
            // A press that was on its way when the page set the property.
            control?.click();
            await chat.updateComplete;
            await settled(chat);
            if (entry.press !== undefined) {
              const later = chat.renderRoot.querySelector<HTMLElement>(entry.press);
              expect(later?.matches(':disabled') ?? true).to.equal(true);
              later?.click();
            }
            entry.act?.(chat);
            await settled(chat);
            expect(sent()).to.equal(0);
          });
    });
  }

  /** A widget with two agents, the first of which is chosen, and the paths of its requests. */
  async function withTwoAgents(settings: Partial<AgentChat> = {}) {
    const asked: string[] = [];
    const { chat } = await mount({
      endpoint: undefined,
      agents: [
        { id: 'a', name: 'A', endpoint: '/a', protocol: 'agent-session' },
        { id: 'b', name: 'B', endpoint: '/b', protocol: 'agent-session' },
      ],
      agent: 'a',
      ...settings,
    });
    chat.fetch = (input) => {
      asked.push(new URL(input instanceof Request ? input.url : String(input), location.href).pathname);
      return Promise.resolve(new Response(session('Hi'), { headers: { 'content-type': 'text/event-stream' } }));
    };
    return { chat, asked };
  }

  for (const [name, change] of [
    ['another agent', { agent: 'b' }],
    ['another endpoint', { agents: undefined, agent: undefined, endpoint: '/other' }],
  ] as const) {
    it(`rule 90: a message that waits for its file goes to the agent of that moment, though the page sets ${name}`, async () => {
      const { chat, asked } = await withTwoAgents();
      const reply = chat.send({ text: 'Read it', attachments: [new File(['words'], 'a.txt', { type: 'text/plain' })] });
      Object.assign(chat, change);
      await reply;
      expect(asked).to.deep.equal(['/a']);
    });
  }

  it('rule 90: a message that waits for consent goes to the agent of that moment', async () => {
    const { chat, asked } = await withTwoAgents({ consent: 'Terms' });
    const reply = chat.send('Hello');
    await inside(chat, 'dialog.consent');
    chat.agent = 'b';
    await answerConsent(chat, 'Accept');
    await reply;
    expect(asked).to.deep.equal(['/a']);
  });

  it('a message that waits for consent leaves the draft of another conversation alone', async () => {
    const { chat, agent } = await mount({ persist: 'session', protocol: adapter, storage: newUser() });
    agent.answer = () =>
      new Response(says({ content: 'Yes.' }, END), { headers: { 'content-type': 'text/event-stream' } });
    await chat.send('One');
    const first = chat.threadId ?? '';
    type(chat, 'The draft');
    const second = await chat.newThread();
    chat.consent = 'Terms';
    const input = type(chat, 'Hello');
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    await inside(chat, 'dialog.consent');
    await chat.openThread(first);
    await answerConsent(chat, 'Accept');
    await agent.heard(2);
    await settled(chat);
    await chat.openThread(second);
    await settled(chat);
    expect(input.value).to.equal('');
    await chat.openThread(first);
    await settled(chat);
    expect(input.value).to.equal('The draft');
  });

  it('a prevented message that waited for consent returns to its own conversation', async () => {
    const { chat, agent } = await mount({ persist: 'session', protocol: adapter, storage: newUser() });
    agent.answer = () =>
      new Response(says({ content: 'Yes.' }, END), { headers: { 'content-type': 'text/event-stream' } });
    await chat.send('One');
    const first = chat.threadId ?? '';
    const second = await chat.newThread();
    chat.consent = 'Terms';
    chat.addEventListener('agent-chat-send', (event) => {
      event.preventDefault();
    });
    const input = type(chat, 'Hello');
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    await inside(chat, 'dialog.consent');
    await chat.openThread(first);
    await answerConsent(chat, 'Accept');
    await settled(chat);
    expect(input.value).to.equal('');
    await chat.openThread(second);
    await settled(chat);
    expect(input.value).to.equal('Hello');
  });

  it('a message that was queued before readonly is still sent', async () => {
    const { chat, agent } = await mount({ storage: newUser() });
    const first = chat.send('One');
    await agent.heard(1);
    void chat.send('Two');
    chat.readonly = true;
    await chat.updateComplete;
    agent.end('Yes');
    await first;
    await agent.heard(2);
    await waitUntil(() => wordsOf(chat).includes('Two'));
  });
});
