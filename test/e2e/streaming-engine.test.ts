/** The `StreamingEngine` to copy, which the demo uses too. Source: `docs/protocols/agent-session.md`. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, it } from 'node:test';
import { StreamingEngine } from '../../backends/session-events/streaming-engine.ts';
import type { SessionEvent } from '../../backends/session-events/session-events.ts';
import { openWire } from '../../demo/server/wire.ts';

const NOW = 1_736_985_600_400;

interface Sent {
  readonly type: string;
  readonly data: unknown;
  readonly metadata: Record<string, unknown>;
}

function makeEngine(send: (frame: string) => boolean | Promise<boolean> = () => true) {
  const frames: string[] = [];
  const logged: SessionEvent[] = [];
  const clock = { now: NOW };
  const engine = new StreamingEngine('req_1', {
    send(frame) {
      frames.push(frame);
      return send(frame);
    },
    log: (event) => logged.push(event),
    now: () => clock.now,
  });
  const sent = (): Sent[] => frames.map((frame) => JSON.parse(frame.replace(/^data: /, '')) as Sent);
  return { engine, frames, logged, clock, sent };
}

async function startedEngine(...options: Parameters<typeof makeEngine>) {
  const made = makeEngine(...options);
  await made.engine.emitSessionStart('session_1');
  return made;
}

/** Calls that TypeScript would reject. */
const loose = (engine: StreamingEngine) =>
  engine as unknown as Record<keyof StreamingEngine, (...values: unknown[]) => Promise<string>>;

const rows: readonly {
  name: string;
  emit: (engine: StreamingEngine) => Promise<string>;
  type: string;
  data: unknown;
  metadata?: object;
}[] = [
  {
    name: 'emitThinking',
    emit: (engine) => engine.emitThinking('First the order.', 'planning'),
    type: 'thinking',
    data: { content: 'First the order.', stage: 'planning' },
  },
  {
    name: 'emitThinking without a stage',
    emit: (engine) => engine.emitThinking('Hm.'),
    type: 'thinking',
    data: { content: 'Hm.' },
  },
  {
    name: 'emitToolCallStart',
    emit: (engine) => engine.emitToolCallStart('t1', 'query', 'Query orders', { month: 3 }),
    type: 'tool_call_start',
    data: { tool_id: 't1', tool_name: 'query', description: 'Query orders', arguments: { month: 3 } },
  },
  {
    name: 'emitToolCallProgress',
    emit: (engine) => engine.emitToolCallProgress('t1', 0.5, 'half of it'),
    type: 'tool_call_progress',
    data: { tool_id: 't1', progress: 0.5, message: 'half of it' },
  },
  {
    name: 'emitToolCallEnd with a result',
    emit: (engine) => engine.emitToolCallEnd('t1', 'success', { result: { rows: 2 } }, 840),
    type: 'tool_call_end',
    data: { tool_id: 't1', status: 'success', result: { rows: 2 } },
    metadata: { duration_ms: 840 },
  },
  {
    name: 'emitToolCallEnd with a failure',
    emit: (engine) => engine.emitToolCallEnd('t1', 'failed', { error: { message: 'No.', code: 'E1' } }),
    type: 'tool_call_end',
    data: { tool_id: 't1', status: 'failed', error: { message: 'No.', code: 'E1' } },
  },
  {
    name: 'emitContent with its defaults',
    emit: (engine) => engine.emitContent('Hello\n\n*you*'),
    type: 'content',
    data: { content: 'Hello\n\n*you*', format: 'markdown', is_complete: false },
  },
  {
    name: 'emitContent, the last one',
    emit: (engine) => engine.emitContent('<p>', 'html', true),
    type: 'content',
    data: { content: '<p>', format: 'html', is_complete: true },
  },
  {
    name: 'emitData, a dataframe',
    emit: (engine) => engine.emitData('dataframe', { columns: ['a'], rows: [[1]] }, { description: 'One' }),
    type: 'data',
    data: { data_type: 'dataframe', data: { columns: ['a'], rows: [[1]] }, metadata: { description: 'One' } },
  },
  {
    name: 'emitData, custom',
    emit: (engine) => engine.emitData('custom', [1, null]),
    type: 'data',
    data: { data_type: 'custom', data: [1, null] },
  },
  {
    name: 'emitError',
    emit: (engine) => engine.emitError('timeout', 'Too slow.', { context: 'x' }, true),
    type: 'error',
    data: { error_type: 'timeout', message: 'Too slow.', details: { context: 'x' }, recoverable: true },
  },
  {
    name: 'emitError with its defaults',
    emit: (engine) => engine.emitError('system', 'Broken.'),
    type: 'error',
    data: { error_type: 'system', message: 'Broken.', recoverable: false },
  },
  {
    name: 'emitSessionEnd',
    emit: (engine) => engine.emitSessionEnd('cancelled'),
    type: 'session_end',
    data: { status: 'cancelled' },
  },
];

