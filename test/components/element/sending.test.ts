import { aTimeout, expect, waitUntil } from '@open-wc/testing';
import { openFindBar } from '../../../src/components/transcript/find-bar.ts';
import { openToast } from '../../../src/components/ui/toast.ts';
import type { AgentChat } from '../../../src/define.ts';
import { english } from '../../../src/locales/localize.ts';
import type { ConversationStore } from '../../../src/storage/stores/conversation-store.ts';
import { surface, text } from '../../renderers/support/surfaces.ts';
import { PIXEL } from '../../support/pixel.ts';
import { button, find, has, inside, mount, type, wordsOf } from '../support/mount.ts';

const written = (chat: AgentChat): string => find<HTMLTextAreaElement>(chat, '[part="input"]').value;
const enter = (chat: AgentChat, text: string): void => {
  type(chat, text).dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
};
const HISTORY = [
  { id: 'u', role: 'user', text: 'Hello' },
  { id: 'a', role: 'assistant', text: 'Hi' },
] as const;

/** A store that answers when the test calls `open`. */
function slowStore() {
  const loaded = Promise.withResolvers<undefined>();
  const store: ConversationStore = {
    list: () => loaded.promise.then(() => []),
    load: () => loaded.promise,
    save: () => undefined,
    rename: () => undefined,
    remove: () => undefined,
  };
  return {
    store,
    open: () => {
      loaded.resolve(undefined);
    },
  };
}

const openThreadList = (chat: AgentChat): void => {
  button(chat, english('threads.open')).click();
};

let users = 0;
const newUser = (): { user: string } => ({ user: `sending ${String(++users)}` });

describe('consent', () => {
  for (const [name, act] of Object.entries({
    'regenerate()': (chat: AgentChat) => chat.regenerate(),
    'edit()': (chat: AgentChat) => chat.edit('u', 'Other'),
    'send()': (chat: AgentChat) => chat.send('Other'),
  })) {
    it(`is asked before ${name}`, async () => {
      const { chat, agent } = await mount({ consent: 'Terms', storage: newUser() });
      chat.messages = HISTORY;
      const done = act(chat);
      const dialog = await inside<HTMLDialogElement>(chat, 'dialog.consent');
      expect(agent.requests).to.have.length(0);
      dialog.querySelector('button')?.click();
      expect((await done).status).to.equal('failed');
      expect(agent.requests).to.have.length(0);
    });
  }

  it('of one user is not asked from the next one: the dialog closes, and nothing is sent', async () => {
    const { chat, agent } = await mount({ consent: 'Terms', storage: newUser() });
    const sent = chat.send('Of A');
    await inside(chat, 'dialog.consent');
    chat.storage = newUser();
    expect((await sent).status).to.equal('failed');
    await waitUntil(() => !has(chat, 'dialog.consent'));
    expect([agent.requests.length, chat.messages.length]).to.deep.equal([0, 0]);
  });

  it('is not stored on the device without `persist`', async () => {
    const storage = newUser();
    const { chat, agent } = await mount({ consent: 'Terms', storage });
    void chat.send('Hello');
    (await inside(chat, 'dialog.consent button:last-child')).click();
    await agent.heard(1);
    const names = [...Object.keys(localStorage), ...Object.keys(sessionStorage)];
    expect(names.filter((name) => name.includes(storage.user))).to.deep.equal([]);
  });
});

