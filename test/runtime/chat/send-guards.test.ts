import { expect } from '@open-wc/testing';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import { ChatError } from '../../../src/errors.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import type { Chat } from '../../../src/runtime/chat/chat.ts';
import type { MessageOrigin } from '../../../src/runtime/chat/message-origin.ts';
import { openGuards, type Guards } from '../../../src/runtime/chat/send-guards.ts';
import { lines, makeChat, pending, until, wordsOf, type Made } from '../support/make-chat.ts';
import { sse } from '../../support/play-body.ts';
import { session, stream } from '../support/scripted-server.ts';
import { END, replaying, says } from '../support/wire-agent.ts';
import { completeMessage } from '../../../src/runtime/chat/user-message.ts';
import { moveUnsent } from '../../../src/storage/threads/move-unsent.ts';

/** Guards that the test controls. */
function doors({ storage = false, consent = false } = {}) {
  const read = Promise.withResolvers<undefined>();
  const asked: PromiseWithResolvers<boolean>[] = [];
  const state = { reading: storage, owner: 'A', accepted: !consent };
  const guards: Guards = {
    ready: () => (state.reading ? read.promise : undefined),
    terms: () =>
      consent
        ? ({ quiet, signal }) => {
            if (quiet || state.accepted) return Promise.resolve(state.accepted);
            const question = Promise.withResolvers<boolean>();
            signal.addEventListener('abort', () => {
              question.resolve(false);
            });
            asked.push(question);
            return question.promise;
          }
        : undefined,
    owner: () => state.owner,
  };
  return {
    guards,
    state,
    asked,
    /** The storage has answered. */
    open(): void {
      state.reading = false;
      read.resolve(undefined);
    },
    /** The user answers the open request. */
    async answer(accepted: boolean): Promise<void> {
      while (asked.length === 0) await microtasks();
      state.accepted = accepted;
      asked.splice(0).forEach(({ resolve }) => {
        resolve(accepted);
      });
      await microtasks();
    },
  };
}

const microtasks = async (): Promise<void> => {
  for (let count = 0; count < 20; count++) await Promise.resolve();
};

const HISTORY: readonly MessageInput[] = [
  { id: 'u', role: 'user', text: 'Before' },
  { id: 'a', role: 'assistant', text: 'Cut', status: 'interrupted' },
];

/** Each method of the conversation that sends something. */
const ENTRIES: Readonly<Record<string, (chat: Chat, origin?: MessageOrigin) => Promise<unknown>>> = {
  send: (chat, origin) => chat.send('Words', { origin }),
  edit: (chat, origin) => chat.edit('u', 'Words', { origin }),
  regenerate: (chat) => chat.regenerate(),
  resume: (chat) => chat.resume(),
};

const PERMISSION = {
  tool_call: 'permission-required',
  tool_call_id: 't',
  tool_call_name: 'write_file',
  tool_call_params: '{}',
  permission_request: { toolName: 'write_file', serverName: 'files', permissionType: 'write', description: 'Write' },
} as const;

const reply = (): ReturnType<typeof stream> => stream(session('Yes.'));

function made(door: ReturnType<typeof doors>, settings = {}, keepsBack = false): Made {
  const said = stream(says({ content: 'Yes.' }, END));
  const it = makeChat([said, said], { protocol: replaying, ...settings }, { guards: door.guards, keepsBack });
  it.chat.replace({ path: HISTORY, hidden: [] });
  return it;
}

const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof ChatError ? error.reason : String(error)),
  );

