import { expect, waitUntil } from '@open-wc/testing';
import { Approvals } from '../../src/runtime/approvals.ts';
import type { Chat } from '../../src/runtime/chat/chat.ts';
import type { Adapter } from '../../src/protocols/core/adapter.ts';
import type { ErrorDetail } from '../../src/runtime/error-detail.ts';
import { openGuards, type Guards } from '../../src/runtime/chat/send-guards.ts';
import { startTurn } from '../../src/runtime/chat/run-turn.ts';
import { ConversationManager } from '../../src/storage/conversation-manager.ts';
import { storageLocation, type PersistenceSettings } from '../../src/storage/settings/storage-settings.ts';
import { createStorageBackend } from '../../src/storage/stores/storage-backend.ts';
import type { ConversationStore, Persist } from '../../src/storage/stores/conversation-store.ts';
import { deleteMessage } from '../../src/components/message/delete-message.ts';
import { english } from '../../src/locales/localize.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { textOf } from '../../src/model/message-text.ts';
import { ChatError } from '../../src/errors.ts';
import { isAsking, lines, makeChat, pending, until } from '../runtime/support/make-chat.ts';
import { cancellable, replaying, says, wireAgent } from '../runtime/support/wire-agent.ts';
import { session, status, stream, watchedBody, type Answerer } from '../runtime/support/scripted-server.ts';

/** A stream that the test writes. */
function controlledReply(): { readonly response: Answerer; write(text: string): void; end(): void } {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) });
  return {
    response: () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    write: (text) => stream?.enqueue(new TextEncoder().encode(text)),
    end: () => stream?.close(),
  };
}

let count = 0;
const opened: Tab[] = [];
interface Tab {
  readonly manager: ConversationManager;
  readonly chat: Chat;
  /** The text of the composer. */
  text: string;
  /** Requests so far. */
  readonly asked: readonly { readonly init: RequestInit }[];
  /** The reported errors of the storage. */
  readonly failures: readonly string[];
  readonly details: readonly ErrorDetail[];
  /** The errors that the chat has reported. */
  readonly errors: readonly ErrorDetail[];
  /** Another user signs in. */
  signIn(user: string): void;
}

/** `threadId: null`: the page sets none. */
interface TabOptions {
  readonly persist?: Persist;
  readonly threadId?: string | null;
  readonly store?: ConversationStore;
  readonly protocol?: Adapter;
  readonly redact?: PersistenceSettings['redact'];
  readonly guards?: Guards;
  /** Delays the reads of the storage before a turn. */
  readonly reads?: Promise<unknown>;
}

/** A scope of its own, so that no test reads the conversations of another. */
const newEndpoint = (): string => `/agent-${String(Date.now())}-${String(++count)}`;

/** A widget in a tab. All tabs are in one page, in which channels and locks work as between pages. */
function openTab(
  endpoint: string,
  script: readonly Answerer[],
  { persist = 'local', threadId = 'T', store, protocol, redact, guards, reads }: TabOptions = {},
): Tab {
  let settings: PersistenceSettings = {
    persist,
    endpoint,
    storage: store && { store },
    threadId: threadId ?? undefined,
    redact,
  };
  const failures: string[] = [];
  const details: ErrorDetail[] = [];
  const make = (): ReturnType<typeof makeChat> => {
    const made = makeChat(
      script,
      { endpoint, ...(threadId !== null && { threadId }), ...(protocol && { protocol }) },
      {
        ...(guards && { guards }),
        prepareTurn: async () => {
          await manager.acquire(made.chat, async (reading) => {
            await reads;
            return reading;
          });
          return startTurn;
        },
      },
    );
    return made;
  };
  const first = make();
  let { chat }: { chat: Chat } = first;
  const composer = { text: '' };
  const tab: Tab = {
    get manager() {
      return manager;
    },
    get chat() {
      return chat;
    },
    get text() {
      return composer.text;
    },
    set text(text) {
      composer.text = text;
      manager.setDraft(text);
    },
    asked: first.server.asked,
    failures,
    details,
    errors: first.told.errors,
    signIn(user) {
      settings = { ...settings, storage: { user } };
      manager.update();
    },
  };
  const manager: ConversationManager = new ConversationManager(
    {
      settings: () => settings,
      makeChat: () => make().chat,
      approvals: new Approvals(),
      composer: () => ({
        get text() {
          return composer.text;
        },
        setText: (text) => {
          composer.text = text;
        },
        cancelSend: () => undefined,
        reset: () => {
          composer.text = '';
        },
      }),
      show: (shown) => {
        chat = shown;
      },
      continueWith: () => undefined,
      fail: (detail, problem) => {
        details.push(detail);
        failures.push(problem);
      },
    },
    chat,
  );
  opened.push(tab);
  return tab;
}

const leave = ({ manager }: Tab): void => {
  manager.saveBeforeUnload({ release: true });
};
const hide = ({ manager }: Tab): void => {
  manager.saveBeforeUnload({ release: false });
};
const comeBack = ({ manager }: Tab): Promise<void> => manager.resumeFromCache();

const shows = async ({ chat }: Tab, ...expected: readonly string[]): Promise<void> => {
  await until(chat, () => JSON.stringify(lines(chat)) === JSON.stringify(expected)).catch(() => undefined);
};
/** Waits for a conversation, also if the tab opens another one meanwhile, and names the actual one if it does not come. */
async function waitForLines(tab: Tab, expected: readonly string[]): Promise<void> {
  const isThere = (): boolean => JSON.stringify(lines(tab.chat)) === JSON.stringify(expected);
  await waitUntil(isThere, undefined, { timeout: 6000, interval: 10 }).catch(() => undefined);
  expect(lines(tab.chat)).to.deep.equal(expected);
}

/** A tab whose reply is streaming, and one that follows it. */
async function followedReply(following: TabOptions = {}): Promise<{
  readonly endpoint: string;
  readonly first: Tab;
  readonly second: Tab;
  readonly reply: ReturnType<typeof controlledReply>;
}> {
  const endpoint = newEndpoint();
  const reply = controlledReply();
  const first = openTab(endpoint, [reply.response, () => new Response(session('Two'))]);
  await first.manager.ready;
  void first.chat.send('Go');
  reply.write(session('One', false));
  await waitForLines(first, ['user complete: Go', 'assistant streaming: One']);
  const second = openTab(endpoint, [() => new Response(session('Other'))], following);
  await waitForLines(second, ['user complete: Go', 'assistant streaming: One']);
  return { endpoint, first, second, reply };
}

const hiddenLines = ({ chat }: Tab): readonly string[] =>
  chat.store.state.thread.hidden.map(
    ({ role, status, blocks }) =>
      `${role} ${status}: ${blocks.map((block) => ('content' in block ? block.content : '')).join('|')}`,
  );

afterEach(() => {
  for (const tab of opened.splice(0)) leave(tab);
});

it('the page’s `redact` that fails while a conversation is stored is named, and the chat continues', async () => {
  const redact = (text: string, purpose: 'send' | 'store'): string => {
    if (purpose === 'store') throw new Error('Broken');
    return text;
  };
  const tab = openTab(newEndpoint(), [() => new Response(session('One'))], { redact });
  await tab.manager.ready;
  await tab.chat.send('Go');
  await waitUntil(() => tab.failures.length > 0);
  expect(tab.details.map(({ message }) => message)).to.deep.equal(['The page’s function `redact` failed: Broken']);
  expect(lines(tab.chat)).to.deep.equal(['user complete: Go', 'assistant complete: One']);
});

