import { expect } from '@open-wc/testing';
import { readWebSocket } from '../../src/transport/websocket.ts';
import { bytesOf } from '../support/cuts.ts';
import { FakeSocket } from '../support/fake-socket.ts';

const bufferOf = (text: string): ArrayBuffer => bytesOf(text).slice().buffer;

const LIMITS = { maxEventLength: 100, maxStreamBytes: 1000 };

/** Reads a socket on which something happens, to its end. */
async function read(happens: (socket: FakeSocket) => void): Promise<{ data: readonly string[]; error?: unknown }> {
  const socket = new FakeSocket();
  const data: string[] = [];
  const batches = readWebSocket(socket.asSocket(), LIMITS);
  const first = batches.next();
  happens(socket);
  try {
    for (let next = await first; !next.done; next = await batches.next()) {
      data.push(...next.value.map((frame) => frame.data));
    }
    return { data };
  } catch (error) {
    return { data, error };
  }
}

const rows: readonly {
  readonly name: string;
  readonly messages: readonly (string | ArrayBuffer)[];
  readonly data: readonly string[];
}[] = [
  { name: 'text', messages: ['a', 'b'], data: ['a', 'b'] },
  { name: 'binary', messages: [bufferOf('ä中😀')], data: ['ä中😀'] },
  { name: 'words keep the space around them', messages: ['Hello ', ' world\n'], data: ['Hello ', ' world\n'] },
  {
    name: 'server-sent events in messages',
    messages: ['data: {"a":1}\n\n', 'data:{"b":2}'],
    data: ['{"a":1}', '{"b":2}'],
  },
  { name: 'an end mark', messages: ['data: [DONE]\n\n'], data: ['[DONE]'] },
  { name: 'none', messages: [], data: [] },
];

const ends: readonly { readonly name: string; readonly close: CloseEventInit; readonly kind?: string }[] = [
  { name: 'a normal close', close: { code: 1000, wasClean: true } },
  { name: 'a close without a code', close: { code: 1005, wasClean: true } },
  { name: 'going away', close: { code: 1001, wasClean: true }, kind: 'network' },
  { name: 'a connection that was lost', close: { code: 1006, wasClean: false }, kind: 'network' },
  { name: 'an error of the server', close: { code: 1011, wasClean: true, reason: 'boom' }, kind: 'network' },
];

describe('readSocket', () => {
  for (const { name, messages, data } of rows) {
    it(name, async () => {
      const result = await read((socket) => {
        socket.say(...messages);
        socket.hangUp();
      });
      expect(result).to.deep.equal({ data });
    });
  }

  for (const { name, close, kind } of ends) {
    it(`ends: ${name}`, async () => {
      const { data, error } = await read((socket) => {
        socket.say('a');
        socket.hangUp(close);
      });
      expect(data).to.deep.equal(['a']);
      if (kind) expect(error).to.include({ kind, reason: 'dropped', retryable: true });
      else expect(error).to.equal(undefined);
    });
  }

  it('says what the server gave as a reason', async () => {
    const { error } = await read((socket) => {
      socket.hangUp({ code: 1011, wasClean: true, reason: 'boom' });
    });
    expect(error).to.have.property('message', 'The socket was closed with 1011: boom.');
  });

  it('reports the code alone if the server gave no reason', async () => {
    const { error } = await read((socket) => {
      socket.hangUp({ code: 1006, wasClean: false });
    });
    expect(error).to.have.property('message', 'The socket was closed with 1006.');
  });

  it('gives what came while nobody was reading as one batch', async () => {
    const socket = new FakeSocket();
    const batches = readWebSocket(socket.asSocket(), LIMITS);
    const first = batches.next();
    socket.say('a');
    await first;
    socket.say('b', 'c');
    expect((await batches.next()).value).to.deep.equal([{ data: 'b' }, { data: 'c' }]);
  });

  it('stops at a message past the limit, after what came before', async () => {
    const { data, error } = await read((socket) => {
      socket.say('a', 'x'.repeat(101));
    });
    expect(data).to.deep.equal(['a']);
    expect(error).to.have.property('kind', 'limit');
  });

  it('reports the message past the limit, even if the connection is lost then', async () => {
    const { error } = await read((socket) => {
      socket.say('x'.repeat(101));
      socket.hangUp({ code: 1006, wasClean: false });
    });
    expect(error).to.include({ kind: 'limit', message: 'The event is longer than 100 characters, see "limits".' });
  });

  it('takes a message of just the limit', async () => {
    const { data, error } = await read((socket) => {
      socket.say('x'.repeat(100));
      socket.hangUp();
    });
    expect(data).to.deep.equal(['x'.repeat(100)]);
    expect(error).to.equal(undefined);
  });

  for (const { name, messages, kept } of [
    { name: 'long ones', messages: Array.from({ length: 20 }, () => 'x'.repeat(84)), kept: 10 },
    { name: 'empty ones', messages: Array.from({ length: 200 }, () => ''), kept: 62 },
  ]) {
    it(`rule 12: closes a socket that sends more than the limit before anybody reads, and keeps what came before: ${name}`, async () => {
      let isClosed = false;
      const { data, error } = await read((socket) => {
        socket.say(...messages);
        isClosed = socket.closed;
      });
      expect(isClosed).to.equal(true);
      expect(data).to.have.length(kept);
      expect(error).to.include({ kind: 'limit', reason: 'stream-too-long' });
    });
  }

  it('closes the socket when its reader ends', async () => {
    const socket = new FakeSocket();
    const batches = readWebSocket(socket.asSocket(), LIMITS);
    const first = batches.next();
    socket.say('a');
    await first;
    await batches.return(undefined);
    expect(socket.closed).to.equal(true);
  });
});
