import { adapter as agentCore } from '../../../src/protocols/agentcore/agentcore.ts';
import { testBodies, testNeverThrows } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { testDetection } from '../../support/detection-tests.ts';
import { user } from '../../support/messages.ts';
import { sse } from '../../support/play-body.ts';
import { testSent } from '../../support/sent-tests.ts';

const raw = (event: object): object => ({ event });
const say = (words: string): object => raw({ contentBlockDelta: { delta: { text: words }, contentBlockIndex: 0 } });
const start = raw({ messageStart: { role: 'assistant' } });
const stop = (stopReason = 'end_turn'): object => raw({ messageStop: { stopReason } });
const usage = raw({ metadata: { usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 }, metrics: {} } });
const toolStart = raw({
  contentBlockStart: { start: { toolUse: { toolUseId: 'c', name: 'weather' } }, contentBlockIndex: 1 },
});
const toolPiece = (input: string): object =>
  raw({ contentBlockDelta: { delta: { toolUse: { input } }, contentBlockIndex: 1 } });
const found = (status = 'success'): object => ({
  message: { role: 'user', content: [{ toolResult: { toolUseId: 'c', status, content: [{ text: '20°' }] } }] },
});
const strands = (words: string): object => ({ data: words, delta: { text: words } });
const using = (input: string, piece: string): object => ({
  delta: { toolUse: { input: piece } },
  current_tool_use: { toolUseId: 'c', name: 'weather', input },
});
const weather = (response: string, more: ExpectedFields = {}): ExpectedFields =>
  call('c', 'weather', { params: '{"city":"Rome"}', response }, { extra: { remote: true }, ...more });
const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  ...more,
  blocks,
});