describe('a tab that follows the reply of another one', () => {
  it('is free when it comes back after the reply has ended, and so is the other tab', async () => {
    const { first, second, reply } = await followedReply();
    leave(second);
    expect(second.chat.status).not.to.equal('streaming');
    reply.write(session(' more'));
    reply.end();
    await waitForLines(first, ['user complete: Go', 'assistant complete: One more']);
    await comeBack(second);
    await waitForLines(second, ['user complete: Go', 'assistant complete: One more']);
    expect(second.chat.status).to.equal('idle');
    await first.chat.send('Next');
    const all = ['user complete: Go', 'assistant complete: One more', 'user complete: Next', 'assistant complete: Two'];
    await waitForLines(second, all);
    await second.chat.send('Last');
    await waitForLines(first, [...all, 'user complete: Last', 'assistant complete: Other']);
  });

  it('follows again when it comes back before the reply has ended, and does not stop it', async () => {
    const { first, second, reply } = await followedReply();
    leave(second);
    await comeBack(second);
    reply.write(session(' more', false));
    await waitForLines(second, ['user complete: Go', 'assistant streaming: One more']);
    reply.write(session('.'));
    reply.end();
    for (const tab of [first, second]) await waitForLines(tab, ['user complete: Go', 'assistant complete: One more.']);
    expect(second.chat.status).to.equal('idle');
  });

  it('resumes with the reply of the other tab, without a request', async () => {
    const { second, reply } = await followedReply();
    const resumed = second.chat.resume();
    void second.chat.send('Queued');
    reply.write(session(' more'));
    reply.end();
    expect(await resumed).to.deep.include({ role: 'assistant', status: 'complete' });
    await waitForLines(second, [
      'user complete: Go',
      'assistant complete: One more',
      'user complete: Queued',
      'assistant complete: Other',
    ]);
    expect(second.asked).to.have.length(1);
  });

  for (const [name, change] of [
    ['an edit', ({ chat }: Tab) => chat.edit(chat.messages[0]?.id ?? '', 'Other')],
    ['a regeneration', ({ chat }: Tab) => chat.regenerate()],
  ] as const) {
    it(`stops it by ${name}: the received part is a branch that has ended`, async () => {
      const { first, second } = await followedReply();
      await change(second);
      await waitUntil(() => !hiddenLines(second).some((line) => line.includes('streaming')));
      expect(hiddenLines(second)).to.include('assistant cancelled: One');
      await waitUntil(() => hiddenLines(first).includes('assistant cancelled: One'));
      await waitForLines(first, lines(second.chat));
    });
  }

  it('gets the last version of a reply that it has left for a branch of its own', async () => {
    const { first, second } = await followedReply();
    const id = second.chat.messages[1]?.id;
    void second.chat.regenerate();
    const version = ({ chat }: Tab): unknown =>
      [...chat.store.state.thread.hidden, ...chat.messages].find((message) => message.id === id);
    await waitUntil(() => first.chat.status === 'idle');
    await waitUntil(() => JSON.stringify(version(second)) === JSON.stringify(version(first)));
  });

  it('stops it by selecting another branch, which stays selected in both', async () => {
    const endpoint = newEndpoint();
    const reply = controlledReply();
    const first = openTab(endpoint, [() => new Response(session('Zero')), reply.response]);
    await first.manager.ready;
    await first.chat.send('Go');
    void first.chat.regenerate();
    reply.write(session('One', false));
    const second = openTab(endpoint, []);
    await waitForLines(second, ['user complete: Go', 'assistant streaming: One']);
    const running = second.chat.messages.at(-1)?.id ?? '';
    second.chat.selectBranch(running, 0);
    await waitUntil(() => first.chat.status === 'idle');
    for (const tab of [first, second]) {
      await waitForLines(tab, ['user complete: Go', 'assistant complete: Zero']);
      expect(hiddenLines(tab)).to.deep.equal(['assistant cancelled: One']);
    }
  });

  it('sends a queued message immediately if the user wants that', async () => {
    const { first, second } = await followedReply();
    void second.chat.send('Now');
    second.chat.sendNow(second.chat.store.state.queue[0]?.id ?? '');
    await waitForLines(second, [
      'user complete: Go',
      'assistant cancelled: One',
      'user complete: Now',
      'assistant complete: Other',
    ]);
    await waitForLines(first, lines(second.chat));
  });
});

/** Deletes a message as its button does. Returns a function that presses "Undo". */
function pressDelete({ chat }: Tab, index: number): () => void {
  const container = document.createElement('div');
  document.body.append(container);
  const message = chat.messages[index];
  if (message) deleteMessage(chat, message, { container, localize: english, announce: () => undefined });
  return () => {
    container.querySelector('button')?.click();
    container.remove();
  };
}

/** A conversation whose second reply is streaming, and a tab that follows it. */
async function followedSecondReply(): Promise<Awaited<ReturnType<typeof followedReply>>> {
  const endpoint = newEndpoint();
  const reply = controlledReply();
  const first = openTab(endpoint, [() => new Response(session('Zero')), reply.response]);
  await first.manager.ready;
  await first.chat.send('Old');
  void first.chat.send('Go');
  reply.write(session('One', false));
  const streaming = ['user complete: Old', 'assistant complete: Zero', 'user complete: Go', 'assistant streaming: One'];
  await waitForLines(first, streaming);
  const second = openTab(endpoint, [() => new Response(session('Other'))]);
  await waitForLines(second, streaming);
  return { endpoint, first, second, reply };
}

describe('a message that is changed in a tab that follows the reply of another one', () => {
  for (const [name, change] of [
    ['rated', ({ chat }: Tab, id: string) => void chat.rate(id, { value: 'up' })],
    [
      'updated by the page',
      ({ chat }: Tab, id: string) => {
        chat.updateMessage(id, { metadata: { mine: 1 } });
      },
    ],
  ] as const) {
    it(`stays ${name} in both, also after the end of the reply`, async () => {
      const { endpoint, first, second, reply } = await followedSecondReply();
      const id = second.chat.messages[1]?.id ?? '';
      const metadata = ({ chat }: Tab): string =>
        JSON.stringify(chat.messages.find((message) => message.id === id)?.metadata ?? null);
      const former = metadata(second);
      change(second, id);
      await waitUntil(() => metadata(second) !== former);
      await waitUntil(() => metadata(first) === metadata(second), 'the tab with the reply has it');
      const changed = metadata(second);
      reply.write(session('.'));
      reply.end();
      for (const tab of [second, first]) {
        await until(tab.chat, () => tab.chat.messages.at(-1)?.status === 'complete');
        expect(metadata(tab)).to.equal(changed);
      }
      await waitUntil(() => second.chat.status === 'idle' && first.chat.status === 'idle');
      await new Promise((resolve) => setTimeout(resolve, 800));
      leave(first);
      leave(second);
      const later = openTab(endpoint, []);
      await later.manager.ready;
      expect(metadata(later)).to.equal(changed);
    });
  }
});

