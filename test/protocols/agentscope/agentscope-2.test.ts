import { expect } from '@open-wc/testing';
import { reduceRun } from '../../../src/conversation/run.ts';
import { adapter as agentscope } from '../../../src/protocols/agentscope/agentscope.ts';
import { toAgentEvent } from '../../../src/protocols/to-agent-event.ts';
import { testBodies, testNeverThrows } from '../../support/adapter-tests.ts';
import { call as card, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { chunksOf } from '../../support/cuts.ts';
import { assistant, conversation, user } from '../../support/messages.ts';
import { decodeContext, emptyRun, emptyTurn, framesOf, NOW, playBody, sse } from '../../support/play-body.ts';
import { block, call, end, event, result, start, textDelta } from './streams.ts';

const replyMetadata = { messageId: 'rp', sessionId: 's', replyId: 'rp', replyStart: 'e1', dialect: 'native' };
const reply = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  name: 'Friday',
  status: 'complete',
  finish: 'complete',
  metadata: replyMetadata,
  blocks,
  ...more,
});
const asked = (id: string, kept: object, more: ExpectedFields = {}): ExpectedFields => ({
  type: 'action',
  status: 'pending',
  action_type: 'tool_call_permission',
  tool_call: { id, name: 'f', params: '{"x":1}' },
  extra: {
    replyId: 'rp',
    toolCall: JSON.stringify(kept),
    editable: true,
    requestId: id,
    permissionType: 'all',
    serverName: '',
    toolName: 'f',
  },
  ...more,
});
/** A member of the team asks in the stream of its leader. */
const memberAsks = (reply_id: string, id: string): object =>
  event('CUSTOM', {
    reply_id: undefined,
    name: 'subagent_require_user_confirm',
    value: {
      event_type: 'require_user_confirm',
      reply_id,
      event: event('REQUIRE_USER_CONFIRM', { reply_id, tool_calls: [block(id, 'f', '{"x":1}')] }),
    },
  });
const askedByMember = (replyId: string, id: string, more: ExpectedFields = {}): ExpectedFields => {
  const kept = block(id, 'f', '{"x":1}');
  return { ...asked(id, kept), extra: { ...(asked(id, kept)['extra'] as object), replyId }, ...more };
};