/** Emits more and more until the client has disconnected. */
async function stream(response: http.ServerResponse): Promise<StreamingEngine> {
  const wire = openWire({ response, speed: 1 });
  const engine = new StreamingEngine('req_1', { send: (frame) => wire.send(frame) });
  await engine.emitSessionStart('s');
  while (!engine.closed) await engine.emitContent('more ');
  return engine;
}

describe('StreamingEngine', () => {
  it('emitSessionStart comes first with number 0, and only its data has the request id', async () => {
    const { engine, sent } = makeEngine();
    const frame = await engine.emitSessionStart('session_1');
    assert.match(frame, /^data: \{.*\}\n\n$/);
    const data = { session_id: 'session_1', request_id: 'req_1' };
    // Seconds, as in the document's samples.
    assert.deepEqual(sent(), [{ type: 'session_start', data, metadata: { timestamp: 1_736_985_600, sequence: 0 } }]);
  });

  for (const { name, emit, type, data, metadata = {} } of rows) {
    it(name, async () => {
      const { engine, sent, frames } = await startedEngine();
      assert.equal(await emit(engine), frames.at(-1), 'it resolves with what was sent');
      const own = { request_id: 'req_1', timestamp: 1_736_985_600, sequence: 1 };
      assert.deepEqual(sent().at(-1), { type, data, metadata: { ...own, ...metadata } });
    });
  }

  it('numbers the events in the order of their calls, however slowly they are sent', async () => {
    const { engine, sent } = await startedEngine(
      (frame) => new Promise((resolve) => setImmediate(resolve, frame !== '')),
    );
    await Promise.all([engine.emitContent('a'), engine.emitThinking('b'), engine.emitContent('c')]);
    assert.deepEqual(
      sent().map(({ metadata }) => metadata['sequence']),
      [0, 1, 2, 3],
    );
  });

  it('has a summary of its events', async () => {
    const { engine, clock } = await startedEngine();
    await engine.emitToolCallStart('t1', 'a', '', {});
    await engine.emitToolCallStart('t2', 'b', '', {});
    clock.now += 1500;
    assert.deepEqual(engine.summary(210), { total_tokens: 210, duration_ms: 1500, tool_calls: 2 });
  });

  const cycle: Record<string, unknown> = {};
  cycle['itself'] = cycle;
  const wrong: readonly { name: string; emit: (engine: StreamingEngine) => Promise<string>; says: RegExp }[] = [
    {
      name: 'content that is not a string',
      emit: (e) => loose(e).emitContent(7),
      says: /"content": "content" .* a string/,
    },
    { name: 'an unknown stage', emit: (e) => loose(e).emitThinking('x', 'musing'), says: /"stage".*'musing'/ },
    { name: 'no tool id', emit: (e) => e.emitToolCallStart('', 'a', '', {}), says: /"tool_id"/ },
    { name: 'arguments as an array', emit: (e) => loose(e).emitToolCallStart('t', 'a', '', []), says: /"arguments"/ },
    { name: 'progress over 100 %', emit: (e) => e.emitToolCallProgress('t', 1.5, ''), says: /0 to 1, but is 1\.5/ },
    { name: 'a failure without an error', emit: (e) => e.emitToolCallEnd('t', 'failed'), says: /"error".*missing/ },
    { name: 'no duration', emit: (e) => e.emitToolCallEnd('t', 'success', {}, Number.NaN), says: /duration.*NaN/ },
    { name: 'data without a type', emit: (e) => loose(e).emitData('video', {}), says: /"data_type"/ },
    {
      name: 'a row with too few cells',
      emit: (e) => e.emitData('dataframe', { columns: ['a', 'b'], rows: [[1]] }),
      says: /2 cells/,
    },
    { name: 'data that can’t be serialized', emit: (e) => e.emitData('custom', cycle), says: /circular/i },
    { name: 'an error without a type', emit: (e) => loose(e).emitError('bad', 'x'), says: /"error_type"/ },
    { name: 'an unknown status', emit: (e) => loose(e).emitSessionEnd('done'), says: /"status"/ },
    {
      name: 'a summary of text',
      emit: (e) => loose(e).emitSessionEnd('completed', { duration_ms: 'long' }),
      says: /"duration_ms"/,
    },
  ];
  for (const { name, emit, says } of wrong) {
    it(`refuses ${name}, sends nothing and uses no number`, async () => {
      const { engine, frames, sent } = await startedEngine();
      await assert.rejects(emit(engine), (error) => error instanceof TypeError && says.test(error.message));
      assert.equal(frames.length, 1);
      assert.equal(engine.log.length, 1);
      await engine.emitContent('next');
      assert.equal(sent().at(-1)?.metadata['sequence'], 1);
      assert.equal(engine.summary(0).tool_calls, 0);
    });
  }

  it('needs a request id, one start, and nothing after the end', async () => {
    assert.throws(() => new StreamingEngine('', { send: () => true }), TypeError);
    const { engine, frames } = makeEngine();
    await assert.rejects(engine.emitContent('x'), /session_start comes first/);
    await engine.emitSessionStart('s');
    await assert.rejects(engine.emitSessionStart('s'), /has begun already/);
    await engine.emitSessionEnd('completed');
    await assert.rejects(engine.emitContent('x'), /has ended/);
    assert.equal(frames.length, 2);
  });

  it('logs every event, in order, also one that was not delivered', async () => {
    let open = true;
    const { engine, logged } = await startedEngine(() => open);
    await engine.emitContent('a');
    open = false;
    await engine.emitContent('b');
    assert.deepEqual(
      engine.log.map(({ type, metadata }) => [type, metadata.sequence]),
      [
        ['session_start', 0],
        ['content', 1],
        ['content', 2],
      ],
    );
    assert.deepEqual(logged, engine.log);
  });

  const failures: readonly { name: string; send: () => boolean | Promise<boolean> }[] = [
    { name: 'refuses writes', send: () => false },
    {
      name: 'throws',
      send: () => {
        throw new Error('EPIPE');
      },
    },
    { name: 'rejects', send: () => Promise.reject(new Error('ECONNRESET')) },
  ];
  for (const { name, send } of failures) {
    it(`handles a client that disconnects: the connection ${name}`, async () => {
      let open = true;
      const { engine, frames } = await startedEngine(() => open || send());
      open = false;
      assert.equal(await engine.emitContent('lost'), '');
      assert.equal(engine.closed, true);
      assert.equal(await engine.emitSessionEnd('completed'), '');
      assert.equal(frames.length, 2, 'nothing more is tried');
    });
  }

  it('ends its work when a real client disconnects', { timeout: 10_000 }, async () => {
    const server = http.createServer();
    const left = new Promise<StreamingEngine>((resolve) => {
      server.on('request', (_request, response: http.ServerResponse) => {
        void stream(response).then(resolve);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const client = new AbortController();
    const url = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}/`;
    const response = await fetch(url, { signal: client.signal });
    await response.body?.getReader().read();
    client.abort();
    const engine = await left;
    assert.equal(engine.log[0]?.type, 'session_start');
    assert.equal(await engine.emitSessionEnd('cancelled'), '');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