describe('a tab that saves a conversation after a change in another tab', () => {
  /** An idle conversation in two tabs. */
  async function idleTabs(): Promise<{ readonly endpoint: string; readonly first: Tab; readonly second: Tab }> {
    const { endpoint, first, second, reply } = await followedReply();
    reply.write(session('.'));
    reply.end();
    for (const tab of [first, second]) await waitForLines(tab, ['user complete: Go', 'assistant complete: One.']);
    await sleep(200);
    return { endpoint, first, second };
  }

  it('preserves the title, also after its own reply', async () => {
    const { endpoint, first, second } = await idleTabs();
    await first.manager.rename('T', 'My title');
    await sleep(50);
    await second.chat.send('More');
    await sleep(800);
    for (const tab of [first, second]) expect((await tab.manager.list())[0]?.title).to.equal('My title');
    const later = openTab(endpoint, []);
    await later.manager.ready;
    expect((await later.manager.list())[0]?.title).to.equal('My title');
    await second.manager.rename('T', '');
    await sleep(50);
    expect((await first.manager.list())[0]?.title).to.equal('Go');
  });

  it('preserves the detected protocol and the state of the agent', async () => {
    const { endpoint, first, second } = await idleTabs();
    const state = { cart: 3 };
    const shared = ({ chat }: Tab): unknown => [chat.store.state.protocol, chat.store.state.agentState];
    first.chat.store.set({ ...first.chat.store.state, protocol: 'ag-ui', agentState: state });
    first.chat.addMessage({ role: 'user', text: 'Note' });
    await waitUntil(() => second.chat.messages.length === 3);
    expect(shared(second)).to.deep.equal(['ag-ui', state]);
    second.chat.updateMessage(second.chat.messages[0]?.id ?? '', { metadata: { mine: 1 } });
    await sleep(800);
    leave(first);
    leave(second);
    const later = openTab(endpoint, []);
    await later.manager.ready;
    expect(shared(later)).to.deep.equal(['ag-ui', state]);
  });
});

it('a message that waits for consent is sent when the tab with the reply has gone meanwhile', async () => {
  const consent = Promise.withResolvers<boolean>();
  const { first, second } = await followedReply({ guards: { ...openGuards, terms: () => () => consent.promise } });
  const sent = second.chat.send('More');
  leave(first);
  await sleep(800);
  consent.resolve(true);
  await waitForLines(second, [
    'user complete: Go',
    'assistant interrupted: One',
    'user complete: More',
    'assistant complete: Other',
  ]);
  expect((await sent).status).to.equal('complete');
});

describe('a conversation in two tabs without the Web Locks API', () => {
  const locks = Object.getOwnPropertyDescriptor(Navigator.prototype, 'locks');
  before(() => {
    Reflect.deleteProperty(Navigator.prototype, 'locks');
    expect('locks' in navigator).to.equal(false);
  });
  after(() => {
    if (locks) Object.defineProperty(Navigator.prototype, 'locks', locks);
  });

  it('has one reply: the other tab follows it and does not resume it', async () => {
    const { first, second, reply } = await followedReply();
    let resumes = 0;
    const resume = second.chat.resume.bind(second.chat);
    second.chat.resume = (options) => {
      resumes++;
      return resume(options);
    };
    await sleep(2500);
    expect(second.chat.status).to.equal('streaming');
    reply.write(session('.'));
    reply.end();
    for (const tab of [first, second]) await waitForLines(tab, ['user complete: Go', 'assistant complete: One.']);
    expect(resumes).to.equal(0);
    await second.chat.send('More');
    await waitForLines(first, lines(second.chat));
    expect(lines(first.chat)).to.have.length(4);
  });

  it('is continued by the other tab if the one with the reply is gone', async () => {
    const { first, second } = await followedReply();
    leave(first);
    // It tries to resume the reply, which this protocol can't.
    await sleep(800);
    await waitForLines(second, ['user complete: Go', 'assistant interrupted: One']);
    await second.chat.send('More');
    expect(lines(second.chat).slice(2)).to.deep.equal(['user complete: More', 'assistant complete: Other']);
  });

  it('is restored in one of two tabs that load at the same moment', async () => {
    const { endpoint, first, second } = await followedReply();
    leave(second);
    leave(first);
    await sleep(500);
    const tabs = [openTab(endpoint, []), openTab(endpoint, [])];
    let resumes = 0;
    for (const { chat } of tabs) {
      const resume = chat.resume.bind(chat);
      chat.resume = (options) => {
        resumes++;
        return resume(options);
      };
    }
    for (const tab of tabs) await tab.manager.ready;
    await sleep(500);
    expect(resumes).to.equal(1);
  });
});

it('a tab that reads a conversation again does not stop the reply that another tab has just begun', async () => {
  const { first, second } = await followedReply();
  second.chat.stop();
  for (const tab of [first, second]) await waitForLines(tab, ['user complete: Go', 'assistant cancelled: One']);
  // The report of the new reply arrives before its tab has the lock, which the reading tab gets.
  const { request } = navigator.locks;
  let isAsked = false;
  navigator.locks.request = ((...args: Parameters<typeof request>) => {
    const [, options] = args as unknown as [string, LockOptions];
    if (isAsked || options.ifAvailable !== true) return request.apply(navigator.locks, args);
    isAsked = true;
    return new Promise((resolve) => setTimeout(resolve, 300)).then(() => request.apply(navigator.locks, args));
  }) as typeof request;
  try {
    void second.chat.send('More');
    await waitForLines(second, [
      'user complete: Go',
      'assistant cancelled: One',
      'user complete: More',
      'assistant complete: Other',
    ]);
  } finally {
    Reflect.deleteProperty(navigator.locks, 'request');
  }
  await waitForLines(first, lines(second.chat));
});

describe('a message that is added in a tab that follows the reply of another one', () => {
  const all = (tab: Tab): string =>
    JSON.stringify(tab.chat.messages.map(({ id, parentId, blocks }) => [id, parentId, blocks.length > 0]));

  /** Ends the reply, and returns the conversation as the next page shows it. */
  async function afterTheEnd({
    endpoint,
    first,
    second,
    reply,
  }: Awaited<ReturnType<typeof followedReply>>): Promise<readonly string[]> {
    reply.write(session('.'));
    reply.end();
    for (const tab of [second, first]) await until(tab.chat, () => tab.chat.messages.at(-1)?.status === 'complete');
    await waitUntil(() => all(first) === all(second));
    await sleep(800);
    leave(first);
    leave(second);
    const later = openTab(endpoint, []);
    await later.manager.ready;
    expect(hiddenLines(later)).to.deep.equal([]);
    return lines(later.chat);
  }

  it('stays in both, also after the end of the reply', async () => {
    const tabs = await followedReply();
    tabs.second.chat.addMessage({ role: 'assistant', text: 'Note' });
    await waitUntil(() => lines(tabs.first.chat).includes('assistant complete: Note'));
    const expected = ['user complete: Go', 'assistant complete: Note', 'assistant complete: One.'];
    expect(await afterTheEnd(tabs)).to.deep.equal(expected);
  });

  it('stays at the start of both if it is older', async () => {
    const tabs = await followedReply();
    tabs.second.chat.addOlder([
      { role: 'user', text: 'Older' },
      { role: 'assistant', text: 'Earlier' },
    ]);
    await waitUntil(() => lines(tabs.first.chat)[0] === 'user complete: Older');
    expect(await afterTheEnd(tabs)).to.deep.equal([
      'user complete: Older',
      'assistant complete: Earlier',
      'user complete: Go',
      'assistant complete: One.',
    ]);
  });

  it('replaces the unsent one if it is sent again', async () => {
    const tabs = await followedReply();
    const { id } = tabs.first.chat.addMessage({ role: 'user', text: 'Unsent', status: 'failed' });
    await waitUntil(() => tabs.second.chat.messages.some((message) => message.id === id));
    const sent = tabs.second.chat.resend(id);
    await waitUntil(() => !tabs.first.chat.messages.some((message) => message.id === id));
    await sleep(300);
    expect(lines(tabs.second.chat)).to.deep.equal([
      'user complete: Go',
      'assistant streaming: One',
      'user queued: Unsent',
    ]);
    tabs.reply.write(session('.'));
    tabs.reply.end();
    await sent;
    for (const tab of [tabs.second, tabs.first]) {
      await waitForLines(tab, [
        'user complete: Go',
        'assistant complete: One.',
        'user complete: Unsent',
        'assistant complete: Other',
      ]);
    }
  });
});

