import { aTimeout, expect } from '@open-wc/testing';
import type { Adapter } from '../../src/protocols/core/adapter.ts';
import type { ChatSettings } from '../../src/runtime/chat-settings.ts';
import type { FakeSocket } from '../support/fake-socket.ts';
import { socketOf, useFakeSockets } from './support/fake-sockets.ts';
import { wireAgent } from './support/wire-agent.ts';
import { lines, makeChat, pending, until, type Made } from './support/make-chat.ts';

const say = (type: string, data: object): string =>
  JSON.stringify({ type, data, metadata: { timestamp: 1_736_985_600 } });

const start = (settings: ChatSettings = {}): Made =>
  makeChat([], { endpoint: 'wss://agent.example/chat', ...settings });

describe('a reply over a WebSocket', () => {
  useFakeSockets();

  it('sends the request as its first message, and receives the reply as messages', async () => {
    const chat = start({ body: { tenant: 7 } });
    const sent = chat.chat.send('Hi');
    const socket = await socketOf(chat);
    expect(socket.url).to.equal('wss://agent.example/chat');
    expect(socket.sent).to.deep.equal([]);
    socket.open();
    await until(chat.chat, ({ messages }) => messages[0]?.status !== 'sending');
    expect(socket.sent.map((text) => JSON.parse(String(text)) as unknown)).to.deep.equal([
      { messages: [{ role: 'user', content: 'Hi' }], tenant: 7 },
    ]);
    socket.say(say('content', { content: 'Hel' }));
    socket.say(say('content', { content: 'lo.' }), say('session_end', { status: 'completed' }));
    await sent;
    expect(lines(chat.chat)).to.deep.equal(['user complete: Hi', 'assistant complete: Hello.']);
    expect([socket.closed, chat.server.asked.length]).to.deep.equal([true, 0]);
  });

  it('rule 13: shows no key that the server repeats when it closes the socket', async () => {
    const { chat, told, ...made } = start({ endpoint: 'wss://agent.example/chat?token=abcdefgh12345678' });
    const sent = chat.send('Hi');
    const socket = await socketOf({ chat, told, ...made });
    socket.open();
    await until(chat, ({ messages }) => messages[0]?.status !== 'sending');
    const key = ['sk', 'a1B2c3D4e5F6g7H8'].join('-');
    socket.hangUp({ code: 1008, reason: `bad ?token=abcdefgh12345678 ${key}` });
    const { blocks } = await sent;
    expect(told.errors.map(({ message }) => message)).to.deep.equal([
      'The socket was closed with 1008: bad ?token=*** ***.',
    ]);
    expect(JSON.stringify([blocks, told.errors, told.events])).not.to.match(/abcdefgh|a1B2c3D4/);
  });

  it('may be silent while the user is asked, as long as they like', async () => {
    const chat = start({ protocol: wireAgent, limits: { idle: 100 } });
    const sent = chat.chat.send('Hi');
    const socket = await socketOf(chat);
    socket.open();
    await until(chat.chat, ({ messages }) => messages[0]?.status !== 'sending');
    socket.say(JSON.stringify({ ask: { action_type: 'confirmation', content: 'Sure?' } }));
    await until(chat.chat, ({ messages }) => messages.at(-1)?.blocks.length === 1);
    await aTimeout(400);
    expect(pending(chat.chat).status).to.equal('pending');
    void chat.chat.respond(pending(chat.chat).id, 'granted');
    expect((await sent).status).to.equal('interrupted');
  });

  it('sends the first messages of an adapter before the request', async () => {
    const first: Adapter = {
      id: 'first',
      label: 'First',
      kind: 'agent',
      request: (_, { url }) => ({ url, init: { body: { text: 'Hi' } }, firstMessages: ['clear', 'load'] }),
      async *decode(batches, { eventId }) {
        for await (const batch of batches) {
          yield batch.map(({ data }) => ({ type: 'response', data: { eventId, content: data, finish: 'complete' } }));
        }
      },
    };
    const chat = start({ protocol: first });
    const sent = chat.chat.send('Hi');
    const socket = await socketOf(chat);
    socket.open();
    await until(chat.chat, ({ messages }) => messages[0]?.status !== 'sending');
    expect(socket.sent).to.deep.equal(['clear', 'load', '{"text":"Hi"}']);
    socket.say('Hello.');
    await sent;
    expect(lines(chat.chat)).to.deep.equal(['user complete: Hi', 'assistant complete: Hello.']);
  });

  it('is detected like a stream', async () => {
    const chat = start({ protocol: 'auto' });
    const sent = chat.chat.send('Hi');
    const socket = await socketOf(chat);
    socket.open();
    await until(chat.chat, ({ messages }) => messages[0]?.status !== 'sending');
    socket.say(say('session_start', { session_id: 's' }), say('content', { content: 'Hello.' }));
    socket.say(say('session_end', { status: 'completed' }));
    await sent;
    expect(chat.chat.store.state.protocol).to.equal('agent-session');
    expect(lines(chat.chat).at(-1)).to.equal('assistant complete: Hello.');
  });

  it('accepts sub-protocols from transformRequest', async () => {
    const chat = start({ transformRequest: (request) => ({ ...request, subProtocols: ['agent.v1'] }) });
    const sent = chat.chat.send('Hi');
    expect((await socketOf(chat)).protocols).to.deep.equal(['agent.v1']);
    chat.chat.stop();
    await sent;
  });

  it('a socket that does not open is retried if allowed, with the same first message', async () => {
    const chat = start({ retry: 'auto' });
    chat.chat.store.subscribe(() => {
      chat.chat.store.state.wait?.now();
    });
    const sent = chat.chat.send('Hi');
    (await socketOf(chat)).hangUp({ code: 1006, wasClean: false });
    const second = await socketOf(chat, 1);
    second.open();
    await until(chat.chat, ({ messages }) => messages[0]?.status !== 'sending');
    expect(second.sent).to.have.length(1);
    second.say(say('content', { content: 'Hello.' }), say('session_end', { status: 'completed' }));
    await sent;
    expect(lines(chat.chat).at(-1)).to.equal('assistant complete: Hello.');
  });

  const ends: readonly {
    readonly name: string;
    readonly settings?: ChatSettings;
    readonly act: (socket: FakeSocket) => void;
    readonly end: string;
  }[] = [
    {
      name: 'a lost connection',
      act: (socket) => {
        socket.hangUp({ code: 1006, wasClean: false });
      },
      end: 'interrupted: Half | error: dropped',
    },
    {
      name: 'a close without an end marker',
      act: (socket) => {
        socket.hangUp();
      },
      end: 'interrupted: Half | error: cut',
    },
    {
      name: 'silence',
      settings: { limits: { idle: 1 } },
      act: () => undefined,
      end: 'interrupted: Half | error: stalled',
    },
    {
      name: 'a message that is too long',
      settings: { limits: { eventBytes: 120 } },
      act: (socket) => {
        socket.say(say('content', { content: 'x'.repeat(120) }));
      },
      end: 'error: Half | error: event-too-long',
    },
    {
      name: 'too much in total',
      settings: { limits: { streamBytes: 120 } },
      act: (socket) => {
        socket.say(say('content', { content: 'More' }));
      },
      end: 'error: Half | error: stream-too-long',
    },
  ];
  for (const { name, settings = {}, act, end } of ends) {
    it(`${name} ends it, the received text is kept, and the socket is closed`, async () => {
      const chat = start(settings);
      const sent = chat.chat.send('Hi');
      const socket = await socketOf(chat);
      socket.open();
      await until(chat.chat, ({ messages }) => messages[0]?.status !== 'sending');
      socket.say(say('content', { content: 'Half' }));
      await until(chat.chat, ({ messages }) => messages.at(-1)?.blocks.length === 1);
      act(socket);
      await sent;
      expect(lines(chat.chat).at(-1)).to.equal(`assistant ${end}`);
      expect(socket.closed).to.equal(true);
    });
  }

  for (const [name, opened] of [
    ['before it is open', false],
    ['while it speaks', true],
  ] as const) {
    it(`stopping ${name} closes it`, async () => {
      const chat = start();
      const sent = chat.chat.send('Hi');
      const socket = await socketOf(chat);
      if (opened) {
        socket.open();
        await until(chat.chat, ({ messages }) => messages[0]?.status !== 'sending');
      }
      chat.chat.stop();
      expect((await sent).status).to.equal('cancelled');
      expect(socket.closed).to.equal(true);
    });
  }
});
