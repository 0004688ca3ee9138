import { expect, waitUntil } from '@open-wc/testing';
import { openThreadList } from '../../../src/components/header/thread-list.ts';
import type { AgentChat } from '../../../src/define.ts';
import { english } from '../../../src/locales/localize.ts';
import type { ConversationStore, StoredThread } from '../../../src/storage/stores/conversation-store.ts';
import { completionOf, session } from '../../runtime/support/scripted-server.ts';
import { button, find, has, inside, mount, next, type, type Mounted } from '../support/mount.ts';

/** A page's own store, under the test's control. */
class PageStore implements ConversationStore {
  readonly threads = new Map<string, StoredThread>();
  readonly saved: string[] = [];
  list = () => [...this.threads.values()];
  load = (id: string) => this.threads.get(id);
  save = (thread: StoredThread) => {
    this.saved.push(thread.id);
    this.threads.set(thread.id, structuredClone(thread));
  };
  rename = (id: string, title: string) => {
    const thread = this.threads.get(id);
    if (thread) this.threads.set(id, { ...thread, title });
  };
  remove = (id: string) => {
    this.threads.delete(id);
  };
}

interface Kept extends Mounted {
  readonly store: PageStore;
}

const open: AgentChat[] = [];

/** A widget that stores its conversations in the test's store. */
async function mountWithStore(settings: Partial<AgentChat> = {}, store = new PageStore()): Promise<Kept> {
  const mounted = await mount({ persist: 'session', storage: { store, user: String(Math.random()) }, ...settings });
  open.push(mounted.chat);
  return { ...mounted, store };
}

/** One turn, from the question to the end of its reply. */
async function turn({ chat, agent }: Mounted, question: string, answer: string): Promise<void> {
  const count = agent.requests.length;
  const reply = chat.send(question);
  await agent.heard(count + 1);
  agent.end(answer);
  await reply;
}

const titles = async (chat: AgentChat): Promise<readonly string[]> =>
  (await chat.listThreads()).map(({ title }) => title);