describe('a message that is deleted in a tab that follows the reply of another one', () => {
  for (const [name, remove] of [
    [
      'by the user',
      (tab: Tab): void => {
        pressDelete(tab, 0);
      },
    ],
    [
      'by the page',
      ({ chat }: Tab): void => {
        chat.removeMessage(chat.messages[0]?.id ?? '');
      },
    ],
  ] as const) {
    it(`stays deleted in both, also after the end of the reply: ${name}`, async () => {
      const { endpoint, first, second, reply } = await followedSecondReply();
      remove(second);
      const rest = ['assistant complete: Zero', 'user complete: Go'];
      for (const tab of [second, first]) await waitForLines(tab, [...rest, 'assistant streaming: One']);
      reply.write(session('.'));
      reply.end();
      for (const tab of [second, first]) await waitForLines(tab, [...rest, 'assistant complete: One.']);
      await new Promise((resolve) => setTimeout(resolve, 800));
      leave(first);
      leave(second);
      const later = openTab(endpoint, []);
      await later.manager.ready;
      expect(lines(later.chat)).to.deep.equal([...rest, 'assistant complete: One.']);
    });

    it(`stays deleted and stops the reply in both if it is the question being answered: ${name}`, async () => {
      const { first, second } = await followedReply();
      remove(second);
      for (const tab of [second, first]) await waitForLines(tab, ['assistant cancelled: One']);
      await new Promise((resolve) => setTimeout(resolve, 400));
      for (const tab of [second, first]) expect(lines(tab.chat)).to.deep.equal(['assistant cancelled: One']);
    });
  }

  it('is in both again after "Undo"', async () => {
    const { first, second, reply } = await followedSecondReply();
    const before = lines(second.chat);
    const undo = pressDelete(second, 0);
    for (const tab of [second, first]) await waitForLines(tab, before.slice(1));
    undo();
    for (const tab of [second, first]) await waitForLines(tab, before);
    reply.write(session('.'));
    reply.end();
    const all = [...before.slice(0, -1), 'assistant complete: One.'];
    for (const tab of [second, first]) await waitForLines(tab, all);
  });
});

describe('a text that answers a question of another tab', () => {
  const asks = stream(says({ ask: { action_type: 'question', content: 'Where?' } }, { finish: 'tool_use' }));
  const done = stream(says({ content: 'Done.' }, { finish: 'complete' }));

  for (const [name, prepare, error] of [
    [
      'was answered there meanwhile',
      ({ chat }: Tab) => void chat.respond(pending(chat).id, 'answered', { payload: 'Here' }),
      'The question is no longer open.',
    ],
    [
      'can’t be answered there',
      ({ chat }: Tab) => void (chat.respond = () => Promise.reject(new ChatError('protocol', 'No protocol.'))),
      'No protocol.',
    ],
  ] as const) {
    it(`returns to the composer if the question ${name}`, async () => {
      const endpoint = newEndpoint();
      const first = openTab(endpoint, [asks, controlledReply().response], { protocol: wireAgent });
      await first.manager.ready;
      void first.chat.send('Go');
      await until(first.chat, isAsking);
      const second = openTab(endpoint, [], { protocol: wireAgent });
      await until(second.chat, isAsking);
      const restored: string[] = [];
      const origin = { taken: () => undefined, restoreDraft: (message: ChatMessage) => restored.push(textOf(message)) };
      const sent = second.chat.send('There', { origin }).then(
        () => 'resolved',
        (cause: unknown) => (cause as Error).message,
      );
      prepare(first);
      const late = new Promise<string>((resolve) => setTimeout(resolve, 3000, 'never settled'));
      expect([await Promise.race([sent, late]), restored]).to.deep.equal([error, ['There']]);
      // The question is as in that tab again.
      await waitUntil(() => JSON.stringify(second.chat.messages) === JSON.stringify(first.chat.messages));
      first.chat.stop();
    });
  }

  it('rule 106: shows the question as answered, and does not answer it again while that tab is busy', async () => {
    const endpoint = newEndpoint();
    const first = openTab(endpoint, [asks, done], { protocol: wireAgent });
    await first.manager.ready;
    void first.chat.send('Go');
    await until(first.chat, isAsking);
    const second = openTab(endpoint, [], { protocol: wireAgent });
    await until(second.chat, isAsking);
    const { id } = pending(second.chat);
    const statusHere = (): unknown =>
      second.chat.messages.flatMap(({ blocks }) => blocks).find((block) => block.id === id)?.status;
    const decisions: unknown[] = [];
    first.chat.respond = (_block, decision) => {
      decisions.push(decision);
      return Promise.resolve();
    };
    await second.chat.respond(id, 'granted');
    expect(statusHere()).to.equal('granted');
    await second.chat.respond(id, 'denied');
    // That tab has not taken the answer, so the question is open again.
    await until(second.chat, isAsking);
    expect(decisions).to.deep.equal(['granted']);
    first.chat.stop();
  });

  it('resolves with the reply if the other tab has sent it', async () => {
    const endpoint = newEndpoint();
    const first = openTab(endpoint, [asks, done], { protocol: wireAgent });
    await first.manager.ready;
    void first.chat.send('Go');
    await until(first.chat, isAsking);
    const second = openTab(endpoint, [], { protocol: wireAgent });
    await until(second.chat, isAsking);
    expect((await second.chat.send('There')).status).to.equal('complete');
    expect(JSON.parse(first.asked[1]?.init.body as string)).to.deep.equal({
      text: '',
      answers: [['answered', 'There']],
    });
  });
});

describe('the promise of a reply that runs in another tab', () => {
  const asks = stream(says({ ask: { action_type: 'question', content: 'Where?' } }, { finish: 'tool_use' }));

  for (const [name, script, start, begin] of [
    ['resume()', [], 'streaming', ({ chat }: Tab) => chat.resume()],
    ['a text answer', [asks], 'awaiting-action', ({ chat }: Tab) => chat.send('There')],
  ] as const) {
    it(`resolves when the reply has ended, also if this tab has to continue it: ${name}`, async () => {
      const endpoint = newEndpoint();
      const [begun, rest] = [controlledReply(), controlledReply()];
      const first = openTab(endpoint, [...script, begun.response], { protocol: replaying });
      await first.manager.ready;
      void first.chat.send('Go');
      begun.write(says({ content: 'Half' }));
      await until(first.chat, ({ status }) => status === start);
      const second = openTab(endpoint, [rest.response], { protocol: replaying });
      await until(second.chat, ({ status }) => status === start);
      let isOver = false;
      const reply = begin(second).finally(() => {
        isOver = true;
      });
      await waitUntil(() => lines(second.chat).at(-1)?.endsWith('Half') === true);
      await sleep(1200);
      leave(first);
      await waitUntil(() => second.asked.length === 1, 'resumes', { timeout: 4000 });
      rest.write(says({ content: 'Whole' }));
      await waitUntil(() => lines(second.chat).at(-1)?.endsWith('Whole') === true);
      expect(isOver).to.equal(false);
      rest.write(says({ finish: 'complete' }));
      rest.end();
      expect([(await reply).status, (await reply) === second.chat.messages.at(-1)]).to.deep.equal(['complete', true]);
    });
  }

  it('resolves with the ended part if it can’t be continued', async () => {
    const { first, second } = await followedReply();
    const resumed = second.chat.resume();
    await sleep(1200);
    leave(first);
    expect((await resumed).status).to.equal('interrupted');
    expect((await resumed) === second.chat.messages.at(-1)).to.equal(true);
  });
});

