import type { ChatMessage } from '../../../src/model/message.ts';
import { expect, waitUntil } from '@open-wc/testing';
import { ChatError } from '../../../src/errors.ts';
import { startTurn } from '../../../src/runtime/chat/run-turn.ts';
import { isAsking, lines, makeChat, until, wordsOf } from '../support/make-chat.ts';
import { callsOf, session, silent, status, stream, unreachable, watchedBody } from '../support/scripted-server.ts';
import { says, wireAgent } from '../support/wire-agent.ts';

const hello = stream(session('Hello.'));
const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof ChatError ? error.reason : String(error)),
  );

describe('send()', () => {
  it('resolves with the reply when it has ended', async () => {
    const { chat, told } = makeChat([hello]);
    const answer = await chat.send('Hi');
    expect(answer).to.equal(chat.messages.at(-1));
    expect(lines(chat)).to.deep.equal(['user complete: Hi', 'assistant complete: Hello.']);
    expect(told.messages).to.deep.equal(chat.messages);
    expect(told.errors).to.deep.equal([]);
    expect(chat.messages[1]?.parentId).to.equal(chat.messages[0]?.id);
  });

  it('the user’s message is visible immediately, and complete when the server has accepted it', async () => {
    const body = watchedBody([session('Half', false)]);
    const { chat } = makeChat([body.response]);
    void chat.send('Hi');
    expect(lines(chat)).to.deep.equal(['user sending: Hi']);
    await until(chat, () => chat.status === 'streaming');
    expect(lines(chat)).to.deep.equal(['user complete: Hi', 'assistant streaming: Half']);
    chat.stop();
  });

  const failures = [
    { name: 'the server refuses', script: status(500), user: 'failed', reply: 'error: error: server' },
    { name: 'the network is down', script: unreachable, user: 'failed', reply: 'error: error: unreachable' },
    {
      name: 'the stream is cut',
      script: stream(session('Half', false)),
      user: 'complete',
      reply: 'interrupted: Half | error: cut',
    },
    { name: 'nothing arrives', script: stream(''), user: 'complete', reply: 'error: error: empty' },
  ];
  for (const { name, script, user, reply } of failures) {
    it(`resolves if ${name}, and emits one error event`, async () => {
      const { chat, told } = makeChat([script]);
      await chat.send('Hi');
      expect(lines(chat)).to.deep.equal([`user ${user}: Hi`, `assistant ${reply}`]);
      expect(told.errors).to.have.length(1);
      expect(chat.status).to.equal('error');
    });
  }

  it('rejects only for a caller’s mistake, and leaves nothing in the conversation', async () => {
    const { chat, server } = makeChat([hello], { limits: { inputLength: 5 } });
    const homeless = makeChat([hello], { endpoint: '' });
    expect(await reasonOf(chat.send(' \n'))).to.equal('empty-input');
    expect(await reasonOf(chat.send('123456'))).to.equal('input-too-long');
    expect(await reasonOf(homeless.chat.send('Hi'))).to.equal('no-endpoint');
    expect([...chat.messages, ...homeless.chat.messages, ...server.asked]).to.deep.equal([]);
  });

  it('an attachment without text can be sent', async () => {
    const { chat } = makeChat([hello]);
    await chat.send({ text: '', attachments: [{ kind: 'file', name: 'a.pdf', url: 'https://files.example/a.pdf' }] });
    expect(chat.messages[0]?.blocks.map(({ type }) => type)).to.deep.equal(['file']);
  });

  it('sends nothing if the page prevents the event', async () => {
    const { chat, server } = makeChat([hello], {}, { keepsBack: true });
    await chat.send('Hi');
    expect([chat.messages, server.asked]).to.deep.equal([[], []]);
  });

  it('a chat is empty until it has a message, a reply or a message in the queue', () => {
    const { chat } = makeChat([silent]);
    expect(chat.isEmpty).to.equal(true);
    void chat.send('Hi');
    expect(chat.isEmpty).to.equal(false);
    void chat.send('And');
    expect(chat.isEmpty).to.equal(false);
    chat.stop();
  });

  it('a reply of another tab ends in this one when the conversation becomes empty', () => {
    const { chat } = makeChat([hello]);
    const stopped: string[] = [];
    const reply = {
      stop: () => stopped.push('stop'),
      done: () => new Promise<never>(() => undefined),
      ended: () => stopped.push('ended'),
      remove: () => undefined,
      putBack: () => undefined,
      respond: () => undefined,
    };
    chat.followRemote({ path: [], hidden: [] }, [], 'streaming', reply);
    expect(chat.status).to.equal('streaming');
    chat.clear();
    expect([chat.status, chat.messages]).to.deep.equal(['idle', []]);
  });

  it('a message that waits for a reply of another tab is sent when that has ended', async () => {
    const { chat } = makeChat([hello]);
    await chat.send('First');
    const [path, none] = [chat.messages, () => undefined];
    const reply = {
      stop: none,
      ended: none,
      done: () => new Promise<never>(() => undefined),
      remove: none,
      putBack: none,
      respond: none,
    };
    chat.followRemote({ path, hidden: [] }, [], 'streaming', reply);
    const sent = chat.send('Second');
    expect(lines(chat).at(-1)).to.equal('user queued: Second');
    chat.followRemote({ path, hidden: [] }, [], 'none');
    expect((await sent).status).to.equal('complete');
    expect(lines(chat).at(-2)).to.equal('user complete: Second');
  });

  it('an unreadable part of a reply is reported once, as an error that a retry does not mend', async () => {
    const { chat, told } = makeChat([stream(`data: {broken\n\ndata: {again\n\n${session('Hello.')}`)]);
    await chat.send('Hi');
    expect(told.errors.map(({ kind, retryable }) => [kind, retryable])).to.deep.equal([['protocol', false]]);
    expect(lines(chat).at(-1)).to.equal('assistant complete: Hello.');
  });

  it('hidden text is sent, with its metadata', async () => {
    const { chat, server } = makeChat([hello]);
    await chat.send({ text: 'Hi', hidden: true, data: { order: 7 } });
    expect(chat.messages[0]?.metadata).to.deep.equal({ hidden: true, data: { order: 7 } });
    expect(server.bodies).to.deep.equal([{ messages: [{ role: 'user', content: 'Hi' }] }]);
  });
});