describe('another user', () => {
  it('does not send a message that waited for the store', async () => {
    const { store, open } = slowStore();
    const { chat, agent } = await mount({ persist: 'session', storage: { ...newUser(), store } });
    const sent = chat.send('Of A');
    chat.storage = { ...newUser(), store };
    open();
    expect((await sent).status).to.equal('failed');
    expect([agent.requests.length, chat.messages.length, wordsOf(chat).includes('Of A')]).to.deep.equal([0, 0, false]);
  });

  /** User interface that shows or announces something of user A. Its selector must match before A leaves. */
  const SHOWS: Readonly<Record<string, readonly [selector: string, open: (chat: AgentChat) => unknown]>> = {
    'a toast': [
      '.toast',
      (chat) => {
        openToast(find(chat, '.foot-area'), { localize: english, message: 'Of A', announce: () => undefined });
      },
    ],
    'the bar that finds words': [
      'agent-chat-find',
      (chat) => openFindBar(find(chat, 'agent-chat-message-list'), english),
    ],
    'the inspector': ['.inspector .row', () => undefined],
    'the question about a link': [
      'dialog.external-link',
      (chat) => {
        find(chat, '[part="transcript"] a').click();
      },
    ],
    'an enlarged image': [
      '.lightbox',
      async (chat) => {
        const image = { type: 'image', image_data: { data: PIXEL, mimeType: 'image/png' }, name: 'Of A' } as const;
        chat.messages = [{ role: 'assistant', blocks: [image] }];
        (await inside(chat, '.enlarge')).click();
      },
    ],
    'the preview of a source': [
      '.preview',
      async (chat) => {
        const citations = [{ id: 'c', title: 'Of A', url: 'https://a.example/', quote: 'A quote of A', end: 3 }];
        chat.messages = [{ role: 'assistant', blocks: [{ type: 'content', content: 'Yes.', citations }] }];
        const mark = await inside(chat, 'button.citation');
        await chat.updateComplete;
        mark.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
      },
    ],
    'the live region': ['[role="status"] > p', () => undefined],
  };
  for (const persist of ['none', 'session'] as const) {
    for (const [name, [selector, open]] of Object.entries(SHOWS)) {
      it(`sees and hears nothing of the previous user: ${name}, persist="${persist}"`, async () => {
        const { chat, agent } = await mount({ persist, storage: newUser(), debug: true, linkHosts: 'none.example' });
        const sent = chat.send('Question of A');
        await agent.heard(1);
        agent.end('Answer of A, [linked](https://other.example/of-a).');
        await sent;
        await waitUntil(() => has(chat, '[part="transcript"] a'));
        await open(chat);
        await inside(chat, selector);
        chat.storage = newUser();
        await waitUntil(() => !/of a/i.test(chat.renderRoot.textContent));
        await waitUntil(() => !has(chat, selector));
        // Pending announcements are dropped.
        await aTimeout(0);
        expect(find(chat, '[role="status"][aria-live]').textContent.trim()).to.equal('');
      });
    }
  }

  it('does not see the open list of the previous user’s conversations', async () => {
    const { chat, agent } = await mount({ persist: 'session', storage: newUser() });
    const sent = chat.send('Question of A');
    await agent.heard(1);
    agent.end('Yes.');
    await sent;
    openThreadList(chat);
    await inside(chat, '.threads .thread');
    chat.storage = newUser();
    await chat.updateComplete;
    await waitUntil(() => !chat.renderRoot.textContent.includes('of A'));
    expect(has(chat, '.threads')).to.equal(false);
  });

  it('gets nothing of a dictation', async () => {
    let hear: (words: string) => void = () => undefined;
    class Recogniser extends EventTarget {
      start(): void {
        hear = (transcript) => {
          this.dispatchEvent(Object.assign(new Event('result'), { results: [[{ transcript }]] }));
        };
      }
      stop(): void {
        hear('Said by A');
        this.dispatchEvent(new Event('end'));
      }
    }
    const before = Reflect.get(globalThis, 'SpeechRecognition') as unknown;
    Reflect.set(globalThis, 'SpeechRecognition', Recogniser);
    try {
      const { chat } = await mount({ storage: newUser(), voice: 'input' });
      (await inside(chat, 'agent-chat-dictation button')).click();
      chat.storage = newUser();
      await chat.updateComplete;
      hear('Said by A');
      expect(written(chat)).to.equal('');
    } finally {
      Reflect.set(globalThis, 'SpeechRecognition', before);
    }
  });

  it('finds no draft of the previous user', async () => {
    const { chat } = await mount({ storage: newUser() });
    type(chat, 'A secret of A');
    chat.storage = newUser();
    await chat.updateComplete;
    await waitUntil(() => written(chat) === '');
  });
});