describe('threads', () => {
  afterEach(() => {
    open.splice(0);
    sessionStorage.clear();
  });

  it('are created, listed, opened, renamed and deleted', async () => {
    const kept = await mountWithStore();
    const { chat, store } = kept;
    await turn(kept, 'First question', 'One');
    const first = chat.threadId ?? '';
    const threadEvent = next(chat, 'agent-chat-thread-change');
    const second = await chat.newThread();
    expect((await threadEvent).detail).to.deep.equal({ threadId: second });
    expect([chat.messages.length, chat.threadId]).to.deep.equal([0, second]);
    await turn(kept, 'Second question', 'Two');
    expect(await titles(chat)).to.have.members(['First question', 'Second question']);
    await chat.openThread(first);
    expect(chat.messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant']);
    await chat.renameThread(first, 'Another name');
    expect(await titles(chat)).to.include('Another name');
    await chat.deleteThread(first);
    expect([chat.messages.length, [...store.threads.keys()]]).to.deep.equal([0, [second]]);
  });

  for (const [name, openOther] of [
    ['while the page loads', false],
    ['while another conversation is opened', true],
  ] as const) {
    it(`get the messages that the page adds ${name}, after the stored ones`, async () => {
      const stored = (id: string): StoredThread => ({
        version: 1,
        id,
        title: id,
        updated: id === 'T' ? 2 : 1,
        leaf: `${id}-a`,
        messages: [{ id: `${id}-a`, role: 'user', status: 'complete', timestamp: 1, blocks: [] }],
      });
      const store: ConversationStore = {
        list: () => [stored('T'), stored('U')],
        load: (id) => new Promise((resolve) => setTimeout(resolve, 100, stored(id))),
        save: () => undefined,
        rename: () => undefined,
        remove: () => undefined,
      };
      const { chat } = await mount({ persist: 'local', storage: { store, user: String(Math.random()) } });
      if (openOther) {
        await waitUntil(() => chat.messages.length > 0);
        void chat.openThread('U');
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      const id = openOther ? 'U' : 'T';
      const { id: added } = chat.addMessage({ role: 'assistant', text: 'Welcome' });
      expect(chat.messages.at(-1)?.id).to.equal(added);
      await waitUntil(() => chat.messages.length === 2, 'both are shown');
      expect(chat.messages.map((message) => message.id)).to.deep.equal([`${id}-a`, added]);
      expect(chat.threadId).to.equal(id);
      // Then it is added immediately.
      const now = chat.addMessage({ role: 'assistant', text: 'More' });
      expect(chat.messages.at(-1)).to.equal(now);
    });
  }

  it('are not listed with text that was removed', async () => {
    const kept = await mountWithStore();
    const { chat, store } = kept;
    await turn(kept, 'Secret words', 'One');
    await turn(kept, 'Second question', 'Two');
    chat.removeMessage(chat.messages[0]?.id ?? '');
    expect(await titles(chat)).to.deep.equal(['Second question']);
    await turn(kept, 'Third', 'Three');
    await waitUntil(() => JSON.stringify([...store.threads.values()]).includes('Three'));
    expect(JSON.stringify([...store.threads.values()])).not.to.include('Secret words');
    const again = await mountWithStore({ storage: { store, user: 'again' } }, store);
    await waitUntil(() => again.chat.messages.length === 5);
    again.chat.removeMessage(again.chat.messages[1]?.id ?? '');
    expect(await titles(again.chat)).to.deep.equal(['Third']);
    await again.chat.renameThread(again.chat.threadId ?? '', 'A name');
    again.chat.removeMessage(again.chat.messages[2]?.id ?? '');
    expect(await titles(again.chat)).to.deep.equal(['A name']);
  });

  it('are listed with any titles of a page’s store', async () => {
    const { chat, store } = await mountWithStore();
    for (const [index, title] of [7, null, undefined, ['x'], 'A title'].entries()) {
      const id = `t${String(index)}`;
      store.threads.set(id, { version: 1, id, title: title as string, updated: index, messages: [] });
    }
    expect(await titles(chat)).to.deep.equal(['A title', '', '', '', '']);
  });

  it('stay and continue when `persist` changes', async () => {
    const mounted = await mount({ persist: 'none', storage: { user: String(Math.random()) } });
    const { chat, agent } = mounted;
    await turn(mounted, 'First question', 'One');
    const reply = chat.send('Second question');
    await agent.heard(2);
    chat.persist = 'session';
    await chat.updateComplete;
    agent.end('Two');
    expect((await reply).status).to.equal('complete');
    expect(chat.messages.map(({ status }) => status)).to.deep.equal(['complete', 'complete', 'complete', 'complete']);
    await waitUntil(() => JSON.stringify(Object.entries(sessionStorage)).includes('Second question'));
    expect(JSON.stringify(Object.entries(sessionStorage))).to.include('First question');
    chat.persist = 'none';
    await chat.updateComplete;
    expect(chat.messages).to.have.lengthOf(4);
  });

  it('continue in the background, and count unread messages', async () => {
    const { chat, agent } = await mountWithStore();
    const reply = chat.send('A long one');
    await agent.heard(1);
    const running = chat.threadId ?? '';
    await chat.newThread();
    const state = async () => (await chat.listThreads()).find(({ id }) => id === running);
    expect(await state()).to.include({ running: true, unread: 0, current: false });
    agent.end('Done');
    expect((await reply).status).to.equal('complete');
    expect(await state()).to.include({ running: false, unread: 1 });
    await chat.openThread(running);
    expect(await state()).to.include({ unread: 0, current: true });
    expect(chat.messages.at(-1)?.status).to.equal('complete');
  });

  it('are kept only in memory without `persist`', async () => {
    const mounted = await mount();
    await turn(mounted, 'First question', 'One');
    const [before] = await mounted.chat.listThreads();
    await mounted.chat.newThread();
    await mounted.chat.openThread(before?.id ?? '');
    expect(mounted.chat.messages.length).to.equal(2);
    expect(Object.keys(sessionStorage)).to.deep.equal([]);
  });

  it('are deleted by clear() and by forget()', async () => {
    const kept = await mountWithStore();
    await turn(kept, 'One', 'Yes');
    kept.chat.clear();
    await waitUntil(() => kept.store.threads.size === 0);
    await turn(kept, 'Two', 'Yes');
    await waitUntil(() => kept.store.threads.size === 1);
    await kept.chat.forget();
    expect([kept.store.threads.size, kept.chat.messages.length]).to.deep.equal([0, 0]);
  });

  it('are redacted by the page before they are sent and before they are stored', async () => {
    const kept = await mountWithStore({ redact: (text, purpose) => text.replaceAll('4711', purpose) });
    await turn(kept, 'My PIN is 4711', 'Not 4711?');
    expect(JSON.stringify(kept.agent.requests[0]?.body)).to.include('My PIN is send');
    expect(JSON.stringify([...kept.store.threads.values()]))
      .to.include('Not store?')
      .and.not.include('4711');
    expect(kept.chat.messages[0]?.blocks[0]).to.have.property('content', 'My PIN is 4711');
  });

  it('report a failing store once, and continue', async () => {
    const store = new PageStore();
    store.save = () => {
      throw new Error('down');
    };
    const kept = await mountWithStore({}, store);
    const kinds: string[] = [];
    kept.chat.addEventListener('agent-chat-error', ({ detail }) => kinds.push(detail.kind));
    await turn(kept, 'One', 'Yes');
    await turn(kept, 'Two', 'Yes');
    expect(kinds).to.deep.equal(['storage']);
    expect(kept.chat.messages.length).to.equal(4);
  });

  it('pass nothing from one user to the next', async () => {
    const kept = await mountWithStore();
    await turn(kept, 'Of Ann', 'Yes');
    kept.chat.storage = { store: new PageStore(), user: 'bob' };
    await turn(kept, 'Of Bob', 'Yes');
    expect(JSON.stringify(kept.agent.requests[1]?.body)).not.to.include('Ann');
    expect(await titles(kept.chat)).to.deep.equal(['Of Bob']);
  });

  it('have a draft each', async () => {
    const { chat } = await mountWithStore();
    const first = chat.threadId ?? (await chat.newThread());
    type(chat, 'Half a sentence');
    await waitUntil(() => Object.keys(sessionStorage).some((key) => key.includes(`draft ${first}`)));
    await chat.newThread();
    const input = find<HTMLTextAreaElement>(chat, '[part="input"]');
    await waitUntil(() => input.value === '');
    await chat.openThread(first);
    await waitUntil(() => input.value === 'Half a sentence');
  });
});

describe('the list of conversations', () => {
  const openList = async (chat: AgentChat) => {
    button(chat, 'Conversations').click();
    return inside(chat, 'agent-chat-threads .thread');
  };

  it('is shown where conversations are stored, unless the page leaves it out', async () => {
    const { chat } = await mountWithStore();
    expect(has(chat, 'button[aria-label="Conversations"]')).to.equal(true);
    chat.without = 'threads';
    await chat.updateComplete;
    expect(has(chat, 'button[aria-label="Conversations"]')).to.equal(false);
  });

  it('finds, opens, renames, deletes and restores by keyboard, without trapping the focus', async () => {
    const kept = await mountWithStore();
    const { chat } = kept;
    await turn(kept, 'Apples', 'One');
    await chat.newThread();
    await turn(kept, 'Pears', 'Two');
    await openList(chat);
    const panel = find(chat, 'agent-chat-threads');
    await expect(panel).to.be.accessible();
    const names = () => [...panel.querySelectorAll('.thread > .clip')].map(({ textContent }) => textContent);
    expect(names()).to.deep.equal(['Pears', 'Apples']);

    const search = find<HTMLInputElement>(chat, 'agent-chat-threads input');
    search.value = 'app';
    search.dispatchEvent(new Event('input'));
    await waitUntil(() => names().length === 1);
    expect(names()).to.deep.equal(['Apples']);

    button(chat, 'Rename Apples').click();
    const name = await inside<HTMLInputElement>(chat, '.thread-form input');
    name.value = 'Apple pie';
    name.form?.requestSubmit();
    await waitUntil(() => names()[0] === 'Apple pie');

    button(chat, 'Delete Apple pie').click();
    const toast = await inside(chat, 'agent-chat-threads [part="toast"]');
    expect(await titles(chat)).to.deep.equal(['Pears']);
    await expect(panel).to.be.accessible();
    toast.querySelector('button')?.click();
    await waitUntil(() => names().length === 1);
    expect(await titles(chat)).to.have.members(['Pears', 'Apple pie']);

    panel.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    expect(has(chat, 'agent-chat-threads')).to.equal(false);
    expect(find(chat, '.foot-area').inert).to.equal(false);
  });

  it('continues with the next conversation after a delete, which can be undone after the list is closed', async () => {
    const kept = await mountWithStore();
    const { chat } = kept;
    for (const words of ['One', 'Two', 'Three']) {
      await turn(kept, words, 'Yes');
      await chat.newThread();
    }
    const [third, second] = await chat.listThreads();
    await chat.openThread(second?.id ?? '');
    await openList(chat);
    button(chat, 'Delete Two').click();
    const toast = await inside(chat, 'agent-chat-threads [part="toast"]');
    expect([chat.messages.length, third?.title]).to.deep.equal([0, 'Three']);
    await waitUntil(() => chat.shadowRoot?.activeElement?.textContent.includes('One'));
    find(chat, 'agent-chat-threads').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    expect(find(chat, '.foot-area').contains(toast)).to.equal(true);
    toast.querySelector('button')?.click();
    await waitUntil(() => chat.messages.length === 2);
    expect(chat.threadId).to.equal(second?.id);
    expect(kept.store.threads.has(second?.id ?? '')).to.equal(true);
  });

  const rows = (chat: AgentChat): readonly string[] =>
    [...find(chat, 'agent-chat-threads').querySelectorAll('.thread > .clip')].map(({ textContent }) => textContent);
  const search = async (chat: AgentChat, text: string, found: readonly string[]): Promise<void> => {
    const field = find<HTMLInputElement>(chat, 'agent-chat-threads input');
    field.value = text;
    field.dispatchEvent(new Event('input'));
    await waitUntil(() => rows(chat).join() === found.join());
  };
  const FRUIT = ['Apple tart', 'Apple pie', 'Apple juice', 'Pears', 'Apples'];
  const APPLES = ['Apples', 'Apple juice', 'Apple pie', 'Apple tart'];
  async function openFruit(): Promise<AgentChat> {
    const kept = await mountWithStore();
    for (const title of FRUIT) {
      await turn(kept, title, 'Yes');
      await kept.chat.newThread();
    }
    await openList(kept.chat);
    return kept.chat;
  }
  const focusedText = (chat: AgentChat): string | undefined => {
    const focused = chat.shadowRoot?.activeElement;
    return focused instanceof HTMLInputElement ? focused.type : focused?.querySelector('.clip')?.textContent;
  };

  it('focuses the next conversation that is found after a delete, and the search after the last one', async () => {
    const chat = await openFruit();
    await search(chat, 'apple', APPLES);
    button(chat, 'Delete Apple juice').click();
    await waitUntil(() => focusedText(chat) === 'Apple pie');
    await search(chat, 'pears', ['Pears']);
    button(chat, 'Delete Pears').click();
    await waitUntil(() => focusedText(chat) === 'search');
  });

  it('focuses the conversation that was found after its renaming is cancelled', async () => {
    const chat = await openFruit();
    await search(chat, 'apple', APPLES);
    button(chat, 'Rename Apple juice').click();
    await inside(chat, '.thread-form input');
    find(chat, '.thread-form button').click();
    await waitUntil(() => focusedText(chat) === 'Apple juice');
  });

  it('shows what another tab deletes and renames, and a reply that ends, while it is open', async () => {
    const settings = { persist: 'local', storage: { user: String(Math.random()) } } as const;
    const first = await mount(settings);
    for (const title of ['One', 'Two']) {
      await turn(first, title, 'Yes');
      await first.chat.newThread();
    }
    const reply = first.chat.send('Three');
    await first.agent.heard(3);
    await first.chat.newThread();
    const { chat: other } = await mount(settings);
    const stored = await other.listThreads();
    const idOf = (title: string): string => stored.find((thread) => thread.title === title)?.id ?? '';
    await openList(first.chat);
    await waitUntil(() => rows(first.chat).length === 3);
    const states = (): string => find(first.chat, 'agent-chat-threads .thread-state').textContent.trim();
    expect(states()).to.equal('Answering');
    await other.deleteThread(idOf('One'));
    await other.renameThread(idOf('Two'), 'Deux');
    await waitUntil(() => rows(first.chat).join() === 'Three,Deux');
    first.agent.end('Yes');
    await reply;
    await waitUntil(() => states() === '1 new');
    await other.forget();
    await waitUntil(() => rows(first.chat).length === 0);
  });
});

describe('the list of permissions', () => {
  it('rule 24: begins with the tool, and has no characters that change how names read', async () => {
    const { chat } = await mount();
    const approval = {
      agent: 'https://agent.example/chat b',
      server: 'a long name',
      tool: 'de\u202elete',
      access: 'read',
      since: 1,
    };
    Object.defineProperty(chat, 'approvals', { value: [approval] });
    openThreadList(chat.renderRoot, {
      localize: english,
      chat,
      remove: () => Promise.resolve(() => Promise.resolve()),
      announce: () => undefined,
      watch: () => undefined,
    });
    const row = await inside(chat, '.thread-approval');
    expect(row.querySelector('span')?.textContent).to.equal(
      'delete · Read · a long name · https://agent.example/chat b',
    );
    expect(row.querySelector('button')?.title).to.contain('delete');
  });
});

describe('a conversation with one of several agents', () => {
  const STREAM = { headers: { 'content-type': 'text/event-stream' } };
  const agents = ['a', 'b'].map((id) => ({ id, name: id.toUpperCase(), endpoint: `/agents/${id}` }));
  const fieldsOf = (body: unknown): readonly string[] => Object.keys(body as object);

  it('begins in the protocol of this agent, not in that of another one', async () => {
    const { chat, agent } = await mountWithStore({ agents, endpoint: undefined, protocol: 'auto' });
    agent.answer = () => new Response(completionOf('Hello'), STREAM);
    await chat.send('Hi');
    await chat.send('Again');
    chat.agent = 'b';
    await chat.newThread();
    agent.answer = () => new Response(session('Hello'), STREAM);
    await chat.send('Hi');
    chat.agent = 'a';
    await chat.newThread();
    agent.answer = () => new Response(completionOf('Hello'), STREAM);
    await chat.send('Hi');
    const [first, detected, other, again] = agent.requests.map(({ body }) => fieldsOf(body));
    expect(detected).not.to.deep.equal(first);
    expect(other).to.deep.equal(first);
    expect(again).to.deep.equal(detected);
  });

  it('is not restored in a page with other agents, and is in one with more of them', async () => {
    sessionStorage.clear();
    const storage = { user: String(Math.random()) };
    const visit = async (...ids: readonly string[]): Promise<Mounted> => {
      const mounted = await mount({
        agents: ids.map((id) => ({ id, name: id, endpoint: `/agents/${id}`, protocol: 'agent-session' })),
        endpoint: undefined,
        persist: 'session',
        storage,
      });
      mounted.agent.answer = () => new Response(session('Yes'), STREAM);
      return mounted;
    };
    const first = await visit('hr');
    await first.chat.send('I am ill');
    await waitUntil(() => Object.values(sessionStorage).some((value) => String(value).includes('Yes')));
    const other = await visit('shop');
    await other.chat.send('Shoes?');
    expect(JSON.stringify(other.agent.requests)).not.to.contain('I am ill');
    const again = await visit('hr', 'shop');
    await waitUntil(() => again.chat.messages.length === 2);
    // The order of the list does not matter once the page has it.
    again.chat.agents = again.chat.agents?.toReversed();
    await again.chat.updateComplete;
    expect(again.chat.messages).to.have.length(2);
  });

  it('continues, when it is restored, in the protocol of its last reply only with the agent of this reply', async () => {
    const first = await mountWithStore({ agents, agent: 'b', endpoint: undefined, protocol: 'auto' });
    first.agent.answer = () => new Response(completionOf('Hello'), STREAM);
    await first.chat.send('Hi');
    await waitUntil(() => JSON.stringify([...first.store.threads.values()]).includes('Hello'));
    const bodies: (readonly string[])[] = [];
    for (const name of ['a', 'b']) {
      const store = new PageStore();
      for (const thread of first.store.list()) store.save(thread);
      const { chat, agent } = await mountWithStore(
        { agents, agent: name, endpoint: undefined, protocol: 'auto', storage: { store, user: String(Math.random()) } },
        store,
      );
      await waitUntil(() => chat.messages.length === 2);
      agent.answer = () => new Response(completionOf('Hello'), STREAM);
      await chat.send('And?');
      bodies.push(fieldsOf(agent.requests[0]?.body));
    }
    expect(bodies[0]).to.include('threadId');
    expect(bodies[1]).not.to.include('threadId');
  });

  describe('whose page chooses none', () => {
    /** A conversation with `b`, which the user had chosen. */
    async function conversationWithB(): Promise<PageStore> {
      const kept = await mountWithStore({ agents, endpoint: undefined, protocol: 'auto' });
      kept.agent.answer = () => new Response(completionOf('Hello'), STREAM);
      const picker = find(kept.chat, 'select');
      (picker as HTMLSelectElement).value = 'b';
      picker.dispatchEvent(new Event('change'));
      await kept.chat.send('Hi');
      await waitUntil(() => JSON.stringify([...kept.store.threads.values()]).includes('Hello'));
      return kept.store;
    }

    /** A later visit; its next message is sent. */
    async function visitAgain(settings: Partial<AgentChat>, late: Partial<AgentChat> = {}): Promise<Kept> {
      const again = await mountWithStore(
        { endpoint: undefined, protocol: 'auto', ...settings },
        await conversationWithB(),
      );
      await waitUntil(() => again.chat.messages.length === 2);
      Object.assign(again.chat, late);
      await again.chat.updateComplete;
      again.agent.answer = () => new Response(completionOf('Hello'), STREAM);
      await again.chat.send('And?');
      return again;
    }
    const addressed = ({ agent }: Kept): string => new URL(String(agent.requests[0]?.url), location.href).pathname;

    it('continues with this agent after a reload', async () => {
      const again = await visitAgain({ agents });
      expect(again.chat.agent).to.equal('b');
      expect(find(again.chat, 'select')).to.have.property('value', 'b');
      expect(addressed(again)).to.equal('/agents/b');
    });

    it('continues with the agent that the page chooses instead', async () => {
      expect(addressed(await visitAgain({ agents, agent: 'a' }))).to.equal('/agents/a');
      expect(addressed(await visitAgain({ agents }, { agent: 'a' }))).to.equal('/agents/a');
    });

    it('continues with this agent also if the page adds it to the list after the conversation is restored', async () => {
      expect(addressed(await visitAgain({ agents: agents.slice(0, 1) }, { agents }))).to.equal('/agents/b');
    });

    it('continues with another agent if this one is gone', async () => {
      const again = await visitAgain({ agents: agents.slice(0, 1) });
      expect(again.chat.agent).to.equal(undefined);
      expect(addressed(again)).to.equal('/agents/a');
      again.chat.agents = agents;
      await again.chat.updateComplete;
      expect(again.chat.agent).to.equal(undefined);
    });
  });
});

describe('rule 97: a conversation whose messages a listener sends to several endpoints', () => {
  const urlOf = (host: string): string => `https://${host}.example/v1/chat-messages`;

  /** A visit of the page. A message that begins with `@b` goes to the second endpoint. */
  async function visit(protocol: string, storage: AgentChat['storage']): Promise<Mounted> {
    const mounted = await mount({ endpoint: urlOf('a'), protocol, persist: 'session', storage });
    const { chat } = mounted;
    chat.addEventListener('agent-chat-send', ({ detail }) => {
      chat.endpoint = urlOf(JSON.stringify(detail.message.blocks).includes('@b') ? 'b' : 'a');
    });
    open.push(chat);
    return mounted;
  }
  const events = (...data: readonly object[]): Response =>
    new Response(data.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    });
  const isStored = (text: string) => (): boolean =>
    Object.values(sessionStorage).some((value) => String(value).includes(text));

  it('sends the ids of each server to this server only, also after a reload', async () => {
    sessionStorage.clear();
    const storage = { user: String(Math.random()) };
    const sent: unknown[] = [];
    for (const turn of ['first', 'second']) {
      const { chat, agent } = await visit('dify', storage);
      agent.answer = () => {
        const { url = '', body } = agent.requests.at(-1) ?? {};
        const { host } = new URL(url);
        sent.push([host, (body as { readonly conversation_id: string }).conversation_id]);
        return events(
          { event: 'message', conversation_id: `id ${host}`, message_id: host, task_id: 't', answer: `${turn} Hi` },
          { event: 'message_end', conversation_id: `id ${host}`, message_id: host, task_id: 't' },
        );
      };
      if (turn === 'second') await waitUntil(() => chat.messages.length === 4);
      await chat.send('Hello');
      await chat.send('@b Hello');
      await waitUntil(() => chat.messages.length > 3);
      await waitUntil(isStored('@b Hello'));
    }
    expect(sent).to.deep.equal([
      ['a.example', ''],
      ['b.example', ''],
      ['a.example', 'id a.example'],
      ['b.example', 'id b.example'],
    ]);
  });

  it('sends no answer to another endpoint than the one that has asked, after a reload', async () => {
    sessionStorage.clear();
    const storage = { user: String(Math.random()) };
    const first = await visit('deepchat-events', storage);
    first.agent.answer = () =>
      events({
        type: 'response',
        data: {
          eventId: 'e',
          tool_call: 'permission-required',
          tool_call_id: 'c',
          tool_call_params: '{}',
          permission_request: { toolName: 'pay', serverName: '', permissionType: 'write', description: '' },
          finish: 'tool_use',
        },
      });
    void first.chat.send('@b Pay');
    await waitUntil(() => first.chat.status === 'awaiting-action');
    await waitUntil(isStored('permission'));
    first.chat.remove();
    const { chat, agent } = await visit('deepchat-events', storage);
    await waitUntil(() => chat.status === 'awaiting-action');
    agent.answer = () => events({ type: 'end', data: {} });
    const question = chat.messages.at(-1)?.blocks.find(({ type }) => type === 'action');
    void chat.respond(question?.id ?? '', 'granted', { remember: 'always' });
    await waitUntil(() => chat.status === 'error');
    expect(agent.requests).to.deep.equal([]);
  });
});