describe('agentscope, events of version 2', () => {
  testBodies(agentscope, [
    {
      name: 'text in blocks, reasoning, a tool with its result, and the sum of tokens',
      body: sse(
        start(),
        event('MODEL_CALL_START', { model_name: 'm' }),
        event('THINKING_BLOCK_DELTA', { block_id: 't', delta: 'Hm' }),
        ...call('c1', 'f', '{"x":1}'),
        event('MODEL_CALL_END', { input_tokens: 10, output_tokens: 5 }),
        ...result('c1', 'ok'),
        textDelta('He'),
        textDelta('llo'),
        textDelta('Bye', 'b2'),
        event('MODEL_CALL_END', { input_tokens: 20, output_tokens: 4 }),
        end(),
      ),
      messages: [
        reply([thought('Hm'), card('c1', 'f', { params: '{"x":1}', response: 'ok' }), text('Hello'), text('Bye')], {
          metadata: { ...replyMetadata, model: 'm' },
          usage: { prompt_tokens: 30, completion_tokens: 9, total_tokens: 39 },
        }),
      ],
    },
    ...['error', 'interrupted', 'denied'].map((state) => ({
      name: `a tool whose result is ${state}`,
      body: sse(start(), ...call('c1', 'f', '{}'), ...result('c1', 'No', state), end()),
      messages: [
        reply([
          card('c1', 'f', { params: '{}', response: 'No' }, { status: 'error', error: { message: 'No', code: state } }),
        ]),
      ],
    })),
    {
      name: 'media in separately encoded chunks, and a tool’s media',
      body: sse(
        start(),
        event('DATA_BLOCK_START', { block_id: 'd', media_type: 'image/png' }),
        event('DATA_BLOCK_DELTA', { block_id: 'd', media_type: 'image/png', data: btoa('a') }),
        event('DATA_BLOCK_DELTA', { block_id: 'd', media_type: 'image/png', data: btoa('b') }),
        event('DATA_BLOCK_END', { block_id: 'd' }),
        event('TOOL_RESULT_DATA_DELTA', { tool_call_id: 'c', media_type: 'audio/wav', url: 'https://a.example/a.wav' }),
        end(),
      ),
      messages: [
        reply([
          { type: 'image', image_data: { data: btoa('ab'), mimeType: 'image/png' } },
          { type: 'audio', url: 'https://a.example/a.wav', mimeType: 'audio/wav' },
        ]),
      ],
    },
    {
      name: 'media by their address, with the name of the file',
      body: sse(
        start(),
        event('DATA_BLOCK_START', { block_id: 'd', media_type: 'image/png', name: 'a.png' }),
        event('DATA_BLOCK_DELTA', {
          block_id: 'd',
          media_type: 'image/png',
          data: null,
          url: 'https://a.example/a.png',
        }),
        event('DATA_BLOCK_END', { block_id: 'd' }),
        event('DATA_BLOCK_START', { block_id: 'e', media_type: 'application/pdf', name: 'a.pdf' }),
        event('DATA_BLOCK_DELTA', { block_id: 'e', media_type: 'application/pdf', data: btoa('a') }),
        event('DATA_BLOCK_END', { block_id: 'e' }),
        end(),
      ),
      messages: [
        reply([
          { type: 'image', url: 'https://a.example/a.png', name: 'a.png' },
          { type: 'file', data: btoa('a'), mimeType: 'application/pdf', name: 'a.pdf' },
        ]),
      ],
    },
    {
      name: 'thoughts of two blocks are paragraphs; a thought after something else is not',
      body: sse(
        start(),
        event('THINKING_BLOCK_DELTA', { block_id: 't1', delta: 'Fir' }),
        event('THINKING_BLOCK_DELTA', { block_id: 't1', delta: 'st.' }),
        event('MODEL_CALL_END', { input_tokens: 1, output_tokens: 1 }),
        event('THINKING_BLOCK_DELTA', { block_id: 't2', delta: 'Sec' }),
        event('THINKING_BLOCK_DELTA', { block_id: 't2', delta: 'ond.' }),
        textDelta('Hi'),
        event('THINKING_BLOCK_DELTA', { block_id: 't3', delta: 'Third.' }),
        end(),
      ),
      messages: [
        reply([thought('First.\n\nSecond.'), text('Hi'), thought('Third.')], {
          usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        }),
      ],
    },
    {
      name: 'the complete text at the end of a block adds what its chunks lack',
      body: sse(
        start(),
        textDelta('He'),
        event('TEXT_BLOCK_END', { block_id: 'b', text: 'Hello' }),
        event('TEXT_BLOCK_START', { block_id: 'b2' }),
        event('TEXT_BLOCK_END', { block_id: 'b2', text: 'Bye' }),
        end(),
      ),
      messages: [reply([text('Hello'), text('Bye')])],
    },
    {
      name: 'internal text and thoughts are not part of the answer',
      body: sse(
        start(),
        { ...textDelta('Secret', 'i'), visibility: 'internal' },
        event('THINKING_BLOCK_DELTA', { block_id: 't', delta: 'Secret', visibility: 'internal' }),
        { ...textDelta('Hi'), visibility: 'public' },
        end(),
      ),
      messages: [reply([text('Hi')])],
    },
    {
      name: 'a run that the server breaks off',
      body: sse(start(), textDelta('Half'), { type: 'error', message: 'Run failed', code: 'E1' }),
      messages: [reply([text('Half'), failure('Run failed', { code: 'E1' })], { status: 'error', finish: 'error' })],
    },
    {
      name: 'a run that fails although its end says otherwise',
      body: sse(start(), textDelta('Half'), { type: 'error', error: { message: 'Run failed' } }, end()),
      messages: [reply([text('Half'), failure('Run failed')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'a run that the server breaks off without a reason',
      body: sse(start(), textDelta('Half'), { type: 'error', message: null }),
      messages: [reply([text('Half'), failure('The agent reports an error.')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'a team member’s question that was settled elsewhere',
      body: sse(
        start(),
        memberAsks('worker', 'k'),
        memberAsks('other', 'l'),
        event('CUSTOM', {
          reply_id: undefined,
          name: 'subagent_user_confirm_result',
          value: { worker_session_id: 'w', reply_id: 'worker' },
        }),
        end(),
      ),
      messages: [
        reply([askedByMember('worker', 'k', { status: 'cancel' }), askedByMember('other', 'l')], {
          status: 'streaming',
          finish: 'tool_use',
        }),
      ],
    },
    {
      name: 'a hint names its source',
      body: sse(start(), event('HINT_BLOCK', { block_id: 'h', source: 'alice', hint: 'Look here' }), end()),
      messages: [
        reply([
          {
            type: 'status',
            phase: 'hint',
            message: 'alice: Look here',
            extra: { steps: [{ phase: 'hint', message: 'alice: Look here' }] },
          },
        ]),
      ],
    },
    {
      name: 'hints are notes beside the text',
      body: sse(
        start(),
        event('HINT_BLOCK', { block_id: 'h', source: 'alice', hint: 'Look here' }),
        event('HINT_BLOCK', { block_id: 'h', hint: [{ type: 'text', text: 'And here' }] }),
        end('exceed_max_iters'),
      ),
      messages: [
        reply([
          {
            type: 'status',
            phase: 'exceed_max_iters',
            extra: {
              steps: [{ phase: 'hint', message: 'And here' }, { phase: 'exceed_max_iters' }],
            },
          },
        ]),
      ],
    },
    {
      name: 'a confirmation pauses the reply, which ends without text',
      body: sse(
        start(),
        ...call('k', 'f', '{"x":1}'),
        event('REQUIRE_USER_CONFIRM', { tool_calls: [block('k', 'f', '{"x":1}')] }),
      ),
      messages: [
        reply([card('k', 'f', { params: '{"x":1}' }, { status: 'loading' }), asked('k', block('k', 'f', '{"x":1}'))], {
          status: 'streaming',
          finish: 'tool_use',
        }),
      ],
    },
    {
      name: 'somebody else has decided',
      body: sse(
        start(),
        event('REQUIRE_USER_CONFIRM', { tool_calls: [block('k', 'f', '{"x":1}')] }),
        event('USER_CONFIRM_RESULT', { confirm_results: [{ confirmed: true, tool_call: block('k', 'f', '{}') }] }),
        ...result('k', 'ok'),
        end(),
      ),
      messages: [
        reply([
          card('k', 'f', { params: '{"x":1}', response: 'ok' }),
          {
            ...asked('k', block('k', 'f', '{"x":1}'), { status: 'granted' }),
            extra: { ...(asked('k', block('k', 'f', '{"x":1}'))['extra'] as object), decidedBy: 'server' },
          },
        ]),
      ],
    },
    {
      name: 'calls for the page; other running calls belong to the server',
      body: sse(
        start(),
        ...call('own', 'g', '{}'),
        ...call('k', 'f', '{"x":1}'),
        event('REQUIRE_EXTERNAL_EXECUTION', { tool_calls: [block('k', 'f', '{"x":1}')] }),
      ),
      messages: [
        reply(
          [
            card('own', 'g', { params: '{}' }, { status: 'loading', extra: { remote: true } }),
            card('k', 'f', { params: '{"x":1}' }, { status: 'loading' }),
          ],
          { finish: 'tool_use', metadata: { ...replyMetadata, clientCalls: ['k'] } },
        ),
      ],
    },
    {
      name: 'a team member asks in its leader’s stream',
      body: sse(start(), memberAsks('worker', 'k'), end()),
      messages: [reply([askedByMember('worker', 'k')], { status: 'streaming', finish: 'tool_use' })],
    },
    {
      name: 'a reply that reaches the maximum number of steps',
      body: sse(start(), textDelta('Hi'), event('EXCEED_MAX_ITERS', {}), end()),
      messages: [
        reply([
          text('Hi'),
          { type: 'status', phase: 'exceed_max_iters', extra: { steps: [{ phase: 'exceed_max_iters' }] } },
        ]),
      ],
    },
    {
      name: 'a reply that failed',
      body: sse(start(), textDelta('Half'), end('error', { error: { type: 'rate_limit', message: 'Slow down' } })),
      messages: [
        reply([text('Half'), failure('Slow down', { code: 'rate_limit', error_type: 'rate_limit' })], {
          status: 'error',
          finish: 'error',
        }),
      ],
    },
    {
      name: 'a reply that was interrupted',
      body: sse(start(), textDelta('Half'), end('interrupted')),
      messages: [reply([text('Half')], { status: 'cancelled', finish: 'cancelled' })],
    },
    {
      name: 'unknown events, and those only for the host',
      body: sse(
        start(),
        event('SURPRISE'),
        event('CUSTOM', { name: 'team_updated', value: {} }),
        textDelta('Hi'),
        end(),
      ),
      messages: [reply([text('Hi')])],
      warnings: ['unknown'],
    },
    {
      name: 'a body that ends in the middle',
      body: sse(start(), textDelta('Half')),
      messages: [reply([text('Half')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
  ]);

  it('emits the agent’s state', async () => {
    const { events } = await playBody(
      agentscope,
      sse(start(), event('CUSTOM', { name: 'state_updated', value: { tasks: 1 } }), end()),
    );
    const states = events.flatMap((told) =>
      told.type === 'response' && told.data.state ? [told.data.state.value] : [],
    );
    expect(states).to.deep.equal([{ tasks: 1 }]);
  });

  const metadata = { messageId: 'rp', replyId: 'rp', replyStart: 'e1' };
  const replays = [
    {
      name: 'of an earlier turn',
      messages: [user('hi'), assistant('Old', { metadata }), user('more')],
      frames: [
        start(),
        textDelta('Old'),
        end(),
        start({ id: 'e2', reply_id: 'rp2' }),
        { ...textDelta('New'), reply_id: 'rp2' },
      ],
      told: ['New'],
    },
    {
      name: 'of the part before the user was asked',
      messages: [user('hi'), assistant('Wait', { metadata })],
      frames: [start(), textDelta('Wait'), event('USER_CONFIRM_RESULT'), start({ id: 'e2' }), textDelta('Done')],
      told: ['Done'],
    },
  ];
  for (const { name, messages, frames, told } of replays) {
    it(`omits what the stream repeats ${name}`, async () => {
      const turn = { ...emptyTurn, messages: conversation(...messages) };
      let run = emptyRun();
      for await (const events of agentscope.decode(chunksOf([framesOf(...frames)]), { ...decodeContext(), turn })) {
        for (const told of events) run = reduceRun(run, toAgentEvent(told, 'reply'), { now: NOW, newId: () => 'n' });
      }
      const blocks = run.messages.flatMap((message) => message.blocks);
      expect(blocks.map((shown) => ('content' in shown ? shown.content : ''))).to.deep.equal(told);
    });
  }

  it('rebuilds a resumed reply from its start', async () => {
    const turn = { ...emptyTurn, messages: conversation(user('hi'), assistant([], { metadata })) };
    const told = [];
    for await (const events of agentscope.decode(chunksOf([framesOf(start(), textDelta('Wait'))]), {
      ...decodeContext(),
      turn,
    })) {
      for (const event of events) told.push(event.type === 'response' ? event.data.content : undefined);
    }
    expect(told).to.deep.equal([undefined, 'Wait']);
  });

  testNeverThrows(agentscope, [
    start(),
    end('error', { error: { type: 'x', message: 'x' } }),
    textDelta('x'),
    ...call('c', 'f', '{}'),
    ...result('c', 'x', 'error'),
    event('MODEL_CALL_END', { input_tokens: 1, output_tokens: 1, usage: { inputTokens: 1 } }),
    event('DATA_BLOCK_DELTA', { block_id: 'd', data: 'AA==' }),
    event('DATA_BLOCK_START', { block_id: 'd', media_type: 'image/png', name: 'a.png' }),
    event('DATA_BLOCK_DELTA', { block_id: 'd', media_type: 'image/png', url: 'https://a.example/a.png' }),
    event('DATA_BLOCK_END', { block_id: 'd' }),
    event('TEXT_BLOCK_END', { block_id: 'b', text: 'x', visibility: 'internal' }),
    { type: 'error', message: 'x', code: 'x' },
    event('CUSTOM', { name: 'subagent_user_confirm_result', value: { reply_id: 'worker' } }),
    event('HINT_BLOCK', { hint: [{ type: 'text', text: 'x' }] }),
    event('TOOL_RESULT_DATA_DELTA', { tool_call_id: 'c', media_type: 'image/png', data: { type: 'data', source: {} } }),
    event('REQUIRE_USER_CONFIRM', { tool_calls: [block('k', 'f', { x: 1 })] }),
    event('REQUIRE_EXTERNAL_EXECUTION', { tool_calls: [block('k', 'f', '{}')] }),
    event('USER_CONFIRM_RESULT', { confirm_results: [{ confirmed: true, tool_call: { id: 'k' } }] }),
    event('CUSTOM', { name: 'state_updated', value: { a: 1 } }),
    event('CUSTOM', {
      name: 'subagent_require_user_confirm',
      value: { event_type: 'require_user_confirm', event: event('REQUIRE_USER_CONFIRM', { tool_calls: [] }) },
    }),
    event('AGENT_RESULT', { result: { content: [{ type: 'text', text: 'x' }] } }),
    event('ALL_TOOLS_DENIED', { deniedToolCalls: [block('c', 'f', {})] }),
  ]);
});
