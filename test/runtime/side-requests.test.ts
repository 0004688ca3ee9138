import { expect } from '@open-wc/testing';
import type { Adapter } from '../../src/protocols/core/adapter.ts';
import { ProtocolRegistry } from '../../src/protocols/registry.ts';
import { connectApp } from '../../src/runtime/chat/request-app.ts';
import { makeChat, wordsOf, type Made } from './support/make-chat.ts';
import { status, stream, type Asked } from './support/scripted-server.ts';
import { END, says, wireAgent } from './support/wire-agent.ts';

const json = (value: unknown) => () => new Response(JSON.stringify(value));
const reply = stream(says({ content: 'Hi' }, END));
const ended = stream(says(END));
const short = ({ url, init, body, headers }: Asked): unknown[] => [
  init.method,
  url.replace(location.origin, ''),
  body,
  headers.get('x-key'),
];

/** An agent that must create a thread first. */
const threaded: Adapter = {
  ...wireAgent,
  async request(turn, { url, ask }) {
    const { json: made } = await ask({ url: `${url}/threads`, init: { method: 'POST', body: {} } });
    return { url: `${url}/threads/${(made as { id: string }).id}`, init: { body: { text: turn.text } } };
  },
};

/** It creates its thread once for a turn, and gives it to its decoder. */
const keeping: Adapter<string> = {
  id: 'keeping',
  async request(_turn, { url, ask, providerState }) {
    if (providerState !== undefined) return { url: `${url}/${providerState}`, init: { body: {} }, providerState };
    const { json: made } = await ask({ url: `${url}/threads`, init: { method: 'POST', body: {} } });
    const { id } = made as { id: string };
    return { url: `${url}/${id}`, init: { body: {} }, providerState: id };
  },
  async *decode(batches, { eventId, providerState = 'unknown' }) {
    for await (const batch of batches) {
      yield batch.map(
        () => ({ type: 'response', data: { eventId, content: providerState, finish: 'complete' } }) as const,
      );
    }
  },
};

/** Its events come on a separate stream. */
const apart: Adapter = {
  ...wireAgent,
  request: (turn, { url }) => ({
    url: `${url}/events`,
    init: { method: 'GET' },
    trigger: { url: `${url}/run`, init: { body: { text: turn.text } } },
  }),
};