describe('sending to the agent', () => {
  for (const [name, enter] of Object.entries(ENTRIES)) {
    describe(name, () => {
      it('is synchronous if nothing has to be waited for', async () => {
        const { chat, server } = made(doors());
        void enter(chat);
        expect(chat.busy).to.equal(true);
        await server.heard(1);
      });

      it('waits for the storage, then sends once', async () => {
        const door = doors({ storage: true });
        const { chat, server } = made(door);
        const done = enter(chat);
        await microtasks();
        expect([server.asked.length, chat.busy]).to.deep.equal([0, false]);
        door.open();
        await done;
        expect(server.asked).to.have.length(1);
      });

      it('waits for consent, then sends once', async () => {
        const door = doors({ consent: true });
        const { chat, server } = made(door);
        const done = enter(chat);
        await microtasks();
        expect(server.asked).to.have.length(0);
        await door.answer(true);
        await done;
        expect(server.asked).to.have.length(1);
      });

      it('asks for consent only after the storage has answered', async () => {
        const door = doors({ storage: true, consent: true });
        const { chat } = made(door);
        void enter(chat);
        await microtasks();
        expect(door.asked).to.have.length(0);
        door.open();
        await door.answer(true);
      });

      it('sends nothing without consent, and resolves as failed', async () => {
        const door = doors({ consent: true });
        const { chat, server, told } = made(door);
        const done = enter(chat);
        await door.answer(false);
        expect(((await done) as ChatMessage).status).to.equal('failed');
        expect([server.asked.length, chat.busy, told.errors.length]).to.deep.equal([0, false, 0]);
        expect(wordsOf(chat.messages[1] ?? ({ blocks: [] } as unknown as ChatMessage))).to.deep.equal(['Cut']);
      });

      it('sends nothing for another user', async () => {
        const door = doors({ storage: true });
        const { chat, server } = made(door);
        const done = enter(chat);
        door.state.owner = 'B';
        door.open();
        expect(((await done) as ChatMessage).status).to.equal('failed');
        expect(server.asked).to.have.length(0);
      });

      it('sends nothing if the user changes while consent is requested, even if it is granted', async () => {
        const door = doors({ consent: true });
        const { chat, server } = made(door);
        const done = enter(chat);
        await microtasks();
        door.state.owner = 'B';
        await door.answer(true);
        expect(((await done) as ChatMessage).status).to.equal('failed');
        expect(server.asked).to.have.length(0);
      });

      it('rejects without an endpoint, before and after waiting', async () => {
        const { chat } = made(doors(), { endpoint: '' });
        expect(await reasonOf(enter(chat))).to.equal('no-endpoint');
        const door = doors({ storage: true });
        const other = made(door, { endpoint: '' });
        const waiting = reasonOf(enter(other.chat));
        door.open();
        expect(await waiting).to.equal('no-endpoint');
      });
    });
  }

  for (const name of ['send', 'edit'] as const) {
    it(`${name} is stopped if the page prevents the event`, async () => {
      const { chat, server } = made(doors(), {}, true);
      expect(((await ENTRIES[name]?.(chat)) as ChatMessage).status).to.equal('failed');
      expect([server.asked.length, chat.messages.length]).to.deep.equal([0, 2]);
    });

    it(`${name} rejects text that is too long, before and after waiting`, async () => {
      const limits = { inputLength: 2 };
      expect(await reasonOf(ENTRIES[name]?.(made(doors(), { limits }).chat) ?? Promise.resolve())).to.equal(
        'input-too-long',
      );
      const door = doors({ storage: true });
      const waiting = reasonOf(ENTRIES[name]?.(made(door, { limits }).chat) ?? Promise.resolve());
      door.open();
      expect(await waiting).to.equal('input-too-long');
    });
  }

  it('an answer to the agent waits for consent, and the request stays open without it', async () => {
    const door = doors({ consent: true });
    door.state.accepted = true;
    const asking = stream(
      sse(
        { type: 'response', data: { eventId: 'e', ...PERMISSION } },
        { type: 'end', data: { eventId: 'e', userStop: false } },
      ),
    );
    const { chat, server } = makeChat([asking, asking], { protocol: 'deepchat-events' }, { guards: door.guards });
    void chat.send('Do it');
    await until(chat, () => chat.status === 'awaiting-action');
    door.state.accepted = false;
    const first = chat.respond(pending(chat).id, 'granted');
    await door.answer(false);
    await first;
    expect([server.asked.length, chat.status]).to.deep.equal([1, 'awaiting-action']);
    const second = chat.respond(pending(chat).id, 'granted');
    await door.answer(true);
    await second;
    await server.heard(2);
  });

  it('a queued message asks for consent again when it is sent, and stays in the queue without it', async () => {
    const door = doors({ consent: true });
    door.state.accepted = true;
    const first = Promise.withResolvers<Response>();
    const { chat, server } = makeChat([() => first.promise, reply()], {}, { guards: door.guards });
    const one = chat.send('1');
    void chat.send('2');
    await until(chat, () => chat.store.state.queue.length === 1);
    door.state.accepted = false;
    first.resolve(new Response(session('One.')));
    await one;
    await door.answer(false);
    expect([server.asked.length, lines(chat).at(-1)]).to.deep.equal([1, 'user queued: 2']);
    chat.sendNow(chat.messages.at(-1)?.id ?? '');
    await door.answer(true);
    await server.heard(2);
  });

  it('a message that waits for consent is the next one, which can be stopped, when the reply before it is over', async () => {
    const door = doors({ consent: true });
    door.state.accepted = true;
    const first = Promise.withResolvers<Response>();
    const { chat, server } = makeChat([() => first.promise, reply()], {}, { guards: door.guards });
    const one = chat.send('1');
    await server.heard(1);
    door.state.accepted = false;
    const two = chat.send('2');
    expect(lines(chat).at(-1)).to.equal('user queued: 2');
    first.resolve(new Response(session('One.')));
    await one;
    await microtasks();
    expect([chat.status, lines(chat).at(-1)]).to.deep.equal(['connecting', 'user sending: 2']);
    await door.answer(true);
    expect((await two).status).to.equal('complete');
  });

  it('a reply is not resumed automatically without consent, and no consent is requested', async () => {
    const door = doors({ consent: true });
    const { chat, server } = made(door);
    await reasonOf(chat.resume({ quietly: true }));
    expect([server.asked.length, door.asked.length, chat.messages.at(-1)?.status]).to.deep.equal([0, 0, 'interrupted']);
  });

  it('consent is not requested again if a restored reply moves to the front while the user declines it', async () => {
    const door = doors({ storage: true, consent: true });
    const { chat } = made(door);
    const sent = chat.send('Words');
    const resumed = reasonOf(chat.resume({ quietly: true }));
    door.open();
    await door.answer(false);
    expect((await sent).status).to.equal('failed');
    expect(await resumed).to.equal('no-resume');
    expect(door.asked).to.have.length(0);
    expect(lines(chat)).to.deep.equal(['user complete: Before', 'assistant interrupted: Cut', 'user failed: Words']);
  });
});

