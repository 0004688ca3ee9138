import { expect } from '@open-wc/testing';
import { adapter as eve } from '../../../src/protocols/eve/eve.ts';
import type { EvePosition } from '../../../src/protocols/eve/request.ts';
import type { AdapterEvent, DecodeContext } from '../../../src/protocols/core/adapter.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { testDetection } from '../../support/detection-tests.ts';
import { emptyTurn, framesOf, ndjson, sse } from '../../support/play-body.ts';
import { action, event, result, messageCompleted, messageAppended, stream, turn, waiting } from './streams.ts';

const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: { messageId: 'reply' },
  ...more,
  blocks,
});
const remote = { extra: { remote: true } };
const approval = {
  requestId: 'q',
  kind: 'tool-approval',
  prompt: 'Ask the weather?',
  action: action('c'),
  options: [
    { id: 'approve', label: 'Approve', style: 'primary' },
    { id: 'deny', label: 'Deny', style: 'danger' },
  ],
};
const question = {
  requestId: 'q',
  kind: 'question',
  prompt: 'Which day?',
  action: action('c'),
  options: [{ id: 'fri', label: 'Friday' }],
  allowFreeform: true,
};

/** An approval with other options, and what of them the request has. */
const asked = (name: string, options: readonly object[] | undefined, extra: ExpectedFields) => ({
  name,
  body: stream(
    event('input.requested', { requests: [{ ...approval, options }] }),
    event('turn.waiting', { on: 'input' }),
  ),
  messages: [
    done(
      [
        call('c', 'weather', { params: '{"city":"Rome"}' }, { status: 'loading', ...remote }),
        {
          type: 'action',
          status: 'pending',
          action_type: 'tool_call_permission',
          tool_call: { id: 'c', name: 'weather', params: '{"city":"Rome"}' },
          content: 'Ask the weather?',
          extra: { requestId: 'q', toolName: 'weather', serverName: '', permissionType: 'all', ...extra },
        },
      ],
      { status: 'streaming', finish: 'tool_use' },
    ),
  ],
});