describe('a new conversation without messages', () => {
  it('does not become one that another tab deletes, and still shows the one that another tab starts', async () => {
    const endpoint = newEndpoint();
    const [first, second] = [0, 1].map(() =>
      openTab(endpoint, [() => new Response(session('One'))], { threadId: null }),
    ) as [Tab, Tab];
    await Promise.all([first.manager.ready, second.manager.ready]);
    const { chat } = second;
    const id = chat.threadId;
    await first.manager.remove('another');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([second.chat === chat, chat.threadId]).to.deep.equal([true, id]);
    void first.chat.send('Go');
    await waitForLines(second, ['user complete: Go', 'assistant complete: One']);
  });
});

describe('a conversation that another tab deletes', () => {
  /** A deletion of which no message reaches the other tabs, such as that of another window that was closed at once. */
  async function deleteUnnoticed(endpoint: string): Promise<void> {
    const settings = { persist: 'local', endpoint, storage: undefined, threadId: 'T', redact: undefined } as const;
    const { scope } = storageLocation(settings);
    const backend = createStorageBackend({ persist: 'local', scope, storage: undefined });
    await backend?.store.remove('T');
    backend?.close();
  }
  const storedConversation = async (endpoint: string, script: readonly Answerer[]): Promise<Tab> => {
    const tab = openTab(endpoint, script);
    await tab.manager.ready;
    await tab.chat.send('Old');
    await waitForLines(tab, ['user complete: Old', 'assistant complete: One']);
    await waitUntil(async () => (await tab.manager.list()).length === 1);
    await sleep(100);
    return tab;
  };

  it('does not take a text with it that was just sent: it is sent in a new conversation', async () => {
    const endpoint = newEndpoint();
    const tab = await storedConversation(endpoint, [() => new Response(session('One'))]);
    const { chat } = tab;
    await deleteUnnoticed(endpoint);
    const sent = chat.send('New');
    await waitForLines(tab, ['user complete: New', 'assistant complete: One']);
    expect(tab.chat).not.to.equal(chat);
    expect([textOf(await sent), (await sent).status]).to.deep.equal(['One', 'complete']);
    expect([tab.failures, tab.errors]).to.deep.equal([['conversation-deleted'], []]);
    expect((await tab.manager.list()).map(({ title }) => title)).to.deep.equal(['New']);
  });

  it('does not take an edited message with it that was just sent', async () => {
    const endpoint = newEndpoint();
    const tab = await storedConversation(endpoint, [() => new Response(session('One'))]);
    await deleteUnnoticed(endpoint);
    await tab.chat.edit(tab.chat.messages[0]?.id ?? '', 'Edited');
    await waitForLines(tab, ['user complete: Edited', 'assistant complete: One']);
    expect(tab.failures).to.deep.equal(['conversation-deleted']);
  });

  it('does not take a message with it whose request is on its way: it stays, as failed', async () => {
    const endpoint = newEndpoint();
    const first = openTab(endpoint, [() => new Promise<Response>(() => undefined)]);
    await first.manager.ready;
    const sent = first.chat.send('Go');
    await waitUntil(() => first.asked.length === 1);
    await sleep(700);
    const second = openTab(endpoint, []);
    await second.manager.ready;
    await second.manager.remove('T');
    await waitForLines(first, ['user failed: Go']);
    expect((await sent).status).to.equal('interrupted');
    expect((await first.manager.list()).map(({ title }) => title)).to.deep.equal(['Go']);
    expect(first.failures).to.deep.equal(['conversation-deleted']);
  });

  it('does not take the messages with it that wait for the end of a reply', async () => {
    const { first, second } = await followedReply();
    const sent = second.chat.send('Queued');
    void second.chat.send('Last');
    await first.manager.remove('T');
    await waitForLines(second, [
      'user complete: Queued',
      'assistant complete: Other',
      'user complete: Last',
      'assistant complete: Other',
    ]);
    expect(textOf(await sent)).to.equal('Other');
    expect(second.failures).to.deep.equal(['conversation-deleted']);
    expect(lines(first.chat)).to.deep.equal([]);
  });

  it('does not take the messages with it that wait in the background: they are sent in a new conversation there', async () => {
    const { first, second } = await followedReply();
    const sent = second.chat.send('Queued');
    second.manager.create();
    const { chat } = second;
    await first.manager.remove('T');
    expect(textOf(await sent)).to.equal('Other');
    expect([second.chat === chat, lines(chat), second.failures]).to.deep.equal([true, [], ['conversation-deleted']]);
    const [listed, ...others] = await second.manager.list();
    expect([listed?.title, listed?.current, others]).to.deep.equal(['Queued', false, []]);
    await second.manager.open(listed?.id ?? '');
    await waitForLines(second, ['user complete: Queued', 'assistant complete: Other']);
  });

  it('in the background leaves no empty conversation behind', async () => {
    const { first, second } = await followedReply();
    second.manager.create();
    await first.manager.remove('T');
    await waitUntil(async () => (await second.manager.list()).length === 0);
    expect(second.failures).to.deep.equal([]);
  });

  it('does not take a draft with it', async () => {
    const { first, second } = await followedReply();
    second.text = 'Draft';
    const { chat } = second;
    await first.manager.remove('T');
    await waitUntil(() => second.chat !== chat);
    expect(second.text).to.equal('Draft');
  });

  it('takes everything with it if the user deletes it in this tab', async () => {
    const { first } = await followedReply();
    void first.chat.send('Queued');
    first.text = 'Draft';
    await first.manager.remove('T');
    expect([lines(first.chat), first.text, first.failures]).to.deep.equal([[], '', []]);
  });
});

describe('a message that waits for the reply of another tab', () => {
  it('is sent after the messages that wait in the tab with the reply', async () => {
    const { first, second, reply } = await followedReply();
    void first.chat.send('First');
    const sent = second.chat.send('Second');
    await sleep(300);
    reply.write(session('.'));
    reply.end();
    await sent;
    for (const tab of [second, first]) {
      await waitForLines(tab, [
        'user complete: Go',
        'assistant complete: One.',
        'user complete: First',
        'assistant complete: Two',
        'user complete: Second',
        'assistant complete: Other',
      ]);
      expect(hiddenLines(tab)).to.deep.equal([]);
    }
  });

  it('waits for the user if that reply fails, as in one tab', async () => {
    const { second, reply } = await followedReply();
    void second.chat.send('Queued');
    reply.write('data: {"type":"error","data":{"eventId":"e","error":"bad"}}\n\n');
    reply.end();
    await waitUntil(() => second.chat.status !== 'streaming');
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(lines(second.chat).at(-1)).to.equal('user queued: Queued');
    expect(second.asked).to.have.length(0);
  });
});