describe('a reply whose consent can’t be requested', () => {
  for (const { name, start, reason } of [
    { name: 'regenerate()', start: (chat: Chat) => chat.regenerate(), reason: 'dropped' },
    { name: 'resume()', start: (chat: Chat) => chat.resume(), reason: 'dropped' },
    { name: 'an automatic resume', start: (chat: Chat) => chat.resume({ quietly: true }), reason: 'no-resume' },
  ])
    it(`is not requested, and ${name} rejects`, async () => {
      const door = doors({ consent: true });
      const failure = new ChatError('network', 'No connection.', { reason: 'dropped' });
      const terms = () => () => Promise.reject(failure);
      const { chat, server } = made({ ...door, guards: { ...door.guards, terms } });
      expect(await reasonOf(start(chat))).to.equal(reason);
      expect([server.asked.length, lines(chat).at(-1)]).to.deep.equal([0, 'assistant interrupted: Cut']);
    });
});

const UNSETTLED = new Set(['sending', 'queued', 'streaming']);
const isSettled = (chat: Chat): boolean =>
  chat.status === 'idle' && !chat.hasPending && chat.messages.every(({ status }) => !UNSETTLED.has(status));

describe('messages that wait', () => {
  const storage = () => {
    const door = doors({ storage: true });
    return { door, ...makeChat([reply(), reply(), reply()], {}, { guards: door.guards }) };
  };

  it('are in the conversation immediately', () => {
    const { chat } = storage();
    void chat.send('1');
    void chat.send('2');
    expect(lines(chat)).to.deep.equal(['user sending: 1', 'user queued: 2']);
    expect(chat.status).to.equal('connecting');
  });

  it('are sent in the order of the calls', async () => {
    const { chat, door } = storage();
    const sent = [chat.send('1'), chat.send('2')];
    const added = chat.addMessage({ role: 'assistant', text: 'Note' });
    sent.push(chat.send('3'));
    door.open();
    await Promise.all(sent);
    expect(lines(chat)[0]).to.equal('user complete: 1');
    expect(lines(chat).filter((line) => line.startsWith('user'))).to.deep.equal([
      'user complete: 1',
      'user complete: 2',
      'user complete: 3',
    ]);
    expect(chat.messages.map(({ id }) => id)).to.include(added.id);
  });

  /** A page without storage is the reference: with storage, the same calls have the same result. */
  const CALLS: Readonly<Record<string, (chat: Chat) => unknown>> = {
    'send, stop': (chat) => {
      void chat.send('1');
      chat.stop();
    },
    'send, send, stop': (chat) => {
      void chat.send('1');
      void chat.send('2');
      chat.stop();
    },
    'send, clear': (chat) => {
      void chat.send('1');
      chat.clear();
    },
    'send, clear, send': (chat) => {
      void chat.send('1');
      chat.clear();
      void chat.send('2');
    },
    'send, assigned messages': (chat) => {
      void chat.send('1');
      chat.messages = [{ role: 'user', text: 'Given' }];
    },
    'assigned messages, send': (chat) => {
      chat.messages = [{ role: 'user', text: 'Given' }];
      void chat.send('1');
    },
    'send, removal': (chat) => {
      void chat.send('1');
      chat.removeMessage(chat.messages[0]?.id ?? '');
      void chat.send('2');
    },
    'send, aborted': (chat) => {
      const controller = new AbortController();
      void chat.send('1', { signal: controller.signal });
      controller.abort();
    },
    'add, send': (chat) => {
      chat.addMessage({ role: 'assistant', text: 'Hello' });
      void chat.send('1');
    },
  };
  for (const [name, call] of Object.entries(CALLS)) {
    it(`end as without waiting: ${name}`, async () => {
      const plain = makeChat([reply(), reply()]);
      call(plain.chat);
      await until(plain.chat, isSettled);
      const slow = storage();
      call(slow.chat);
      slow.door.open();
      await until(slow.chat, isSettled);
      // Removing a message that is being sent leaves its reply. A waiting message has no reply yet.
      const compared = name === 'send, removal' ? (line: string) => line.startsWith('user') : () => true;
      expect(lines(slow.chat).filter(compared)).to.deep.equal(lines(plain.chat).filter(compared));
    });
  }

  it('keep their order with an import before them', async () => {
    const { chat, door } = storage();
    const loading = Promise.withResolvers<{ path: ChatMessage[]; hidden: ChatMessage[] }>();
    const imported = chat.import(loading.promise);
    const sent = chat.send('1');
    door.open();
    await microtasks();
    loading.resolve({ path: HISTORY as unknown as ChatMessage[], hidden: [] });
    await Promise.all([imported, sent]);
    expect(lines(chat)).to.deep.equal([
      'user complete: Before',
      'assistant interrupted: Cut',
      'user complete: 1',
      'assistant complete: Yes.',
    ]);
  });

  it('fail when the conversation is no longer shown, and can be sent again', async () => {
    const { chat, door, told } = storage();
    const sent = chat.send('1');
    chat.interrupt();
    expect((await sent).status).to.equal('failed');
    expect([lines(chat), told.errors.length]).to.deep.equal([['user failed: 1'], 1]);
    door.open();
    await chat.resend(chat.messages[0]?.id ?? '');
    expect(lines(chat)).to.deep.equal(['user complete: 1', 'assistant complete: Yes.']);
  });

  it('fail with an error event if a guard can’t be loaded', async () => {
    const guards: Guards = {
      ready: () => undefined,
      owner: () => 'A',
      terms: () => () => Promise.reject(new ChatError('load', 'No chunk.')),
    };
    const { chat, told } = makeChat([], {}, { guards });
    expect((await chat.send('1')).status).to.equal('failed');
    expect([lines(chat), told.errors.map(({ kind }) => kind)]).to.deep.equal([['user failed: 1'], ['load']]);
  });
});