describe('stop()', () => {
  it('ends the reply immediately and keeps the received text', async () => {
    const { chat, told } = makeChat([watchedBody([session('Half', false)]).response]);
    const sent = chat.send('Hi');
    await until(chat, () => chat.status === 'streaming');
    chat.stop();
    expect(lines(chat)).to.deep.equal(['user complete: Hi', 'assistant cancelled: Half']);
    expect(chat.status).to.equal('idle');
    expect(await sent).to.include({ status: 'cancelled', finish: 'cancelled' });
    expect(told.errors).to.deep.equal([]);
  });

  it('marks unfinished blocks as cancelled', async () => {
    const calls = callsOf(['c', 'search', '{}']).split('\n\n')[0] ?? '';
    const { chat } = makeChat([watchedBody([`${calls}\n\n`]).response], { protocol: 'openai-chat' });
    const sent = chat.send('Hi');
    await until(chat, () => chat.messages.some(({ blocks }) => blocks.some(({ type }) => type === 'tool_call')));
    chat.stop();
    expect((await sent).blocks.map((block) => [block.type, block.status])).to.deep.equal([['tool_call', 'cancel']]);
  });

  it('leaves an empty, cancelled reply if nothing has arrived yet', async () => {
    const { chat } = makeChat([silent]);
    const sent = chat.send('Hi');
    await until(chat, () => chat.messages.length === 2);
    chat.stop();
    expect(await sent).to.deep.include({ status: 'cancelled', blocks: [] });
    expect(lines(chat)).to.deep.equal(['user failed: Hi', 'assistant cancelled: ']);
  });

  it('before the lazy modules are loaded sends nothing', async () => {
    const loading = Promise.withResolvers<typeof startTurn>();
    const { chat, server, told } = makeChat([hello], {}, { prepareTurn: () => loading.promise });
    const sent = chat.send('Hi');
    expect(chat.status).to.equal('connecting');
    chat.stop();
    loading.resolve(startTurn);
    expect((await sent).status).to.equal('cancelled');
    expect(lines(chat)).to.deep.equal(['user failed: Hi', 'assistant cancelled: ']);
    expect(told.messages).to.deep.equal(chat.messages);
    expect(server.asked).to.deep.equal([]);
  });

  it('does nothing without a reply', () => {
    const { chat } = makeChat([hello]);
    const { state } = chat.store;
    chat.stop();
    expect(chat.store.state).to.equal(state);
  });
});