describe('a question that waits in a tab that the user has left for another page', () => {
  const asks = stream(says({ ask: { action_type: 'question', content: 'Where?' } }, { finish: 'tool_use' }));
  const done = stream(says({ content: 'Done.' }, { finish: 'complete' }));
  const ended = ['user complete: Go', 'assistant complete: |Done.'];
  const textsOf = ({ chat }: Tab): readonly string[] =>
    chat.messages.map(
      ({ role, status: state, blocks }) =>
        `${role} ${state}: ${blocks.map((block) => (block.type === 'content' ? block.content : '')).join('|')}`,
    );

  async function leftQuestion(): Promise<{ endpoint: string; first: Tab; sent: Promise<ChatMessage> }> {
    const endpoint = newEndpoint();
    const first = openTab(endpoint, [asks, done], { protocol: wireAgent });
    await first.manager.ready;
    const sent = first.chat.send('Go');
    await until(first.chat, isAsking);
    leave(first);
    return { endpoint, first, sent };
  }

  for (const index of [0, 1])
    it(`is answered once if another tab has it meanwhile: in the ${index === 0 ? 'first' : 'other'} tab`, async () => {
      const { endpoint, first } = await leftQuestion();
      const second = openTab(endpoint, [done], { protocol: wireAgent });
      await second.manager.ready;
      await until(second.chat, isAsking);
      await comeBack(first);
      await until(first.chat, isAsking);
      expect([first.chat.busy, second.chat.busy]).to.deep.equal([false, true]);
      const { chat } = index === 0 ? first : second;
      await chat.respond(pending(chat).id, 'answered', { payload: 'Here' });
      for (const tab of [first, second])
        await waitUntil(() => JSON.stringify(textsOf(tab)) === JSON.stringify(ended), textsOf(tab).join());
      expect([first.asked.length, second.asked.length]).to.deep.equal([1, 1]);
      expect(first.errors).to.deep.equal([]);
    });

  it('is answered there if another tab has answered it meanwhile', async () => {
    const { endpoint, first, sent } = await leftQuestion();
    const second = openTab(endpoint, [done], { protocol: wireAgent });
    await second.manager.ready;
    await until(second.chat, isAsking);
    await second.chat.respond(pending(second.chat).id, 'answered', { payload: 'Here' });
    await until(second.chat, ({ status: state }) => state === 'idle');
    await sleep(800);
    await comeBack(first);
    expect([first.chat.status, textsOf(first)]).to.deep.equal(['idle', ended]);
    expect(first.asked).to.have.length(1);
    await sent;
  });

  it('is the same one if no other tab has it, and no other tab gets it', async () => {
    const { endpoint, first, sent } = await leftQuestion();
    const { id } = pending(first.chat);
    await comeBack(first);
    expect([first.chat.status, pending(first.chat).id]).to.deep.equal(['awaiting-action', id]);
    const second = openTab(endpoint, [done], { protocol: wireAgent });
    await second.manager.ready;
    await until(second.chat, isAsking);
    expect([first.chat.busy, second.chat.busy]).to.deep.equal([true, false]);
    await first.chat.respond(id, 'answered', { payload: 'Here' });
    expect((await sent).status).to.equal('complete');
    expect(textsOf(first)).to.deep.equal(ended);
  });
});

describe('a stop in a tab that follows the reply of another one', () => {
  it('that comes late does not stop the next reply', async () => {
    const { first, second, reply } = await followedReply();
    reply.write(session('.'));
    reply.end();
    await until(first.chat, ({ status: state }) => state === 'idle');
    expect(second.chat.status).to.equal('streaming');
    const next = first.chat.send('Next');
    second.chat.stop();
    expect((await next).status).to.equal('complete');
  });

  it('that comes late does not withdraw a message that waits for consent', async () => {
    const endpoint = newEndpoint();
    const reply = controlledReply();
    let isAsked = false;
    let accept: (accepted: boolean) => void = () => undefined;
    const consent = new Promise<boolean>((resolve) => {
      accept = resolve;
    });
    const guards: Guards = { ...openGuards, terms: () => (isAsked ? () => consent : undefined) };
    const first = openTab(endpoint, [reply.response, () => new Response(session('Two'))], { guards });
    await first.manager.ready;
    void first.chat.send('Go');
    reply.write(session('One', false));
    const second = openTab(endpoint, []);
    await waitForLines(second, ['user complete: Go', 'assistant streaming: One']);
    reply.write(session('.'));
    reply.end();
    await until(first.chat, ({ status: state }) => state === 'idle');
    expect(second.chat.status).to.equal('streaming');
    isAsked = true;
    const next = first.chat.send('Next');
    second.chat.stop();
    await sleep(300);
    accept(true);
    expect((await next).status).to.equal('complete');
  });
});

describe('a message that is stopped before its tab has the conversation', () => {
  it('does not keep it from the other tabs if the lock comes later', async () => {
    const endpoint = newEndpoint();
    const first = openTab(endpoint, []);
    await first.manager.ready;
    const { request } = navigator.locks;
    let granted: Promise<unknown> | undefined;
    navigator.locks.request = ((...args: Parameters<typeof request>) => {
      granted ??= sleep(600);
      return granted.then(() => request.apply(navigator.locks, args));
    }) as typeof request;
    try {
      const sent = first.chat.send('Go');
      await waitUntil(() => granted !== undefined);
      first.chat.stop();
      await sent;
      await sleep(900);
    } finally {
      Reflect.deleteProperty(navigator.locks, 'request');
    }
    const second = openTab(endpoint, [() => new Response(session('Other'))]);
    await second.manager.ready;
    void second.chat.send('Next');
    await waitUntil(() => second.asked.length === 1);
  });

  it('does not keep it from the other tabs if the storage was read later', async () => {
    const endpoint = newEndpoint();
    let read: (value?: unknown) => void = () => undefined;
    const reads = new Promise((resolve) => {
      read = resolve;
    });
    const first = openTab(endpoint, [], { reads });
    await first.manager.ready;
    const sent = first.chat.send('Go');
    first.chat.stop();
    await sent;
    await sleep(800);
    read();
    await sleep(200);
    const second = openTab(endpoint, [() => new Response(session('Other'))]);
    await second.manager.ready;
    void second.chat.send('Next');
    await waitUntil(() => second.asked.length === 1);
  });
});

const OLD = ['user complete: Old question', 'assistant complete: Old answer'];
const NEW = ['user complete: New', 'assistant complete: Answer'];
const answer = (): Response => new Response(session('Answer'));

/** A store of the page, with a conversation `T`. Its `load` does what the test wants. */
class TestStore implements ConversationStore {
  readonly saved: string[] = [];
  readonly stored = new Map<string, unknown>();
  readonly #load: (count: number) => Promise<unknown>;
  #loads = 0;

  /** @param load - called before each load, with its number; rejects if it fails */
  constructor(load: (count: number) => Promise<unknown>) {
    this.#load = load;
    this.stored.set('T', {
      version: 1,
      id: 'T',
      title: 'Old title',
      updated: Date.now() - 1000,
      leaf: 'm2',
      messages: [
        { id: 'm1', role: 'user', status: 'complete', timestamp: 1, blocks: [textBlock('b1', 'Old question')] },
        {
          id: 'm2',
          parentId: 'm1',
          role: 'assistant',
          status: 'complete',
          timestamp: 2,
          blocks: [textBlock('b2', 'Old answer')],
        },
      ],
    });
  }

  list(): Promise<never> {
    return Promise.resolve([...this.stored.values()] as never);
  }

  async load(id: string): Promise<never> {
    await this.#load(++this.#loads);
    return structuredClone(this.stored.get(id)) as never;
  }

  save(thread: { readonly id: string }): Promise<void> {
    this.saved.push(thread.id);
    this.stored.set(thread.id, structuredClone(thread));
    return Promise.resolve();
  }

  rename(): Promise<void> {
    return Promise.resolve();
  }

  remove(id: string): Promise<void> {
    this.stored.delete(id);
    return Promise.resolve();
  }

  /** The texts of a stored conversation. */
  texts(id = 'T'): string {
    return (
      JSON.stringify(this.stored.get(id) ?? '')
        .match(/Old question|Old answer|New|Answer/g)
        ?.join() ?? ''
    );
  }
}

const textBlock = (id: string, content: string): unknown => ({
  id,
  type: 'content',
  status: 'success',
  timestamp: 1,
  content,
});
const failsOnce = (count: number): Promise<unknown> =>
  count === 1 ? Promise.reject(new Error('503')) : Promise.resolve();