describe('messages that wait', () => {
  it('the next one is shown as the next when the first is aborted', async () => {
    const door = doors({ storage: true });
    const { chat } = made(door);
    const abort = new AbortController();
    const first = chat.send('First', { signal: abort.signal });
    const second = chat.send('Second');
    const third = chat.send('Third');
    const statuses = (): readonly unknown[] => chat.store.state.pending.map(({ status }) => status);
    expect([chat.status, statuses()]).to.deep.equal(['connecting', ['sending', 'queued', 'queued']]);
    abort.abort();
    await first;
    expect([chat.status, statuses()]).to.deep.equal(['connecting', ['sending', 'queued']]);
    door.open();
    await Promise.all([second, third]);
    expect(lines(chat).slice(-4)).to.deep.equal([
      'user complete: Second',
      'assistant complete: Yes.',
      'user complete: Third',
      'assistant complete: Yes.',
    ]);
  });
});

describe('resend()', () => {
  const failed = { role: 'user', text: 'Lost?', status: 'failed' } as const;

  for (const storage of [false, true]) {
    const when = storage ? 'after waiting' : 'immediately';
    it(`leaves the message as failed if the page prevents the event, ${when}`, async () => {
      const door = doors({ storage });
      const { chat, told } = makeChat([reply()], {}, { guards: door.guards, keepsBack: true });
      chat.replace({ path: [failed], hidden: [] });
      const resent = chat.resend(chat.messages[0]?.id ?? '');
      door.open();
      expect((await resent).status).to.equal('failed');
      expect([lines(chat), told.messages.length]).to.deep.equal([['user failed: Lost?'], 1]);
    });

    it(`leaves the message as failed if it can’t be sent, ${when}`, async () => {
      const door = doors({ storage });
      const { chat, set } = makeChat([reply()], { endpoint: '' }, { guards: door.guards });
      chat.replace({ path: [failed], hidden: [] });
      const reason = reasonOf(chat.resend(chat.messages[0]?.id ?? ''));
      door.open();
      expect(await reason).to.equal('no-endpoint');
      expect(lines(chat)).to.deep.equal(['user failed: Lost?']);
      set({ endpoint: '/agent' });
      await chat.resend(chat.messages[0]?.id ?? '');
      expect(lines(chat)).to.deep.equal(['user complete: Lost?', 'assistant complete: Yes.']);
    });
  }
});