describe('an unexpected exception before the request', () => {
  const broken = (): never => {
    throw new TypeError('Promise.withResolvers is not a function');
  };

  it('is shown in the transcript and emitted as an error event', async () => {
    const { chat, told } = makeChat([hello], {}, { prepareTurn: () => Promise.resolve(broken) });
    const reply = await chat.send('Hi');
    expect(lines(chat)).to.deep.equal(['user failed: Hi', 'assistant error: error: unexpected']);
    expect([reply.status, chat.status, chat.busy]).to.deep.equal(['error', 'error', false]);
    expect(told.errors.map(({ kind, message }) => [kind, message.includes('withResolvers')])).to.deep.equal([
      ['protocol', true],
    ]);
  });

  it('is handled before the lazy modules are loaded too, and the next message is sent', async () => {
    let first = true;
    const { chat, told } = makeChat(
      [hello],
      {},
      { prepareTurn: () => (first ? broken() : Promise.resolve(startTurn)) },
    );
    await chat.send('Hi');
    expect(lines(chat)).to.deep.equal(['user failed: Hi', 'assistant error: error: load']);
    expect(told.errors.length).to.equal(1);
    first = false;
    await chat.send('Again');
    expect(lines(chat).at(-1)).to.contain('assistant complete');
  });

  it('of a conversation that another tab has deleted is no failed load', async () => {
    const deleted = new ChatError('storage', 'The conversation was deleted.', { reason: 'storage' });
    const { chat, told } = makeChat([hello], {}, { prepareTurn: () => Promise.reject(deleted) });
    await chat.send('Hi');
    expect(lines(chat)).to.deep.equal(['user failed: Hi', 'assistant error: error: storage']);
    expect(told.errors.map(({ kind }) => kind)).to.deep.equal(['storage']);
  });

  it('needs no recent Promise method that a page’s polyfill may lack', async () => {
    const { withResolvers } = Promise;
    Reflect.deleteProperty(Promise, 'withResolvers');
    try {
      const { chat } = makeChat([hello]);
      await chat.send('Hi');
      expect(lines(chat).at(-1)).to.contain('assistant complete');
    } finally {
      Object.defineProperty(Promise, 'withResolvers', { value: withResolvers, configurable: true, writable: true });
    }
  });
});

describe('lazy modules that fail to load', () => {
  it('end the reply with an error message and a retry button', async () => {
    const { chat, told } = makeChat([hello], {}, { prepareTurn: () => Promise.reject(new TypeError('no chunk')) });
    const answer = await chat.send('Hi');
    expect(lines(chat)).to.deep.equal(['user failed: Hi', 'assistant error: error: load']);
    expect(answer.blocks[0]).to.have.nested.property('extra.recoverable', true);
    expect(told.errors.map(({ kind, retryable }) => [kind, retryable])).to.deep.equal([['load', true]]);
  });
});

describe('a queued message when another branch is selected', () => {
  /** A conversation with two branches, and a running reply in the second. */
  async function branches() {
    const running = (): Response => watchedBody([session('Half', false)]).response();
    const { chat, server } = makeChat([hello, hello, running, hello]);
    await chat.send('First');
    const id = chat.messages[0]?.id ?? '';
    await chat.edit(id, 'Second');
    void chat.send('Go');
    await until(chat, () => lines(chat).at(-1) === 'assistant streaming: Half');
    const select = (): void => {
      chat.selectBranch(chat.messages[0]?.id ?? '', 0);
    };
    return { chat, server, select };
  }

  it('returns to the composer in which it was written', async () => {
    const { chat, server, select } = await branches();
    const restored: string[] = [];
    const taken: number[] = [];
    const origin = {
      taken: () => void taken.push(1),
      restoreDraft: (message: ChatMessage) => void restored.push(wordsOf(message).join()),
    };
    const sent = chat.send('Queued', { origin });
    const other = chat.send('Queued too', { origin });
    select();
    expect([(await sent).status, (await other).status]).to.deep.equal(['failed', 'failed']);
    await waitUntil(() => restored.length > 1 && lines(chat).length < 3, 'both are drafts again');
    expect(restored).to.deep.equal(['Queued', 'Queued too']);
    expect(lines(chat)).to.deep.equal(['user complete: First', 'assistant complete: Hello.']);
    expect(server.asked).to.have.length(3);
  });

  it('stays in its branch as failed if the page has sent it', async () => {
    const { chat, server, select } = await branches();
    const sent = chat.send('Queued');
    select();
    expect((await sent).status).to.equal('failed');
    expect(lines(chat)).to.deep.equal(['user complete: First', 'assistant complete: Hello.']);
    chat.selectBranch(chat.messages[0]?.id ?? '', 1);
    expect(lines(chat).slice(-2)).to.deep.equal(['assistant cancelled: Half', 'user failed: Queued']);
    expect(server.asked).to.have.length(3);
  });
});