describe('agentcore', () => {
  testBodies(agentCore, [
    {
      name: 'the model’s own events',
      body: sse(
        { init_event_loop: true },
        { start: true },
        { start_event_loop: true },
        start,
        raw({ contentBlockDelta: { delta: { reasoningContent: { text: 'Hm' } }, contentBlockIndex: 0 } }),
        say('Hel'),
        say('lo'),
        raw({ contentBlockStop: { contentBlockIndex: 0 } }),
        stop(),
        usage,
        { message: { role: 'assistant', content: [{ text: 'Hello' }] } },
      ),
      messages: [
        done([thought('Hm'), text('Hello')], { usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } }),
      ],
    },
    {
      name: 'the tokens of all requests to the model',
      body: sse(start, say('One. '), stop('tool_use'), usage, start, say('Two.'), stop(), usage),
      messages: [done([text('One. Two.')], { usage: { prompt_tokens: 6, completion_tokens: 8, total_tokens: 14 } })],
    },
    {
      name: 'everything that an agent yields: each text comes twice, and is shown once',
      body: sse(start, say('Hi'), strands('Hi'), stop(), { message: { role: 'assistant', content: [{ text: 'Hi' }] } }),
      messages: [done([text('Hi')])],
    },
    {
      name: 'only Strands’ own events',
      body: sse({ reasoningText: 'Hm', reasoning: true, delta: {} }, strands('Hi'), strands(' you')),
      messages: [done([thought('Hm'), text('Hi you')])],
    },
    {
      name: 'a call, its arguments in chunks, and its result',
      body: sse(
        start,
        toolStart,
        toolPiece('{"city":'),
        toolPiece('"Rome"}'),
        stop('tool_use'),
        {
          message: {
            role: 'assistant',
            content: [{ toolUse: { toolUseId: 'c', name: 'weather', input: { city: 'Rome' } } }],
          },
        },
        found(),
        start,
        say('20°'),
        stop(),
      ),
      messages: [done([weather('20°'), text('20°')])],
    },
    {
      name: 'a call in Strands’ form, which fails',
      body: sse(using('', ''), using('{"city":"Rome"}', '{"city":"Rome"}'), found('error'), strands('Sorry')),
      messages: [done([weather('20°', { status: 'error' }), text('Sorry')])],
    },
    {
      name: 'only messages, without deltas',
      body: sse({ message: { role: 'assistant', content: [{ text: 'Hello' }] } }),
      messages: [done([text('Hello')])],
    },
    {
      name: 'Bedrock’s events without a wrapper',
      body: sse(
        { messageStart: { role: 'assistant' } },
        { contentBlockDelta: { delta: { text: 'Ha' }, contentBlockIndex: 0 } },
        { messageStop: { stopReason: 'max_tokens' } },
      ),
      messages: [done([text('Ha')], { finish: 'max_tokens' })],
    },
    {
      name: 'an answer that was not streamed',
      body: JSON.stringify({ output: { message: { role: 'assistant', content: [{ text: 'Hello' }] } } }),
      messages: [done([text('Hello')])],
    },
    {
      name: 'only the result',
      body: JSON.stringify({ result: { role: 'assistant', content: [{ text: 'Hello' }] } }),
      messages: [done([text('Hello')])],
    },
    {
      name: 'an agent of a graph',
      body: sse(
        { multi_agent_node_start: true, node_id: 'writer', node_type: 'agent' },
        { multi_agent_node_stream: true, node_id: 'writer', event: strands('Hi') },
      ),
      messages: [
        done([
          {
            type: 'status',
            phase: 'writer',
            message: 'writer',
            extra: { steps: [{ phase: 'writer', message: 'writer' }] },
          },
          text('Hi'),
        ]),
      ],
    },
    {
      name: 'the output of a running tool',
      body: sse(
        using('', ''),
        { tool_stream_event: { tool_use: { toolUseId: 'c', name: 'weather' }, data: 'Half' } },
        found(),
      ),
      messages: [done([call('c', 'weather', { response: '20°' }, { extra: { remote: true } })])],
    },
    {
      name: 'a guardrail replaces the text',
      body: sse(start, say('Bad'), raw({ redactContent: { redactAssistantContentMessage: 'No.' } }), stop()),
      messages: [done([text('No.')], { metadata: { messageId: 'new1' } })],
    },
    {
      name: 'a model that fails',
      body: sse(start, say('Ha'), raw({ throttlingException: { message: 'Too many' } })),
      messages: [
        done([text('Ha'), failure('Too many', { code: 'throttlingException' })], { status: 'error', finish: 'error' }),
      ],
    },
    {
      name: 'a handler that fails',
      body: sse(strands('Ha'), {
        error: 'Boom',
        error_type: 'ValueError',
        message: 'An error occurred during streaming',
      }),
      messages: [done([text('Ha'), failure('Boom')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'an agent that is stopped',
      body: sse(strands('Ha'), { force_stop: true, force_stop_reason: 'No budget' }),
      messages: [done([text('Ha'), failure('No budget')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'values that Python could not serialize as JSON',
      body: sse(start, say('Hi'), '"{\'result\': AgentResult(…)}"', stop()),
      messages: [done([text('Hi')])],
    },
    {
      name: 'a message without a stop: interrupted',
      body: sse(start, say('Ha')),
      messages: [done([text('Ha')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
    {
      name: 'each unknown event is one warning, each malformed one too',
      body: `${sse(strands('a'), { dream: 1 })}data: {"type"\n\n${sse(strands('b'))}`,
      messages: [done([text('ab')])],
      warnings: ['malformed', 'unknown'],
    },
  ]);

  testNeverThrows(agentCore, [
    start,
    say('x'),
    toolStart,
    toolPiece('{'),
    stop(),
    usage,
    found(),
    strands('x'),
    using('{', '{'),
    { reasoningText: 'x', delta: {} },
    { tool_stream_event: { tool_use: { toolUseId: 'c', name: 'n' }, data: { data: 'x' } } },
    { result: { stop_reason: 'end_turn', message: { role: 'assistant', content: [{ text: 'x' }] } } },
    { multi_agent_node_stream: true, node_id: 'n', event: { data: 'x' } },
    raw({ redactContent: { redactAssistantContentMessage: 'x' } }),
    raw({ validationException: { message: 'x' } }),
    { error: 'x', message: 'y' },
    'x',
  ]);

  testSent(agentCore, [
    {
      name: 'only the new message, and the page context',
      messages: [user('A')],
      turn: { text: 'Hello' },
      options: { context: { page: '/x' } },
      sent: [{ url: 'https://a.example/chat', method: 'POST', body: { prompt: 'Hello', context: { page: '/x' } } }],
    },
  ]);

  testDetection('agentcore', {
    own: {
      'the model’s events': sse(start, say('Hi')),
      'Strands’ events': sse(strands('Hi')),
      'the beginning of a loop': sse({ init_event_loop: true }, { data: 'Hi' }),
      'Bedrock without a wrapper': sse({ contentBlockDelta: { delta: { text: 'Hi' } } }),
    },
    others: { 'words in data alone': [sse({ data: 'Hel' }, { data: 'lo' }), 'json-stream'] },
    otherUrls: ['https://a.example/invocations'],
  });
});