describe('text from the composer', () => {
  /** Whether the text is in the composer. */
  function writing() {
    const events: string[] = [];
    const origin: MessageOrigin = {
      taken: () => events.push('taken'),
      restoreDraft: (message) => events.push(`back: ${wordsOf(message).join('')}`),
    };
    return { events, origin };
  }

  it('is removed from the composer when it is sent', async () => {
    const { events, origin } = writing();
    const { chat } = makeChat([reply()]);
    await chat.send('Words', { origin });
    expect(events).to.deep.equal(['taken']);
  });

  it('is removed while the storage is waited for', () => {
    const { events, origin } = writing();
    const { chat } = makeChat([], {}, { guards: doors({ storage: true }).guards });
    void chat.send('Words', { origin });
    expect([events, lines(chat)]).to.deep.equal([['taken'], ['user sending: Words']]);
  });

  it('stays while consent is requested, and when it is refused', async () => {
    const { events, origin } = writing();
    const door = doors({ consent: true });
    const { chat } = makeChat([], {}, { guards: door.guards });
    const done = chat.send('Words', { origin });
    await door.answer(false);
    await done;
    expect([events, lines(chat)]).to.deep.equal([[], []]);
  });

  it('stays if consent can’t be requested, and the sender is told', async () => {
    const { events, origin } = writing();
    const guards: Guards = { ...openGuards, terms: () => () => Promise.reject(new Error('not loaded')) };
    const { chat, server } = makeChat([], {}, { guards });
    const refused = await chat.send('Words', { origin }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refused).to.be.instanceOf(ChatError);
    expect([events, lines(chat), server.asked.length]).to.deep.equal([[], [], 0]);
  });

  it('is never removed if it is invalid or prevented immediately', async () => {
    const { events, origin } = writing();
    const { chat } = makeChat([], {}, { keepsBack: true });
    await chat.send('Words', { origin });
    await reasonOf(makeChat([], { endpoint: '' }).chat.send('Words', { origin }));
    expect(events).to.deep.equal([]);
  });

  it('is restored if it is invalid or prevented after waiting', async () => {
    for (const [settings, keepsBack] of [
      [{}, true],
      [{ endpoint: '' }, false],
    ] as const) {
      const { events, origin } = writing();
      const door = doors({ storage: true });
      const { chat } = makeChat([], settings, { guards: door.guards, keepsBack });
      const done = reasonOf(chat.send('Words', { origin }));
      door.open();
      await done;
      expect([events, lines(chat)]).to.deep.equal([['taken', 'back: Words'], []]);
    }
  });

  it('is never restored for another user', async () => {
    const { events, origin } = writing();
    const door = doors({ storage: true });
    const { chat } = makeChat([], {}, { guards: door.guards });
    const done = chat.send('Words', { origin });
    door.state.owner = 'B';
    door.open();
    await done;
    expect([events, lines(chat)]).to.deep.equal([['taken'], ['user failed: Words']]);
  });

  it('is sent in the conversation that replaces one deleted by another tab', async () => {
    const door = doors({ storage: true });
    const deleted = makeChat([reply()], {}, { guards: door.guards });
    const next = makeChat([reply()]);
    const sent = deleted.chat.send('Words');
    const earlier = completeMessage({ role: 'user', text: 'Earlier', parentId: 'a' });
    moveUnsent(deleted.chat, next.chat, [earlier]);
    expect((await sent).role).to.equal('assistant');
    expect([lines(deleted.chat), lines(next.chat).slice(0, 2)]).to.deep.equal([
      [],
      ['user failed: Earlier', 'user complete: Words'],
    ]);
    expect([deleted.server.asked.length, next.server.asked.length]).to.deep.equal([0, 1]);
  });

  it('is stopped there by its signal', async () => {
    const door = doors({ storage: true });
    const deleted = makeChat([], {}, { guards: door.guards });
    const next = makeChat([reply()], {}, { guards: doors({ storage: true }).guards });
    const stop = new AbortController();
    const sent = deleted.chat.send('Words', { signal: stop.signal });
    moveUnsent(deleted.chat, next.chat);
    stop.abort();
    await sent;
    expect(lines(next.chat)[0]).to.equal('user failed: Words');
    expect(next.server.asked.length).to.equal(0);
  });

  it('is stopped there by its signal, also if its turn was about to start', async () => {
    const never = { prepareTurn: () => new Promise<never>(() => undefined) };
    const [deleted, next] = [makeChat([], {}, never), makeChat([], {}, never)];
    const stop = new AbortController();
    const sent = deleted.chat.send('Words', { signal: stop.signal });
    moveUnsent(deleted.chat, next.chat);
    deleted.chat.interrupt();
    expect(lines(next.chat)).to.deep.equal(['user sending: Words']);
    stop.abort();
    expect((await sent).status).to.equal('cancelled');
    expect(lines(next.chat)[0]).to.equal('user failed: Words');
    expect([deleted.told.messages, deleted.told.errors]).to.deep.equal([[], []]);
  });
});