describe('eve', () => {
  testRecordings(eve, 'eve');

  testBodies(eve, [
    asked('rule 84: what is dangerous is not a denial', [{ id: 'approve', style: 'danger' }, { id: 'deny' }], {
      approve: 'approve',
      deny: 'deny',
    }),
    asked('rule 84: the denial is known by its whole word', [{ id: 'allow_now' }, { id: 'no' }], {
      approve: 'allow_now',
      deny: 'no',
    }),
    asked(
      'rule 84: a permanent approval is not for "Allow"',
      [{ id: 'approve-always' }, { id: 'approve' }, { id: 'deny' }],
      { approve: 'approve', deny: 'deny' },
    ),
    asked('rule 84: without options', undefined, { approve: 'approve', deny: 'deny' }),
    ...[
      { name: 'options that do not say which is which', options: ['run', 'stop'] },
      { name: 'a denial that is part of another word', options: ['yes', 'no-confirm'] },
      { name: 'an approval for more than this call', options: ['approve-always', 'deny'] },
    ].map(({ name, options }) => ({
      name: `rule 84: ${name}: the user chooses by the agent’s labels`,
      body: stream(
        event('input.requested', {
          requests: [{ ...approval, options: options.map((id) => ({ id, style: 'danger' })) }],
        }),
        event('turn.waiting', { on: 'input' }),
      ),
      messages: [
        done(
          [
            call('c', 'weather', { params: '{"city":"Rome"}' }, { status: 'loading', ...remote }),
            {
              type: 'action',
              status: 'pending',
              action_type: 'question',
              content: 'Ask the weather?',
              extra: {
                requestId: 'q',
                optionIds: options.join('\n'),
                needsChoice: true,
                options: options.map((id) => ({ label: id, value: id })),
              },
            } as const,
          ],
          { status: 'streaming', finish: 'tool_use' },
        ),
      ],
    })),
  ]);

  testBodies(eve, [
    {
      name: 'text, reasoning and tokens; what is complete repeats its chunks',
      body: turn(
        event('reasoning.appended', { reasoningDelta: 'Hm' }),
        event('reasoning.completed', { reasoning: 'Hm' }),
        messageAppended('Hel'),
        messageAppended('lo'),
        messageCompleted('Hello'),
        event('step.completed', { finishReason: 'stop', usage: { inputTokens: 3, outputTokens: 4 } }),
      ),
      messages: [
        done([thought('Hm'), text('Hello')], {
          usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
        }),
      ],
    },
    {
      name: 'text without chunks',
      body: turn(messageCompleted('Hello')),
      messages: [done([text('Hello')])],
    },
    {
      name: 'two texts, one after the other',
      body: turn(messageAppended('One'), messageCompleted('One'), messageAppended('Two'), messageCompleted('Two')),
      messages: [done([text('One'), text('Two')])],
    },
    {
      name: 'the server has repeated a failed call of the model: the complete text is right',
      body: turn(result('x', 'y'), messageAppended('Hel'), messageAppended('Hello'), messageCompleted('Hello')),
      messages: [done([text('Hello')])],
      warnings: [],
    },
    {
      name: 'a tool call with streaming arguments, a partial result and a label',
      body: turn(
        event('action.input.appended', { callId: 'c', toolName: 'weather', inputTextDelta: '{"city":' }),
        event('action.input.appended', { callId: 'c', toolName: 'weather', inputTextDelta: '"Rome"}' }),
        event('actions.requested', { actions: [action('c')], presentation: { c: { label: 'Weather in Rome' } } }),
        event('action.partial', { result: { callId: 'c', kind: 'tool-result', toolName: 'weather', output: '…' } }),
        result('c', { degrees: 20 }),
        messageAppended('20°'),
        messageCompleted('20°'),
      ),
      messages: [
        done([
          call(
            'c',
            'weather',
            { params: '{"city":"Rome"}', response: '{"degrees":20}' },
            { description: 'Weather in Rome', ...remote },
          ),
          text('20°'),
        ]),
      ],
    },
    {
      name: 'a call that fails, and one that a task ends later',
      body: turn(
        event('actions.requested', {
          actions: [action('c'), action('d', { toolName: undefined, subagentName: 'guide' })],
        }),
        result('c', { message: 'No sky', code: 'X' }, { status: 'failed', error: { message: 'No sky', code: 'X' } }),
        event('task.started', { callId: 'd', taskId: 't', name: 'guide', kind: 'agent' }),
        result('d', 'started'),
        event('turn.waiting', { on: 'tasks' }),
        event('task.settled', { callId: 'd', taskId: 't', status: 'completed', output: 'The Forum.' }),
      ),
      messages: [
        done([
          call('c', 'weather', { params: '{"city":"Rome"}', response: 'No sky' }, { status: 'error', ...remote }),
          call('d', 'guide', { params: '{"city":"Rome"}', response: 'The Forum.' }, remote),
        ]),
      ],
    },
    {
      name: 'an approval: the turn waits',
      body: stream(
        event('actions.requested', { actions: [action('c')] }),
        event('input.requested', { requests: [approval] }),
        event('turn.waiting', { on: 'input' }),
      ),
      messages: [
        done(
          [
            call('c', 'weather', { params: '{"city":"Rome"}' }, { status: 'loading', ...remote }),
            {
              type: 'action',
              status: 'pending',
              action_type: 'tool_call_permission',
              tool_call: { id: 'c', name: 'weather', params: '{"city":"Rome"}' },
              content: 'Ask the weather?',
              extra: {
                approve: 'approve',
                deny: 'deny',
                requestId: 'q',
                toolName: 'weather',
                serverName: '',
                permissionType: 'all',
              },
            },
          ],
          { status: 'streaming', finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'a sign-in elsewhere: the turn goes on by itself',
      body: turn(
        event('authorization.required', {
          name: 'linear',
          description: 'Sign in to Linear',
          authorization: { url: 'https://b.example/oauth', userCode: 'AB-12' },
        }),
        event('turn.waiting', { on: 'input' }),
        event('authorization.completed', { name: 'linear', outcome: 'authorized' }),
        event('actions.requested', { actions: [action('c')] }),
        result('c', 'ok'),
      ),
      messages: [
        done([
          text('Sign in to Linear\n\n<https://b.example/oauth>\n\n`AB-12`\n\n'),
          call('c', 'weather', { params: '{"city":"Rome"}', response: 'ok' }, remote),
        ]),
      ],
    },
    {
      name: 'a structured result',
      body: turn(event('result.completed', { result: { city: 'Rome' } })),
      messages: [done([{ type: 'data', data: { data_type: 'custom', data: { city: 'Rome' } } }])],
    },
    {
      name: 'a failed turn',
      body: stream(
        messageAppended('Ha'),
        event('step.failed', { code: 'MODEL_CALL_FAILED', message: 'Boom' }),
        event('turn.failed', { code: 'MODEL_CALL_FAILED', message: 'Boom' }),
        waiting,
      ),
      messages: [
        done([text('Ha'), failure('Boom', { code: 'MODEL_CALL_FAILED' })], { status: 'error', finish: 'error' }),
      ],
    },
    {
      name: 'the token limit',
      body: turn(
        messageAppended('Half'),
        messageCompleted('Half'),
        event('step.completed', { finishReason: 'length' }),
      ),
      messages: [done([text('Half')], { finish: 'max_tokens' })],
    },
    {
      name: 'a filter, without text',
      body: turn(event('step.completed', { finishReason: 'content-filter' })),
      messages: [{ status: 'error', finish: 'error', metadata: { messageId: 'reply', filtered: true }, blocks: [] }],
    },
    {
      name: 'the last step decides how the reply ended',
      body: turn(
        event('step.completed', { finishReason: 'length' }),
        messageCompleted('Hi'),
        event('step.completed', { finishReason: 'tool-calls' }),
      ),
      messages: [done([text('Hi')])],
    },
    {
      name: 'two reasonings, one after the other',
      body: turn(
        event('reasoning.appended', { reasoningDelta: 'First.' }),
        event('reasoning.completed', { reasoning: 'First.' }),
        event('reasoning.appended', { reasoningDelta: 'Sec' }),
        event('reasoning.appended', { reasoningDelta: 'ond.' }),
        event('reasoning.completed', { reasoning: 'Second.' }),
        event('reasoning.completed', { reasoning: 'Third.' }),
      ),
      messages: [done([thought('First.\n\nSecond.\n\nThird.')])],
    },
    {
      name: 'a reasoning that is longer than its chunks',
      body: turn(
        event('reasoning.appended', { reasoningDelta: 'Fir' }),
        event('reasoning.completed', { reasoning: 'First.' }),
        messageCompleted('Hi'),
      ),
      messages: [done([thought('First.'), text('Hi')])],
    },
    {
      name: 'a turn that was cancelled',
      body: stream(messageAppended('Ha'), event('turn.cancelled'), waiting),
      messages: [done([text('Ha')], { status: 'cancelled', finish: 'cancelled' })],
    },
    {
      name: 'no end: interrupted',
      body: stream(messageAppended('Ha')),
      messages: [done([text('Ha')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
    {
      name: 'each unknown event is one warning, each malformed one too',
      body: `${stream(messageAppended('a'), event('dream.started'))}{"type"\n${ndjson(event('turn.completed'), waiting)}`,
      messages: [done([text('a')])],
      warnings: ['malformed', 'unknown'],
    },
  ]);

  testNeverThrows(eve, [
    messageAppended('x'),
    messageCompleted('y'),
    event('reasoning.completed', { reasoning: 'x' }),
    event('action.input.appended', { callId: 'c', toolName: 'x', inputTextDelta: '{' }),
    event('actions.requested', { actions: [action('c')], presentation: { c: { label: 'x' } } }),
    result('c', { a: 1 }, { status: 'failed', error: { message: 'x', code: 'y' } }),
    event('task.settled', { callId: 'c', status: 'cancelled' }),
    event('input.requested', { requests: [approval, question] }),
    event('authorization.required', { name: 'x', description: 'y', authorization: { url: 'u' } }),
    event('turn.waiting', { on: 'input' }),
    event('turn.failed', { code: 'x', message: 'y' }),
    waiting,
  ]);

  testDetection('eve', {
    own: {
      'a stream': turn(messageAppended('Hi'), messageCompleted('Hi')),
      'its first text alone': ndjson(messageAppended('Hi')),
    },
    others: {
      'Gemini’s interactions, whose events are named alike': [
        sse({ event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'x' } }),
        'gemini-interactions$',
      ],
    },
    urls: [
      'https://a.example/eve/v1/session',
      'https://a.example/api/eve/v1',
      'https://a.example/eve/v1/session/s/stream',
    ],
    otherUrls: ['https://a.example/session', 'https://a.example/eve'],
  });

  const decode = async (events: readonly object[], more: Partial<DecodeContext<EvePosition>>) => {
    const decoded: AdapterEvent[] = [];
    const batches = (async function* () {
      yield await Promise.resolve(framesOf(...events));
    })();
    const context = {
      eventId: 'e',
      turn: emptyTurn,
      newId: () => 'n',
      now: () => 0,
      report: () => undefined,
      delay: () => new Promise<void>(() => undefined),
      ...more,
    };
    for await (const batch of eve.decode(batches, context)) decoded.push(...batch);
    return JSON.stringify(decoded);
  };
  const providerState = { sessionId: 's', start: 4, deliveryId: 'd2' };

  it('skips the rest of a turn that was stopped before this message', async () => {
    const events = [
      messageAppended('old'),
      event('turn.cancelled'),
      waiting,
      event('turn.started', {}, { deliveryIds: ['d2'] }),
      messageAppended('new'),
      event('turn.completed'),
      waiting,
    ];
    const decoded = await decode(events, { providerState });
    expect(decoded).to.include('"content":"new"').and.include('"finish":"complete"');
    expect(decoded).not.to.include('old');
    expect(decoded).to.include('"metadata":{"sessionId":"s","firstEvent":4,"deliveryId":"d2","nextEvent":11}');
  });

  it('finds the beginning by the message where the server sends no ids', async () => {
    const events = [
      messageAppended('old'),
      waiting,
      event('message.received', { message: 'More' }),
      messageAppended('new'),
      waiting,
    ];
    const decoded = await decode(events, { providerState, turn: { ...emptyTurn, text: 'More' } });
    expect(decoded).to.include('"content":"new"').and.not.include('old');
  });

  it('asks a question with options or free text', async () => {
    const decoded = await decode([event('input.requested', { requests: [question] })], {});
    expect(decoded).to.include('"action_type":"question","content":"Which day?"');
    expect(decoded).to.include('"options":[{"label":"Friday","value":"fri"}]');
  });
});
