import { expect } from '@open-wc/testing';
import { adapter as cloudflareAgents } from '../../../src/protocols/cloudflare-agents/cloudflare-agents.ts';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import type { Turn } from '../../../src/protocols/core/adapter.ts';
import { conversation } from '../../support/messages.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { call, failure, text, type ExpectedFields } from '../../support/bare.ts';
import { testDetection } from '../../support/detection-tests.ts';
import { emptyTurn, ndjson, requestOptions, sse } from '../../support/play-body.ts';

const response = (chunk: object | string, more: object = {}): object => ({
  type: 'cf_agent_use_chat_response',
  id: 'q',
  body: typeof chunk === 'string' ? chunk : JSON.stringify(chunk),
  done: false,
  ...more,
});
const continued = (chunk: object | string, more: object = {}): object =>
  response(chunk, { id: 'q2', continuation: true, ...more });
const end = response('', { done: true });
const identity = { type: 'cf_agent_identity', name: 'room', agent: 'chat' };
const history = { type: 'cf_agent_chat_messages', messages: [] };
const say = (...words: readonly string[]): readonly object[] => [
  response({ type: 'start', messageId: 'm1' }),
  response({ type: 'text-start', id: 't' }),
  ...words.map((delta) => response({ type: 'text-delta', id: 't', delta })),
  response({ type: 'text-end', id: 't' }),
];
const finish = response({ type: 'finish', finishReason: 'stop' });
const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: { messageId: 'm1' },
  ...more,
  blocks,
});

const url = 'https://a.example/agents/chat/room?token=k';
const known = { requestId: 'q' };