describe('text of the user', () => {
  it('is shown while the store loads, and sent when the store has answered', async () => {
    const { store, open } = slowStore();
    const { chat, agent } = await mount({ persist: 'session', storage: { ...newUser(), store } });
    type(chat, 'Hello');
    await find<AgentChat>(chat, 'agent-chat-composer').updateComplete;
    enter(chat, 'Hello');
    await waitUntil(() => wordsOf(chat).includes('Hello') && written(chat) === '');
    expect([agent.requests.length, chat.status]).to.deep.equal([0, 'connecting']);
    open();
    await agent.heard(1);
  });

  it('stays in its conversation when a listener sets the endpoint', async () => {
    const { chat, agent } = await mount({ persist: 'session', storage: newUser() });
    chat.addEventListener('agent-chat-send', () => {
      chat.endpoint = '/other';
    });
    const sent = chat.send('Hello');
    await agent.heard(1);
    agent.end('Yes.');
    expect((await sent).status).to.equal('complete');
    await chat.updateComplete;
    expect([agent.requests[0]?.url.endsWith('/other'), chat.messages.length]).to.deep.equal([true, 2]);
    chat.endpoint = '/third';
    await chat.updateComplete;
    await waitUntil(() => chat.messages.length === 0);
  });

  it('stays on screen, and its reply continues, when `persist` changes', async () => {
    const { chat, agent } = await mount({ storage: newUser() });
    const sent = chat.send('Hello');
    await agent.heard(1);
    chat.persist = 'session';
    await chat.updateComplete;
    agent.end('Yes.');
    expect((await sent).status).to.equal('complete');
    expect(chat.messages).to.have.length(2);
  });

  it('returns to the composer when the page prevents the message', async () => {
    const { chat, agent } = await mount();
    chat.addEventListener('agent-chat-send', (event) => {
      event.preventDefault();
    });
    enter(chat, 'Hello');
    await chat.updateComplete;
    expect([written(chat), agent.requests.length]).to.deep.equal(['Hello', 0]);
  });
});

describe('threadId', () => {
  it('is set without storage as well, so that the conversation can be deleted', async () => {
    const { chat, agent } = await mount({ storage: newUser() });
    const sent = chat.send('Hello');
    await agent.heard(1);
    agent.end('Yes.');
    await sent;
    const id = chat.threadId;
    expect(id).to.be.a('string');
    await chat.deleteThread(id ?? '');
    expect([chat.messages.length, chat.threadId === id]).to.deep.equal([0, false]);
  });
});

describe('a running reply', () => {
  const ways: readonly { name: string; end(chat: AgentChat): Promise<unknown>; expected: unknown }[] = [
    {
      name: 'is interrupted with an `agent-chat-error` when its conversation is deleted, which can be undone',
      end: (chat) => chat.deleteThread(chat.threadId ?? ''),
      expected: ['interrupted', ['network']],
    },
    { name: 'is stopped when all data are deleted', end: (chat) => chat.forget(), expected: ['cancelled', []] },
  ];
  for (const { name, end, expected } of ways)
    it(name, async () => {
      const { chat, agent } = await mount({ persist: 'session', storage: newUser() });
      const kinds: string[] = [];
      chat.addEventListener('agent-chat-error', ({ detail }) => kinds.push(detail.kind));
      const sent = chat.send('Hello');
      await agent.heard(1);
      agent.write('Half');
      await waitUntil(() => chat.status === 'streaming');
      await end(chat);
      expect([(await sent).status, kinds]).to.deep.equal(expected);
    });
});

describe('rule 91: a button that is pressed while the agent asks something', () => {
  const press = { component: 'Button', child: 'label', action: { event: { name: 'book', context: {} } } };
  const messages = [
    { role: 'user', text: 'Hello' },
    {
      role: 'assistant',
      blocks: [
        { type: 'content', content: 'Hi' },
        { type: 'ui', ui: { kind: 'a2ui', messages: surface(press, text('label', 'Yes, book')) } },
      ],
      suggestions: [{ label: 'Yes, tell me', prompt: 'Yes, tell me' }],
    },
    { role: 'user', text: 'Go on' },
    {
      role: 'assistant',
      status: 'streaming',
      finish: 'tool_use',
      blocks: [{ type: 'action', action_type: 'question', status: 'pending', content: 'Delete all?' }],
    },
  ] as const;

  for (const [name, selector, words] of [
    ['of a surface', 'agent-chat-surface button', 'Yes, book'],
    ['of an earlier suggestion', '.suggestions button', 'Yes, tell me'],
  ] as const) {
    it(`${name} is not the answer`, async () => {
      const { chat, agent } = await mount();
      chat.messages = messages;
      const button = await inside(chat, selector);
      button.click();
      await waitUntil(() => chat.messages.at(-1)?.status === 'queued');
      expect(chat.messages.at(-1)?.blocks[0]?.content).to.equal(words);
      expect([chat.messages.at(-2)?.blocks[0]?.status, agent.requests.length]).to.deep.equal(['pending', 0]);
    });
  }
});
