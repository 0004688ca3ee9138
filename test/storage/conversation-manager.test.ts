import { expect, waitUntil } from '@open-wc/testing';
import { Approvals } from '../../src/runtime/approvals.ts';
import type { Chat } from '../../src/runtime/chat/chat.ts';
import { startTurn } from '../../src/runtime/chat/run-turn.ts';
import { ConversationManager } from '../../src/storage/conversation-manager.ts';
import type { Persist } from '../../src/storage/stores/conversation-store.ts';
import { lines, makeChat, until } from '../runtime/support/make-chat.ts';
import { session, type Answerer } from '../runtime/support/scripted-server.ts';

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
}

/** A scope of its own, so that no test reads the conversations of another. */
const newEndpoint = (): string => `/agent-${String(Date.now())}-${String(++count)}`;

/** A widget in a tab. All tabs are in one page, in which channels and locks work as between pages. */
function openTab(
  endpoint: string,
  script: readonly Answerer[],
  { persist = 'local', threadId = 'T' }: { readonly persist?: Persist; readonly threadId?: string } = {},
): Tab {
  const settings = { persist, endpoint, storage: undefined, threadId, redact: undefined };
  const make = (): ReturnType<typeof makeChat> => {
    const made = makeChat(
      script,
      { endpoint },
      {
        prepareTurn: async () => {
          await manager.acquire(made.chat);
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
        reset: () => {
          composer.text = '';
        },
      }),
      show: (shown) => {
        chat = shown;
      },
      continueWith: () => undefined,
      fail: () => undefined,
    },
    chat,
  );
  opened.push(tab);
  return tab;
}

const leave = ({ manager }: Tab): void => {
  manager.saveBeforeUnload({ mayComeBack: true });
};
const hide = ({ manager }: Tab): void => {
  manager.saveBeforeUnload({ mayComeBack: false });
};
const comeBack = ({ manager }: Tab): Promise<void> => manager.resumeFromCache();

const shows = async ({ chat }: Tab, ...expected: readonly string[]): Promise<void> => {
  await until(chat, () => JSON.stringify(lines(chat)) === JSON.stringify(expected)).catch(() => undefined);
};
/** Waits for a conversation, and names the actual one if it does not come. */
async function waitForLines(tab: Tab, expected: readonly string[]): Promise<void> {
  await Promise.race([shows(tab, ...expected), new Promise((resolve) => setTimeout(resolve, 6000))]);
  expect(lines(tab.chat)).to.deep.equal(expected);
}

/** A tab whose reply is streaming, and one that follows it. */
async function followedReply(): Promise<{
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
  const second = openTab(endpoint, [() => new Response(session('Other'))]);
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