const fails = (): Promise<unknown> => Promise.reject(new Error('503'));
const sleep = (milliseconds: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The conversation as the next page shows it: the current branch, and the others. */
async function nextPage(
  endpoint: string,
  options: TabOptions,
): Promise<readonly [readonly string[], readonly string[]]> {
  const later = openTab(endpoint, [], options);
  await later.manager.ready;
  return [lines(later.chat), hiddenLines(later)];
}

describe('a stored conversation that the page has named', () => {
  it('stays, as another branch, if its first read fails', async () => {
    const endpoint = newEndpoint();
    const store = new TestStore(failsOnce);
    const tab = openTab(endpoint, [answer], { store });
    await tab.manager.ready;
    await tab.chat.send('New');
    await sleep(800);
    expect(tab.failures).to.deep.equal(['storage-failed']);
    expect(lines(tab.chat)).to.deep.equal(NEW);
    expect(hiddenLines(tab)).to.deep.equal(OLD);
    leave(tab);
    expect(await nextPage(endpoint, { store })).to.deep.equal([NEW, OLD]);
    expect(store.stored.get('T')).to.deep.include({ title: 'Old title' });
  });

  it('is not written as long as it can’t be read', async () => {
    const endpoint = newEndpoint();
    const store = new TestStore(fails);
    const tab = openTab(endpoint, [answer, answer], { store });
    await tab.manager.ready;
    await tab.chat.send('New');
    await tab.chat.send('New');
    await sleep(800);
    leave(tab);
    await sleep(100);
    expect(store.saved).to.deep.equal([]);
    expect(tab.failures).to.deep.equal(['storage-failed']);
  });

  it('stays, as another branch, if the page is left before it could be read', async () => {
    const endpoint = newEndpoint();
    const unreadable = new TestStore(fails);
    const tab = openTab(endpoint, [answer], { store: unreadable });
    await tab.manager.ready;
    void tab.chat.send('New');
    await waitForLines(tab, NEW);
    void tab.chat.addMessage({ role: 'user', text: 'Answer' });
    leave(tab);
    const store = new TestStore(() => Promise.resolve());
    expect(await nextPage(endpoint, { store })).to.deep.equal([[...NEW, 'user complete: Answer'], OLD]);
  });

  it('is restored if it is deleted and "Undo" is pressed before it could be read', async () => {
    const endpoint = newEndpoint();
    const store = new TestStore(failsOnce);
    const tab = openTab(endpoint, [answer], { store });
    await tab.manager.ready;
    const undo = await tab.manager.remove('T');
    expect(store.texts()).to.equal('');
    await undo();
    await waitForLines(tab, OLD);
  });

  it('is not written by a tab that comes back and can’t read it', async () => {
    const endpoint = newEndpoint();
    let works = true;
    const store = new TestStore(() => (works ? Promise.resolve() : fails()));
    const tab = openTab(endpoint, [answer], { store });
    await waitForLines(tab, OLD);
    leave(tab);
    // Meanwhile another device continues it.
    const record = store.stored.get('T') as { messages: unknown[]; leaf: string; updated: number };
    const more = { id: 'm3', parentId: 'm2', role: 'user', status: 'complete', timestamp: 3 };
    record.messages.push({ ...more, blocks: [textBlock('b3', 'Answer')] });
    Object.assign(record, { leaf: 'm3', updated: Date.now() });
    works = false;
    await comeBack(tab);
    works = true;
    await tab.chat.send('New');
    await sleep(800);
    expect(lines(tab.chat)).to.deep.equal([...OLD, ...NEW]);
    expect(store.texts()).to.equal('Old question,Old answer,New,Answer,Answer');
  });

  for (const [name, options] of [
    ['IndexedDB', { persist: 'local' }],
    ['sessionStorage', { persist: 'session' }],
    ['a store of the page', {}],
  ] as readonly (readonly [string, TabOptions])[]) {
    it(`stays, as another branch, if a message is sent before its read has ended: ${name}`, async () => {
      const endpoint = newEndpoint();
      const store = name === 'a store of the page' ? new TestStore((count) => sleep(count === 1 ? 300 : 0)) : undefined;
      const settings: TabOptions = store ? { store } : options;
      if (!store) {
        const before = openTab(endpoint, [() => new Response(session('Old answer'))], options);
        await before.manager.ready;
        await before.chat.send('Old question');
        await sleep(100);
        leave(before);
      }
      const tab = openTab(endpoint, [answer], settings);
      await tab.chat.send('New');
      await sleep(1000);
      leave(tab);
      expect(await nextPage(endpoint, settings)).to.deep.equal([NEW, OLD]);
    });
  }
});

describe('a stored conversation that the page has not named', () => {
  it('stays in the list if it can’t be read, and the chat goes on in a new one', async () => {
    const endpoint = newEndpoint();
    const store = new TestStore(failsOnce);
    const tab = openTab(endpoint, [answer], { store, threadId: null });
    await tab.manager.ready;
    await tab.chat.send('New');
    await sleep(100);
    expect(lines(tab.chat)).to.deep.equal(NEW);
    expect((await tab.manager.list()).map(({ title }) => title)).to.have.members(['New', 'Old title']);
    await tab.manager.open('T');
    await waitForLines(tab, OLD);
    expect(store.texts()).to.equal('Old question,Old answer');
  });

  it('can be opened again if opening it fails', async () => {
    const endpoint = newEndpoint();
    const store = new TestStore((count) => (count === 2 ? fails() : Promise.resolve()));
    const tab = openTab(endpoint, [answer], { store, threadId: null });
    await waitForLines(tab, OLD);
    tab.manager.create();
    await waitUntil(async () => (await tab.manager.list()).length === 1);
    await sleep(50);
    await tab.manager.open('T');
    await tab.chat.send('New');
    await sleep(100);
    await tab.manager.open('T');
    await waitForLines(tab, OLD);
    expect(store.texts()).to.equal('Old question,Old answer');
  });

  it('is read before a message that is sent directly after it is opened', async () => {
    const endpoint = newEndpoint();
    const store = new TestStore((count) => sleep(count === 2 ? 200 : 0));
    const tab = openTab(endpoint, [answer], { store, threadId: null });
    await waitForLines(tab, OLD);
    tab.manager.create();
    await sleep(50);
    void tab.manager.open('T');
    await sleep(10);
    await tab.manager.ready;
    expect(lines(tab.chat)).to.deep.equal(OLD);
  });
});

describe('a deleted message', () => {
  it('stays deleted if the tab was hidden while its reply was streaming', async () => {
    const endpoint = newEndpoint();
    const reply = controlledReply();
    const tab = openTab(endpoint, [reply.response]);
    await tab.manager.ready;
    void tab.chat.send('Go');
    reply.write(session('One', false));
    await waitForLines(tab, ['user complete: Go', 'assistant streaming: One']);
    hide(tab);
    reply.write(session(' more'));
    reply.end();
    await waitForLines(tab, ['user complete: Go', 'assistant complete: One more']);
    tab.chat.removeMessage(tab.chat.messages[1]?.id ?? '');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    leave(tab);
    const later = openTab(endpoint, []);
    await later.manager.ready;
    expect(lines(later.chat)).to.deep.equal(['user complete: Go']);
  });

  it('stays deleted in a tab that was suspended meanwhile', async () => {
    const { first, second, reply } = await followedReply();
    reply.write(session(' more'));
    reply.end();
    await waitForLines(second, ['user complete: Go', 'assistant complete: One more']);
    leave(second);
    await new Promise((resolve) => setTimeout(resolve, 20));
    first.chat.removeMessage(first.chat.messages[1]?.id ?? '');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await comeBack(second);
    expect(lines(second.chat)).to.deep.equal(['user complete: Go']);
  });
});

describe('a tab that comes back', () => {
  for (const persist of ['local', 'session'] as const) {
    it(`has the queued messages in the composer, after its text (${persist})`, async () => {
      const endpoint = newEndpoint();
      const reply = controlledReply();
      const tab = openTab(endpoint, [reply.response], { persist });
      await tab.manager.ready;
      void tab.chat.send('Go');
      reply.write(session('One', false));
      await waitForLines(tab, ['user complete: Go', 'assistant streaming: One']);
      void tab.chat.send('Queued');
      tab.text = 'Written';
      leave(tab);
      await comeBack(tab);
      expect(tab.text).to.equal('Written\n\nQueued');
      expect(lines(tab.chat)).not.to.include('user queued: Queued');
      leave(tab);
      const later = openTab(endpoint, [], { persist });
      await later.manager.ready;
      expect(later.text).to.equal('Written\n\nQueued');
    });
  }

  it('resumes its streaming reply from sessionStorage', async () => {
    const endpoint = newEndpoint();
    const reply = controlledReply();
    const tab = openTab(endpoint, [reply.response], { persist: 'session' });
    await tab.manager.ready;
    void tab.chat.send('Go');
    reply.write(session('One', false));
    await waitForLines(tab, ['user complete: Go', 'assistant streaming: One']);
    leave(tab);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(Object.values(sessionStorage).join('\n')).to.include('"status":"streaming"');
    let resumes = 0;
    const resume = tab.chat.resume.bind(tab.chat);
    tab.chat.resume = (options) => {
      resumes++;
      return resume(options);
    };
    await comeBack(tab);
    expect(resumes).to.equal(1);
  });

  it('has the text of each conversation in that conversation', async () => {
    const endpoint = newEndpoint();
    const tab = openTab(endpoint, [() => new Response(session('One'))]);
    await tab.manager.ready;
    const reply = controlledReply();
    const other = openTab(endpoint, [reply.response], { threadId: 'B' });
    await other.manager.ready;
    await tab.chat.send('Go');
    void other.chat.send('Other');
    reply.write(session('Half', false));
    await waitForLines(other, ['user complete: Other', 'assistant streaming: Half']);
    // The first tab has the other conversation in the background, and follows its reply.
    await tab.manager.open('B');
    await waitForLines(tab, ['user complete: Other', 'assistant streaming: Half']);
    tab.text = 'For B';
    await tab.manager.open('T');
    tab.text = 'For T';
    leave(tab);
    await comeBack(tab);
    expect(tab.text).to.equal('For T');
    await tab.manager.open('B');
    expect(tab.text).to.equal('For B');
  });
});

describe('a message that was not sent, alone in a new conversation', () => {
  const tooMany = { text: 'Look', attachments: Array.from({ length: 50 }, () => new Blob(['text'])) };
  for (const persist of ['local', 'session'] as const) {
    it(`is still there after a reload (${persist})`, async () => {
      const endpoint = newEndpoint();
      const tab = openTab(endpoint, [], { persist, threadId: null });
      await tab.manager.ready;
      await tab.chat.send(tooMany).catch(() => undefined);
      const sent = lines(tab.chat);
      expect([sent.length, sent[0]?.startsWith('user failed: Look')]).to.deep.equal([1, true]);
      await sleep(1200);
      leave(tab);
      const later = openTab(endpoint, [answer], { persist, threadId: null });
      await later.manager.ready;
      await waitForLines(later, sent);
      // The files were not read, so they are refused again. Without them the text would say something else.
      const { status } = await later.chat.resend(later.chat.messages[0]?.id ?? '');
      expect([status, lines(later.chat).length]).to.deep.equal(['failed', 1]);
      await later.chat.send('Look');
      expect(lines(later.chat).at(-1)).to.equal('assistant complete: Answer');
    });
  }

  it('is none that the page has set: a history of the page is not stored', async () => {
    const endpoint = newEndpoint();
    const tab = openTab(endpoint, [], { threadId: null });
    await tab.manager.ready;
    tab.chat.messages = [{ role: 'user', text: 'Old', status: 'failed' }];
    await sleep(1200);
    leave(tab);
    const later = openTab(endpoint, [], { threadId: null });
    await later.manager.ready;
    expect(lines(later.chat)).to.deep.equal([]);
  });
});

describe('a queued message with a file', () => {
  for (const persist of ['local', 'session'] as const) {
    it(`is an unsent message with its file after a reload (${persist})`, async () => {
      const endpoint = newEndpoint();
      const reply = controlledReply();
      const tab = openTab(endpoint, [reply.response], { persist });
      await tab.manager.ready;
      void tab.chat.send('Go');
      reply.write(session('One', false));
      await waitForLines(tab, ['user complete: Go', 'assistant streaming: One']);
      const image = { kind: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } as const;
      void tab.chat.send({ text: 'Look', attachments: [image] });
      void tab.chat.send({ text: '', attachments: [image] });
      void tab.chat.send('Only text');
      await sleep(800);
      leave(tab);
      const all = [
        'user complete: Go',
        'assistant interrupted: One',
        'user failed: Look | image',
        'user failed: image',
      ];
      for (const script of [[], [answer]]) {
        const later = openTab(endpoint, script, { persist });
        await later.manager.ready;
        await waitForLines(later, all);
        expect(later.text).to.equal('Only text');
        await sleep(800);
        if (script.length === 0) leave(later);
        else {
          await later.chat.resend(later.chat.messages[2]?.id ?? '');
          expect(JSON.stringify(later.chat.messages.at(-2)?.blocks)).to.include('iVBORw0KGgo=');
          expect(lines(later.chat).slice(-2)).to.deep.equal([
            'user complete: Look | image',
            'assistant complete: Answer',
          ]);
        }
      }
    });
  }
});

describe('a tab that takes a conversation over', () => {
  it('has the queued messages of both tabs in the composer', async () => {
    const { first, second } = await followedReply();
    void first.chat.send('Queued in the first');
    void second.chat.send('Queued in the second');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    leave(first);
    // It tries to resume the reply, which this protocol can't.
    await waitUntil(() => second.chat.status === 'error' && !second.chat.busy && second.asked.length === 0);
    await waitForLines(second, ['user complete: Go', 'assistant interrupted: One']);
    expect(second.text.split('\n\n').toSorted()).to.deep.equal(['Queued in the first', 'Queued in the second']);
  });
});

describe('a reply that runs', () => {
  const begun: Answerer = () => watchedBody([says({ content: 'Well', metadata: { run: 'r7' } })]).response();
  const ends: Readonly<Record<string, { readonly requests: number; act(tab: Tab): unknown }>> = {
    'is cancelled on its server when the user deletes all data': {
      requests: 2,
      act: ({ manager }) => manager.forget({ persist: 'local', endpoint: '/agent', storage: undefined }),
    },
    'is not cancelled on its server when another user signs in, because the first may come back': {
      requests: 1,
      act: (tab) => {
        tab.signIn('ada');
      },
    },
    'is not cancelled on its server when its conversation is deleted, which can be undone': {
      requests: 1,
      act: ({ manager }) => manager.remove('T'),
    },
  };
  for (const [name, { requests, act }] of Object.entries(ends))
    it(name, async () => {
      const tab = openTab(newEndpoint(), [begun, status(200)], { protocol: cancellable });
      await tab.manager.ready;
      const sent = tab.chat.send('Go');
      await shows(tab, 'user complete: Go', 'assistant streaming: Well');
      await act(tab);
      await sent;
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(tab.asked).to.have.length(requests);
      expect(tab.errors).to.have.length(requests === 2 ? 0 : 1);
    });
});