describe('"Send now" for a message that waits for storage or consent', () => {
  it('is sent before the others', async () => {
    const door = doors({ storage: true });
    const { chat } = makeChat([reply()], {}, { guards: door.guards });
    const sent = ['First', 'Second', 'Now'].map((text) => chat.send(text));
    const id = chat.store.state.pending[2]?.id ?? '';
    chat.sendNow(id);
    expect(lines(chat)).to.deep.equal(['user sending: Now', 'user sending: First', 'user queued: Second']);
    door.open();
    await Promise.all(sent);
    expect(lines(chat).filter((line) => line.startsWith('user'))).to.deep.equal([
      'user complete: Now',
      'user complete: First',
      'user complete: Second',
    ]);
  });

  it('stops the reply that runs when its guards have passed', async () => {
    const door = doors({ consent: true });
    door.state.accepted = true;
    const script = [() => new Promise<Response>(() => undefined), reply()];
    const { chat, server } = makeChat(script, {}, { guards: door.guards });
    const first = chat.send('First');
    await server.heard(1);
    const sent = chat.send('Now');
    chat.sendNow(chat.store.state.pending[0]?.id ?? '');
    expect((await first).status).to.equal('cancelled');
    expect((await sent).status).to.equal('complete');
  });

  it('does not overtake an import', async () => {
    const door = doors({ storage: true });
    const { chat } = makeChat([reply()], {}, { guards: door.guards });
    const first = chat.send('First');
    void chat.import(Promise.resolve({ path: [{ role: 'user', text: 'Imported' }], hidden: [] }));
    const sent = chat.send('Now');
    chat.sendNow(chat.store.state.pending[1]?.id ?? '');
    door.open();
    await Promise.all([first, sent]);
    expect(lines(chat).filter((line) => line.startsWith('user'))).to.deep.equal([
      'user complete: Imported',
      'user complete: Now',
    ]);
  });
});
