import { expect } from '@open-wc/testing';
import { ChatError } from '../../../src/errors.ts';
import type { Adapter } from '../../../src/protocols/core/adapter.ts';
import { ProtocolRegistry } from '../../../src/protocols/registry.ts';
import { detectProtocol } from '../../../src/runtime/stream/detect-protocol.ts';
import { openFrames } from '../../../src/transport/open-frames.ts';
import { chunksOf } from '../../support/cuts.ts';
import { PIXEL } from '../../support/pixel.ts';
import { ndjson, sse } from '../../support/play-body.ts';
import { lines, makeChat } from '../support/make-chat.ts';
import { completionOf, session, stream, watchedBody } from '../support/scripted-server.ts';

const auto = { protocol: 'auto' };
const PAGE = '<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>';

async function find(body: string, pieces = [body]): Promise<string> {
  const url = new URL('https://agent.example/x');
  try {
    const frames = await openFrames(chunksOf(pieces));
    const { entry, batches } = await detectProtocol(
      frames,
      { url, headers: new Headers() },
      new ProtocolRegistry().list(),
    );
    let count = 0;
    for await (const batch of batches) count += batch.length;
    return `${entry.id}, ${String(count)} frames`;
  } catch (error) {
    return error instanceof ChatError ? `${error.kind}: ${error.reason}` : String(error);
  }
}

describe('detectProtocol()', () => {
  const ping = ': ping\n\n';
  const rows = [
    { name: 'session events', body: session('Hello.'), found: 'agent-session, 2 frames' },
    { name: 'a chat completion', body: completionOf('Hello.'), found: 'openai-chat, 3 frames' },
    { name: 'leading comments', body: ping + session('Hello.'), found: 'agent-session, 2 frames' },
    { name: 'plain text', body: 'Hello there.', found: 'text, 1 frames' },
    { name: 'a web page', body: PAGE, found: 'unsupported-stream: html' },
    {
      name: 'unknown events',
      body: sse({ kind: 'x' }, { kind: 'y' }),
      found: 'unsupported-stream: unsupported',
    },
    {
      name: 'broken events before those of a session',
      body: sse('{"type":"con', '{"type":"content","data":{"con', '[{"a"', '{"', '{ "b') + session('Hello.'),
      found: 'agent-session, 7 frames',
    },
    {
      name: 'broken lines before those of a session',
      body: `{"type":"con\n{"type":"content","data":{"con\n\n{"b\n${ndjson(
        { type: 'session_start', data: { session_id: 's' } },
        { type: 'content', data: { content: 'Hello.' } },
      )}`,
      found: 'agent-session, 5 frames',
    },
    { name: 'only broken events', body: sse('{"type":"con', '{"type":"te'), found: 'text, 2 frames' },
    { name: 'text that begins like JSON', body: sse('{"', 'a', '": 1}', ' is'), found: 'text, 4 frames' },
    { name: 'nothing', body: '', found: 'protocol: empty' },
    { name: 'only comments', body: ping, found: 'protocol: empty' },
  ];
  for (const { name, body, found } of rows) {
    it(`${name}: ${found}, however it is cut`, async () => {
      expect(await find(body)).to.equal(found);
      expect((await find(body, Array.from(body))).replace(/\d+ frames/, '')).to.equal(found.replace(/\d+ frames/, ''));
    });
  }

  it('decides within a bounded number of frames, and loses none of them', async () => {
    const strange = sse(...Array.from({ length: 16 }, () => ({ kind: 'x' })));
    const body = watchedBody([strange]);
    const { chat } = makeChat([body.response], auto);
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal('assistant error: error: unsupported');
    expect(body.cancelled).to.equal(true);
  });

  it('reports the first characters, as text', async () => {
    const { chat, told } = makeChat([stream(PAGE)], auto);
    const answer = await chat.send('Hi');
    expect(told.errors[0]?.kind).to.equal('unsupported-stream');
    expect(told.errors[0]?.message).to.contain('It begins: <!DOCTYPE html>');
    expect(answer.blocks.map(({ type }) => type)).to.deep.equal(['error']);
  });

  it('an HTML page is refused with a configured protocol too', async () => {
    const { chat } = makeChat([stream(PAGE)]);
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal('assistant error: error: html');
  });
});