describe('preparatory requests of a reply', () => {
  it('are sent before it, with the page’s headers and without its body', async () => {
    const { chat, server } = makeChat([json({ id: 't1' }), reply], {
      protocol: threaded,
      headers: { 'x-key': 'k' },
      body: { tenant: 1 },
    });
    await chat.send('Hello');
    expect(server.asked.map(short)).to.deep.equal([
      ['POST', '/agent/threads', {}, 'k'],
      ['POST', '/agent/threads/t1', { text: 'Hello', tenant: 1 }, 'k'],
    ]);
  });

  it('open no WebSocket, with which the browser would send cookies', async () => {
    const opened: unknown[] = [];
    const { WebSocket } = globalThis;
    class NoSocket extends WebSocket {
      constructor(url: string | URL) {
        opened.push(url);
        super(url);
      }
    }
    Object.assign(globalThis, { WebSocket: NoSocket });
    try {
      const protocol: Adapter = {
        ...wireAgent,
        async request(_turn, { url, ask }) {
          await ask({ url: `ws://${location.host}/upload`, init: { method: 'PUT' }, withoutPageFields: true });
          return { url, init: { body: {} } };
        },
      };
      const { chat, server } = makeChat([reply], { protocol });
      const { status: outcome } = await chat.send('Hello');
      expect(outcome).to.equal('error');
      expect([opened.length, server.asked.length]).to.deep.equal([0, 0]);
    } finally {
      Object.assign(globalThis, { WebSocket });
    }
  });

  it('are not repeated by a retry, and their results reach the decoder', async () => {
    const { chat, server } = makeChat([json({ id: 't1' }), status(503, '', { 'retry-after': '0' }), ended], {
      protocol: keeping,
      retry: 'safe',
    });
    expect(wordsOf(await chat.send('Hello'))).to.deep.equal(['t1']);
    expect(server.asked.map((asked) => short(asked)[1])).to.deep.equal(['/agent/threads', '/agent/t1', '/agent/t1']);
  });

  it('give another protocol’s decoder nothing', async () => {
    const other: Adapter<string> = { ...keeping, id: 'other', detect: () => 'sure' };
    const guessed: Adapter<string> = {
      ...keeping,
      id: 'guessed',
      detect: ({ frames }) => (frames.length > 0 ? 'no' : 'maybe'),
    };
    const protocols = new ProtocolRegistry();
    protocols.register(guessed);
    protocols.register(other);
    const { chat, server } = makeChat([json({ id: 't1' }), ended], { protocol: 'auto' }, { protocols });
    expect(wordsOf(await chat.send('Hello'))).to.deep.equal(['unknown']);
    expect(server.asked).to.have.length(2);
    expect(chat.store.state.protocol).to.equal('other');
  });

  it('send the page’s headers only to its endpoint’s host', async () => {
    const elsewhere: Adapter = {
      ...wireAgent,
      async request(turn, { ask, headers = {} }) {
        await ask({ url: 'https://b.example/card', init: { method: 'GET', headers } });
        return {
          url: 'https://b.example/run',
          init: { headers: { 'X-Own': '1', 'X-Key': 'k' }, body: { text: turn.text } },
        };
      },
    };
    const { chat, server } = makeChat([json({}), reply], { protocol: elsewhere, headers: { 'x-key': 'k' } });
    await chat.send('Hello');
    expect(server.asked.map(({ headers }) => [headers.get('x-key'), headers.get('x-own')])).to.deep.equal([
      [null, null],
      [null, '1'],
    ]);
  });

  it('end the turn when they fail', async () => {
    const { chat, server } = makeChat([status(403, 'No')], { protocol: threaded });
    expect(wordsOf(await chat.send('Hello'))).to.deep.equal(['error: forbidden']);
    expect(server.asked).to.have.length(1);
  });

  it('start the run after its stream is open, with the page’s fields', async () => {
    const { chat, server } = makeChat([reply, json({})], { protocol: apart, body: { tenant: 1 } });
    expect(wordsOf(await chat.send('Hello'))).to.deep.equal(['Hi']);
    expect(server.asked.map(short)).to.deep.equal([
      ['GET', '/agent/events', undefined, null],
      ['POST', '/agent/run', { text: 'Hello', tenant: 1 }, null],
    ]);
  });

  it('end the turn if the run can’t be started', async () => {
    const { chat } = makeChat([reply, status(409, '{"detail":"A run is active"}')], { protocol: apart });
    expect(wordsOf(await chat.send('Hello'))).to.deep.equal(['error: refused']);
  });

  it('close their stream if the run can’t be started', async () => {
    const made: Made = makeChat(
      [
        reply,
        status(503, '', { 'retry-after': '0' }),
        (asked) => {
          expect(made.server.asked[0]?.init.signal?.aborted).to.equal(true);
          return reply(asked);
        },
        json({}),
      ],
      { protocol: apart, retry: 'safe' },
    );
    expect(wordsOf(await made.chat.send('Hello'))).to.deep.equal(['Hi']);
    expect(made.server.asked).to.have.length(4);
  });
});

describe('a request of an MCP app', () => {
  it('has the user’s text as `redact` changes it', async () => {
    const protocol: Adapter = {
      ...wireAgent,
      loadAppRequests: () =>
        Promise.resolve({
          request: (_request, { messages }, { url }) => ({ url, init: { body: { texts: messages.map(wordsOf) } } }),
          result: () => Promise.resolve('Done'),
        }),
    };
    const { chat, server } = makeChat([reply], { protocol, redact: (text) => text.replaceAll('4711', '…') });
    const message = await chat.send('My PIN is 4711');
    const [block] = message.blocks;
    if (!block) throw new Error('There is no block.');
    const connection = connectApp({ chat, act: () => true }, message, block);
    const options = { isAutomatic: true, signal: new AbortController().signal };
    expect(await connection({ uri: 'ui://a', method: 'resources/read', params: {} }, options)).to.equal('Done');
    expect(server.bodies[1]).to.deep.equal({ texts: [['My PIN is …'], ['Hi']] });
  });
});

describe('the agent’s shared state', () => {
  it('is reported when it changes, and stored', async () => {
    const { chat, told } = makeChat(
      [stream(says({ state: { value: { a: 1 } } }, { state: { value: { a: 2 } } }, END))],
      {
        protocol: wireAgent,
      },
    );
    await chat.send('Hello');
    expect(told.states).to.deep.equal([{ a: 1 }, { a: 2 }]);
    expect(chat.store.state.agentState).to.deep.equal({ a: 2 });
    chat.clear();
    expect(chat.store.state.agentState).to.equal(undefined);
  });
});