describe('the signal of send()', () => {
  it('stops its own reply', async () => {
    const { chat } = makeChat([watchedBody([session('Half', false)]).response]);
    const controller = new AbortController();
    const sent = chat.send('Hi', { signal: controller.signal });
    await until(chat, () => chat.status === 'streaming');
    controller.abort();
    expect((await sent).status).to.equal('cancelled');
  });

  it('withdraws a queued message', async () => {
    const { chat } = makeChat([watchedBody([session('Half', false)]).response]);
    const controller = new AbortController();
    void chat.send('Hi');
    const second = chat.send('And?', { signal: controller.signal });
    controller.abort();
    expect((await second).status).to.equal('failed');
    expect(lines(chat)[0]).to.equal('user sending: Hi');
    chat.stop();
  });

  it('stops the reply whose question the text answers', async () => {
    const { chat } = makeChat(
      [
        stream(says({ ask: { action_type: 'question', content: 'Where?' }, finish: 'tool_use' })),
        watchedBody([says({ content: 'Half' })]).response,
      ],
      { protocol: wireAgent },
    );
    const first = chat.send('Hi');
    await until(chat, isAsking);
    const controller = new AbortController();
    const answer = chat.send('Rome', { signal: controller.signal });
    await until(chat, () => lines(chat).some((line) => line.includes('Half')));
    controller.abort();
    expect([(await answer).status, (await first).status]).to.deep.equal(['cancelled', 'cancelled']);
  });

  it('that is already aborted sends nothing', async () => {
    const { chat, server } = makeChat([hello]);
    const answer = await chat.send('Hi', { signal: AbortSignal.abort() });
    expect(answer.status).to.equal('cancelled');
    expect(server.asked).to.deep.equal([]);
  });

  it('does not stop a later reply, and has no listener after its own has ended', async () => {
    const { chat } = makeChat([hello]);
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = new Set<unknown>();
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (type: string, listener: EventListener) => {
      listeners.add(listener);
      addEventListener.call(signal, type, listener);
    };
    signal.removeEventListener = (type: string, listener: EventListener) => {
      listeners.delete(listener);
      removeEventListener.call(signal, type, listener);
    };
    await chat.send('Hi', { signal });
    expect([...listeners]).to.deep.equal([]);
    const second = chat.send('And?');
    controller.abort();
    expect((await second).status).to.equal('complete');
  });
});

describe('the conversation as a property', () => {
  it('assigning replaces it, and stops the running reply', async () => {
    const { chat } = makeChat([watchedBody([session('Half', false)]).response]);
    const sent = chat.send('Hi');
    await until(chat, () => chat.status === 'streaming');
    chat.messages = [{ role: 'user', text: 'Before' }];
    expect(lines(chat)).to.deep.equal(['user complete: Before']);
    expect((await sent).status).to.equal('cancelled');
  });

  it('assigning clears the queue, and resolves the pending send() calls', async () => {
    const { chat, server } = makeChat([watchedBody([session('Half', false)]).response, hello]);
    void chat.send('Hi');
    const waiting = chat.send('And?');
    await until(chat, () => chat.status === 'streaming');
    chat.messages = [];
    expect((await waiting).status).to.equal('failed');
    expect([chat.messages, server.asked.length]).to.deep.equal([[], 1]);
  });

  it('an equal list changes nothing', async () => {
    const { chat } = makeChat([hello]);
    await chat.send('Hi');
    const before = chat.messages;
    chat.messages = structuredClone(before);
    expect(chat.messages).to.equal(before);
  });

  it('clear() empties it with the queue, and starts a new thread', async () => {
    const { chat } = makeChat([watchedBody([session('Half', false)]).response]);
    const { threadId } = chat;
    const sent = [chat.send('Hi'), chat.send('And?')];
    await until(chat, () => chat.status === 'streaming');
    chat.clear();
    expect((await Promise.all(sent)).map((message) => message.status)).to.deep.equal(['cancelled', 'failed']);
    expect(chat.messages).to.deep.equal([]);
    expect(chat.threadId).to.not.equal(threadId);
  });

  it('one message can be added, changed and removed without changing the others', () => {
    const { chat } = makeChat([hello]);
    chat.messages = [{ role: 'user', text: 'a' }];
    const [first] = chat.messages;
    const { id } = chat.addMessage({ role: 'assistant', text: 'b' });
    chat.updateMessage(id, { metadata: { seen: true } });
    expect(chat.messages[0]).to.equal(first);
    expect(chat.messages[1]?.metadata).to.deep.equal({ seen: true });
    expect(chat.messages.map((message) => wordsOf(message))).to.deep.equal([['a'], ['b']]);
    chat.removeMessage(id);
    expect(chat.messages).to.deep.equal([first]);
  });
});