describe('cloudflare-agents', () => {
  testRecordings(cloudflareAgents, 'cloudflare-agents');

  testBodies(cloudflareAgents, [
    {
      name: 'the chunks inside of the responses, after what the server sends to every client',
      body: ndjson(identity, history, ...say('Hel', 'lo'), finish, end),
      messages: [done([text('Hello')])],
    },
    {
      name: 'the end of the responses ends the reply, also without a last chunk',
      body: ndjson(...say('Hi'), end),
      messages: [done([text('Hi')])],
    },
    {
      name: 'a request that the server has dropped',
      body: ndjson(end),
      messages: [{ status: 'complete', finish: 'complete', blocks: [] }],
    },
    {
      name: 'a replay of a reply that the agent has forgotten',
      body: ndjson(response('', { done: true, replay: true })),
      messages: [{ status: 'interrupted', finish: 'error', blocks: [] }],
      problem: 'empty',
    },
    {
      name: 'the agent continues an interrupted reply under another id',
      body: ndjson(
        response({ type: 'start', messageId: 'm1' }),
        response({ type: 'text-start', id: 't' }),
        response({ type: 'text-delta', id: 't', delta: 'Hel' }),
        { type: 'cf_agent_chat_recovering', recovering: true, id: 'q' },
        response('', { done: true, outcome: 'recovering' }),
        continued({ type: 'start' }),
        continued({ type: 'text-delta', id: 't', delta: 'lo' }),
        response({ type: 'text-delta', id: 't', delta: 'Late' }),
        continued({ type: 'text-end', id: 't' }),
        continued({ type: 'finish', finishReason: 'stop' }),
        continued('', { done: true }),
      ),
      messages: [done([text('Hello')], { metadata: { messageId: 'm1', requestId: 'q2' } })],
    },
    {
      name: 'the agent can’t continue an interrupted reply',
      body: ndjson(
        ...say('Ha'),
        response('', { done: true, outcome: 'recovering' }),
        continued('Interrupted.', { done: true, error: true }),
      ),
      messages: [
        done([text('Ha'), failure('Interrupted.')], {
          status: 'error',
          finish: 'error',
          metadata: { messageId: 'm1', requestId: 'q2' },
        }),
      ],
    },
    ...['aborted', 'skipped'].map((outcome) => ({
      name: `a request that the agent has ${outcome}`,
      body: ndjson(...say('Ha'), response('', { done: true, outcome })),
      messages: [done([text('Ha')], { status: 'cancelled', finish: 'cancelled' })],
    })),
    {
      name: 'what comes after the end is not shown',
      body: ndjson(...say('Hi'), finish, end, ...say('Ho')),
      messages: [done([text('Hi')])],
    },
    {
      name: 'an error',
      body: ndjson(...say('Ha'), response('Boom', { error: true, done: true })),
      messages: [done([text('Ha'), failure('Boom')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'a tool of the page',
      body: ndjson(
        response({ type: 'start', messageId: 'm1' }),
        response({ type: 'tool-input-available', toolCallId: 'c', toolName: 'weather', input: { city: 'Rome' } }),
        response({ type: 'finish', finishReason: 'tool-calls' }),
        end,
      ),
      messages: [
        done([call('c', 'weather', { params: '{"city":"Rome"}' }, { status: 'loading' })], {
          finish: 'tool_use',
          metadata: {
            messageId: 'm1',
            rounds: [
              {
                protocol: 'ai-sdk',
                items: [
                  {
                    type: 'tool-weather',
                    toolCallId: 'c',
                    state: 'input-available',
                    input: { city: 'Rome' },
                  },
                ],
              },
            ],
          },
        }),
      ],
    },
    {
      name: 'no end: interrupted',
      body: ndjson(
        response({ type: 'start', messageId: 'm1' }),
        response({ type: 'text-start', id: 't' }),
        response({ type: 'text-delta', id: 't', delta: 'Ha' }),
      ),
      messages: [done([text('Ha')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
  ]);

  testNeverThrows(cloudflareAgents, [
    identity,
    history,
    end,
    { type: 'cf_agent_state', state: { a: 1 } },
    ...say('x'),
    response('x', { error: true }),
    response('no json'),
  ]);

  testDetection('cloudflare-agents', {
    own: {
      'a stream': ndjson(identity, history, ...say('Hi'), finish, end),
      'its greeting alone': ndjson(identity),
    },
    others: {
      'the AI SDK’s chunks without the envelope': [sse({ type: 'text-delta', id: 't', delta: 'x' }), 'ai-sdk$'],
    },
    urls: ['wss://a.example/agents/chat/room', 'ws://a.example/api/agents/support-agent/user-7'],
    otherUrls: ['https://a.example/agents/chat/room', 'wss://a.example/chat'],
  });

  const messages = conversation({ role: 'user', text: 'Hi' });

  it('sends the AI SDK’s body inside of a request of the socket', async () => {
    const weather = { name: 'weather', description: 'The weather', parameters: { type: 'object' } };
    const sent = await cloudflareAgents.request(
      { ...emptyTurn, text: 'Hi', messages },
      { ...requestOptions, url, tools: [weather], body: { tenant: 7 } },
    );
    expect(sent.url).to.equal('wss://a.example/agents/chat/room?token=k');
    const { type, id, init } = JSON.parse(sent.init.body as string) as {
      readonly type: string;
      readonly id: string;
      readonly init: { readonly method: string; readonly body: string };
    };
    expect([type, init.method]).to.deep.equal(['cf_agent_use_chat_request', 'POST']);
    expect(sent.providerState).to.deep.equal({ requestId: id });
    const body = JSON.parse(init.body) as Record<string, unknown>;
    expect(body).to.include({ trigger: 'submit-message', tenant: 7 });
    expect(body['clientTools']).to.deep.equal([weather]);
    expect(body['messages']).to.deep.equal([
      { id: messages[0]?.id, role: 'user', parts: [{ type: 'text', text: 'Hi', state: 'done' }] },
    ]);
    expect(body).not.to.have.property('tools');
  });

  const sentMessages = async (turn: Partial<Turn>): Promise<unknown> => {
    const { init } = await cloudflareAgents.request({ ...emptyTurn, ...turn }, { ...requestOptions, url });
    const { init: inner } = JSON.parse(init.body as string) as { readonly init: { readonly body: string } };
    return (JSON.parse(inner.body) as { readonly messages: unknown }).messages;
  };
  const where = (state: object): object => ({ type: 'tool-where', toolCallId: 'c', input: {}, ...state });
  const result = { state: 'output-available', output: 'home' };
  const reply = (metadata: Record<string, unknown>, more: object = {}): MessageInput => ({
    role: 'assistant',
    metadata,
    blocks: [
      {
        type: 'tool_call',
        id: 'b',
        status: 'success',
        tool_call: { id: 'c', name: 'where', params: '{}', response: 'home' },
      },
    ],
    ...more,
  });

  it('reports which message of the agent a further request continues', async () => {
    const turn = { ...emptyTurn, messages: conversation(reply({ messageId: 'm1' }, { status: 'streaming' })) };
    const events = [];
    const batches = (async function* () {
      yield await Promise.resolve([{ data: JSON.stringify(end) }]);
    })();
    const context = { eventId: 'e', turn, newId: () => 'n', now: () => 0, report: () => undefined };
    const decoded = cloudflareAgents.decode(batches, { ...context, delay: () => new Promise(() => undefined) });
    for await (const batch of decoded) events.push(...batch);
    expect(events[0]).to.deep.equal({
      type: 'response',
      data: { eventId: 'e', metadata: { endedMessages: [{ id: 'm1', lastCall: 'c' }] } },
    });
  });

  const items = [
    { type: 'step-start' },
    where({ state: 'input-available' }),
    { type: 'step-start' },
    { type: 'text', text: 'At home.', state: 'done' },
  ];
  const stored = { messageId: 'm2', rounds: [{ protocol: 'ai-sdk', items }] };
  const blocks = [...(reply({}).blocks ?? []), { type: 'content', id: 't', content: 'At home.', status: 'success' }];
  const [first, second] = [
    [{ type: 'step-start' }, where(result)],
    [{ type: 'step-start' }, { type: 'text', text: 'At home.', state: 'done' }],
  ];
  const rows = [
    {
      name: 'sends a reply of two requests as the two messages of the agent',
      endedMessages: [{ id: 'm1', lastCall: 'c' }],
      sent: [
        ['m1', first],
        ['m2', second],
      ],
    },
    {
      name: 'sends a message once that the agent has continued',
      endedMessages: [{ id: 'm2', lastCall: 'c' }],
      sent: [['m2', [...first, ...second]]],
    },
    {
      name: 'sends a reply whose call is gone as one message',
      endedMessages: [{ id: 'm1', lastCall: 'other' }],
      sent: [['m2', [...first, ...second]]],
    },
    { name: 'ignores stored values of other kinds', endedMessages: 7, sent: [['m2', [...first, ...second]]] },
  ];
  for (const { name, endedMessages, sent } of rows)
    it(name, async () => {
      const message = reply({ ...stored, endedMessages }, { blocks, finish: 'complete' });
      const body = (await sentMessages({ messages: conversation(message) })) as readonly Record<string, unknown>[];
      expect(body.map(({ id, parts }) => [id, parts])).to.deep.equal(sent);
    });

  it('clears the agent’s conversation before an edited message', async () => {
    const turn = { ...emptyTurn, messages };
    const options = { ...requestOptions, url };
    const edited = await cloudflareAgents.request({ ...turn, fork: { by: 'edit' } }, options);
    expect(edited.firstMessages).to.deep.equal(['{"type":"cf_agent_chat_clear"}']);
    const regenerated = await cloudflareAgents.request({ ...turn, fork: { by: 'regenerate' } }, options);
    expect(regenerated.firstMessages).to.equal(undefined);
  });

  it('has another request id for a regenerated reply', async () => {
    const [user, former] = conversation({ role: 'user', text: 'Hi' }, reply({}));
    const turn = { ...emptyTurn, messages: user ? [user] : [] };
    const options = { ...requestOptions, url };
    const first = await cloudflareAgents.request(turn, options);
    const again = await cloudflareAgents.request({ ...turn, fork: { by: 'regenerate', reply: former } }, options);
    expect(again.providerState?.requestId).not.to.equal(first.providerState?.requestId);
  });

  it('reads the responses to its own request only', async () => {
    const events = [];
    const batches = (async function* () {
      yield await Promise.resolve(
        [{ ...response({ type: 'text-start', id: 't' }), id: 'other' }, ...say('Hi'), end].map((item) => ({
          data: JSON.stringify(item),
        })),
      );
    })();
    const context = { eventId: 'e', turn: emptyTurn, providerState: known, newId: () => 'n', now: () => 0 };
    const decoded = cloudflareAgents.decode(batches, {
      ...context,
      report: (warning) => {
        throw new Error(warning.detail);
      },
      delay: () => new Promise(() => undefined),
    });
    for await (const batch of decoded) events.push(...batch);
    expect(events[0]).to.deep.equal({ type: 'response', data: { eventId: 'e', metadata: known } });
    expect(JSON.stringify(events)).to.include('"content":"Hi"').and.include('"finish":"complete"');
  });

  it('emits the agent’s state', async () => {
    const batches = (async function* () {
      yield await Promise.resolve([
        { data: JSON.stringify({ type: 'cf_agent_state', state: { step: 2 } }) },
        { data: JSON.stringify(end) },
      ]);
    })();
    const events = [];
    const context = { eventId: 'e', turn: emptyTurn, newId: () => 'n', now: () => 0, report: () => undefined };
    const decoded = cloudflareAgents.decode(batches, { ...context, delay: () => new Promise(() => undefined) });
    for await (const batch of decoded) events.push(...batch);
    expect(events).to.deep.include({ type: 'response', data: { eventId: 'e', state: { value: { step: 2 } } } });
  });

  it('cancels and resumes by the id of the request', async () => {
    const turn = { ...emptyTurn, messages: conversation({ role: 'assistant', text: 'Ha', metadata: known }) };
    const options = { ...requestOptions, url };
    const cancel = await cloudflareAgents.cancel?.(turn, options);
    const resumed = await cloudflareAgents.resume?.(turn, options);
    expect(
      [cancel, resumed?.request].map((request) => JSON.parse(request?.init.body as string) as unknown),
    ).to.deep.equal([
      { type: 'cf_agent_chat_request_cancel', id: 'q' },
      { type: 'cf_agent_stream_resume_ack', id: 'q' },
    ]);
    expect([resumed?.from, resumed?.request.url]).to.deep.equal(['start', 'wss://a.example/agents/chat/room?token=k']);
  });

  it('neither cancels nor resumes a reply without a request', async () => {
    const options = { ...requestOptions, url };
    expect(await cloudflareAgents.cancel?.(emptyTurn, options)).to.equal(undefined);
    expect(await cloudflareAgents.resume?.(emptyTurn, options)).to.equal(undefined);
  });
});