describe('protocol=auto', () => {
  /** A reply whose connection is lost after these events. */
  const lost = (...events: readonly string[]) => {
    const pieces = events.map((event) => new TextEncoder().encode(event));
    return () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            const piece = pieces.shift();
            if (piece) controller.enqueue(piece);
            else controller.error(new TypeError('network error'));
          },
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      );
  };

  it('keeps the text of a connection that is lost before the protocol is certain', async () => {
    const { chat, told } = makeChat([lost(sse({ token: 'Half ' }), sse({ token: 'a word' }))], auto);
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.match(/^assistant interrupted: Half a word/);
    expect(told.errors.map(({ kind }) => kind)).to.deep.equal(['network']);
  });

  it('reports the lost connection, not an unknown format, if the events fit no protocol', async () => {
    const { chat, told } = makeChat([lost(sse({ zzy: 'Half ' }))], auto);
    await chat.send('Hi');
    expect(told.errors.map(({ kind }) => kind)).to.deep.equal(['network']);
  });

  it('sends the fields of the common protocols, then uses the detected one', async () => {
    const { chat, server } = makeChat([stream(session('Hello.'))], auto);
    await chat.send('Hi');
    expect(chat.store.state.protocol).to.equal('agent-session');
    await chat.send('And?');
    expect(server.bodies[0]).to.deep.include({ message: 'Hi', threadId: chat.threadId, stream: true });
    expect(server.bodies[1]).to.deep.equal({
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'And?' },
      ],
    });
  });

  it('stores the result for each endpoint', async () => {
    const { chat, server, set } = makeChat([stream(session('Hello.'))], auto);
    await chat.send('Hi');
    set({ endpoint: '/other' });
    await chat.send('And?');
    set({ endpoint: '/agent' });
    await chat.send('And?');
    const asked = server.bodies.map((body) => 'threadId' in (body as object));
    expect(asked).to.deep.equal([true, true, false]);
  });

  it('reads a response in another protocol than was detected before', async () => {
    const { chat } = makeChat([stream(session('Hello.')), stream(completionOf('Good day.'))], auto);
    await chat.send('Hi');
    await chat.send('And?');
    expect(chat.store.state.protocol).to.equal('openai-chat');
    expect(lines(chat).at(-1)).to.equal('assistant complete: Good day.');
  });

  const overloaded = sse({ error: { message: 'Overloaded' } });
  const transport = (...chunks: readonly object[]): string => sse(...chunks, '[DONE]');
  const known: readonly {
    readonly protocol: string;
    readonly good: string;
    readonly failed: string;
    /** A field that only requests of this protocol have. */
    readonly field: string;
  }[] = [
    { protocol: 'openai-chat', good: completionOf('Hello.'), failed: overloaded, field: 'model' },
    {
      protocol: 'openai-chat',
      good: completionOf('Hello.'),
      failed: '{"error":{"message":"Overloaded"}}',
      field: 'model',
    },
    { protocol: 'openai-chat', good: completionOf('Hello.'), failed: '{"detail":"Overloaded"}', field: 'model' },
    { protocol: 'openai-chat', good: completionOf('Hello.'), failed: 'Overloaded', field: 'model' },
    {
      protocol: 'anthropic',
      good: sse(
        { type: 'message_start', message: { type: 'message', id: 'm', content: [] } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        { type: 'message_stop' },
      ),
      failed: sse({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      field: 'max_tokens',
    },
    {
      protocol: 'assistant-transport',
      good: transport(
        { type: 'part-start', part: { type: 'text' }, path: [] },
        { type: 'text-delta', textDelta: 'Hello.', path: [0] },
        { type: 'part-finish', path: [0] },
        { type: 'message-finish', finishReason: 'stop', path: [] },
      ),
      failed: overloaded,
      field: 'commands',
    },
    {
      protocol: 'ag-ui',
      good: sse(
        { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
        { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Hello.' },
        { type: 'TEXT_MESSAGE_END', messageId: 'm' },
        { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
      ),
      failed: sse({ type: 'RUN_ERROR', message: 'Overloaded' }),
      field: 'forwardedProps',
    },
  ];
  for (const { protocol, good, failed, field } of known) {
    it(`${protocol} stays the protocol after ${failed.trim()}`, async () => {
      const { chat, server } = makeChat([stream(good), stream(failed), stream(good)], { ...auto, model: 'm' });
      await chat.send('Hi');
      const answer = await chat.send('And?');
      expect(answer.blocks.map((block) => ('content' in block ? block.content : ''))).to.deep.equal(['Overloaded']);
      expect(chat.store.state.protocol).to.equal(protocol);
      await chat.send('Again');
      expect(lines(chat).at(-1)).to.equal('assistant complete: Hello.');
      const [, second, third] = server.bodies as readonly Record<string, unknown>[];
      expect(second).to.have.property(field);
      expect(Object.keys(third ?? {})).to.deep.equal(Object.keys(second ?? {}));
    });
  }

  it('the first request has the user’s files as parts, and the console says that most servers need the protocol', async () => {
    const { warn } = console;
    const warned: unknown[] = [];
    console.warn = (...said: unknown[]) => warned.push(...said);
    try {
      const { chat, server } = makeChat([stream(session('Hello.')), stream(session('Hello.'))], auto);
      const file = { kind: 'image', mimeType: 'image/png', name: 'lake.png', data: PIXEL } as const;
      await chat.send({ text: 'Which lake?', attachments: [file] });
      const [{ messages }] = server.bodies as readonly [{ readonly messages: readonly Record<string, unknown>[] }];
      const url = `data:image/png;base64,${PIXEL}`;
      expect(messages[0]).to.deep.include({
        content: 'Which lake?',
        parts: [
          { type: 'file', mediaType: 'image/png', filename: 'lake.png', url },
          { type: 'text', text: 'Which lake?', content: 'Which lake?' },
        ],
      });
      expect(warned.join(' ')).to.contain('Set the attribute "protocol"');
    } finally {
      console.warn = warn;
    }
  });

  const supplied = [
    ['code', { text: 'Review', code: { language: 'python', content: 'print(1)' } }],
    ['data', { data: { format: 'csv', content: 'a,b' } }],
    ['command', { command: { type: 'run', parameters: { n: 1 } } }],
    ['file', { file: { name: 'a.txt', content: 'SGk=', mimeType: 'text/plain' } }],
    ['image', { image: { data: PIXEL, mimeType: 'image/png' } }],
    ['structured_data', { structured: { type: 'stock_query', data: { symbol: 'A' } } }],
  ] as const;
  for (const [type, content] of supplied) {
    it(`the first request has the supplied content of the type ${type}, in the only format that has it`, async () => {
      const { chat, server } = makeChat([stream(session('Hello.'))], auto);
      await chat.send(content);
      const [{ messages }] = server.bodies as readonly [{ readonly messages: readonly Record<string, unknown>[] }];
      expect(messages[0]).to.deep.include({ type, role: 'user', content, metadata: {} });
      expect(messages[0]?.['timestamp']).to.be.a('number');
    });
  }

  it('a first reply with only an error does not decide the form of the next request', async () => {
    for (const { good, failed, protocol } of known) {
      if (failed === 'Overloaded') continue;
      const { chat, server } = makeChat([stream(failed), stream(good)], auto);
      await chat.send('Hi');
      expect(lines(chat).at(-1), failed).to.contain('Overloaded');
      await chat.send('And?');
      expect(Object.keys(server.bodies[1] as object), failed).to.deep.equal(Object.keys(server.bodies[0] as object));
      expect(chat.store.state.protocol).to.equal(protocol);
    }
  });

  it('detects the page’s own protocol by its own signals', async () => {
    const mine: Adapter = {
      id: 'mine',
      detect: ({ frames }) => (frames.some(({ json }) => Array.isArray(json) && json[0] === 'say') ? 'sure' : 'no'),
      request: (_turn, { url }) => ({ url, init: { method: 'POST', body: {} } }),
      async *decode(batches) {
        for await (const batch of batches) {
          yield batch.flatMap(({ data }) => [
            { type: 'text' as const, content: (JSON.parse(data) as string[])[1] ?? '' },
            { type: 'stop' as const, stop_reason: 'complete' as const },
          ]);
        }
      },
    };
    const protocols = new ProtocolRegistry();
    const undo = protocols.register(mine);
    const { chat } = makeChat([stream(sse(['say', 'Hello.']))], auto, { protocols });
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal('assistant complete: Hello.');
    undo();
    expect(protocols.get('mine')).to.equal(undefined);
  });

  it('an unknown name is a caller’s mistake, reported in the reply', async () => {
    const { chat, server, told } = makeChat([stream(session('Hello.'))], { protocol: 'opanai-chat' });
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal('assistant error: error: bad-protocol');
    expect(told.errors[0]?.message).to.contain('openai-chat');
    expect(server.asked).to.deep.equal([]);
  });
});
