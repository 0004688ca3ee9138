import { adapter as mastra } from '../../../src/protocols/mastra/mastra.ts';
import { testBodies, testNeverThrows } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { testDetection } from '../../support/detection-tests.ts';
import { sse } from '../../support/play-body.ts';
import { chunk, finish, known, result, say, stream, toolCall } from './streams.ts';

const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: known,
  ...more,
  blocks,
});
const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 };
const approval = chunk('tool-call-approval', {
  toolCallId: 'c',
  toolName: 'weather',
  args: { city: 'Rome' },
  resumeSchema: '{}',
});
const suspended = chunk('tool-call-suspended', {
  toolCallId: 'c',
  toolName: 'weather',
  args: { city: 'Rome' },
  suspendPayload: { message: 'Which day?' },
  resumeSchema: '{"type":"object","properties":{"day":{"type":"string"}}}',
});
/** An event of a durable run. */
const event = (type: string, data: object): object => ({
  type,
  runId: 'r',
  data,
  id: 'e',
  index: 0,
  createdAt: '2026-11-28T20:00:00.000Z',
});
const inner = (type: string, payload: object): object =>
  chunk('tool-output', { toolCallId: 'c', toolName: 'agent-guide', output: chunk(type, payload) });

describe('mastra', () => {
  testBodies(mastra, [
    {
      name: 'reasoning that the provider hides',
      body: stream(chunk('redacted-reasoning', { id: 'a', data: 'x' }), say('Hi'), finish('stop')),
      messages: [done([thought('', { extra: { hidden: true } }), text('Hi')])],
    },
    {
      name: 'reasoning parts are paragraphs; after a call one begins without a blank line',
      body: stream(
        ...['First.', 'Second.'].flatMap((part) => [
          chunk('reasoning-start', { id: '0' }),
          chunk('reasoning-delta', { id: '0', text: part.slice(0, 2) }),
          chunk('reasoning-delta', { id: '0', text: part.slice(2) }),
          chunk('reasoning-end', { id: '0' }),
        ]),
        toolCall('c'),
        result('c', 'ok'),
        chunk('reasoning-start', { id: '0' }),
        chunk('reasoning-delta', { id: '0', text: 'Third.' }),
        say('Hi'),
        finish('stop'),
      ),
      messages: [
        done([
          thought('First.\n\nSecond.'),
          call('c', 'weather', { params: '{}', response: 'ok' }),
          thought('Third.'),
          text('Hi'),
        ]),
      ],
    },
    {
      name: 'text, reasoning, and tokens at the end',
      body: stream(
        chunk('step-start', { messageId: 'm', request: {} }),
        chunk('reasoning-start', { id: 'a' }),
        chunk('reasoning-delta', { id: 'a', text: 'Hm' }),
        chunk('reasoning-end', { id: 'a' }),
        chunk('text-start', { id: 't' }),
        say('Hel'),
        say('lo'),
        chunk('text-end', { id: 't' }),
        chunk('step-finish', { stepResult: { reason: 'stop' }, output: { usage } }),
        finish('stop', { usage }),
      ),
      messages: [
        done([thought('Hm'), text('Hello')], {
          usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
        }),
      ],
    },
    {
      name: 'the end marker of older servers, after the end',
      body: `${stream(say('Hi'), finish())}data: [DONE]\n\n`,
      messages: [done([text('Hi')])],
    },
    {
      name: 'a call of the server’s, with arguments in chunks',
      body: stream(
        chunk('tool-call-input-streaming-start', { toolCallId: 'c', toolName: 'weather' }),
        chunk('tool-call-delta', { toolCallId: 'c', argsTextDelta: '{"city":' }),
        chunk('tool-call-delta', { toolCallId: 'c', argsTextDelta: '"Rome"}' }),
        chunk('tool-call-input-streaming-end', { toolCallId: 'c' }),
        toolCall('c', { city: 'Rome', __mastraMetadata: { isStreaming: true } }),
        result('c', { degrees: 20 }),
        say('20°'),
        finish(),
      ),
      messages: [done([call('c', 'weather', { params: '{"city":"Rome"}', response: '{"degrees":20}' }), text('20°')])],
    },
    {
      name: 'a call that fails',
      body: stream(
        toolCall('c'),
        chunk('tool-error', { toolCallId: 'c', toolName: 'weather', error: { name: 'Error', message: 'No sky' } }),
        say('Sorry'),
        finish(),
      ),
      messages: [
        done([call('c', 'weather', { params: '{}', response: 'No sky' }, { status: 'error' }), text('Sorry')]),
      ],
    },
    {
      name: 'a call that fails with an error whose message is only in its cause, or that has only a name',
      body: stream(
        toolCall('c'),
        chunk('tool-error', { toolCallId: 'c', error: { name: 'Error', cause: { name: 'Error', message: 'No sky' } } }),
        toolCall('d'),
        chunk('tool-error', { toolCallId: 'd', error: { name: 'ToolNotFoundError' } }),
        finish(),
      ),
      messages: [
        done([
          call('c', 'weather', { params: '{}', response: 'No sky' }, { status: 'error' }),
          call('d', 'weather', { params: '{}', response: 'ToolNotFoundError' }, { status: 'error' }),
        ]),
      ],
    },
    {
      name: 'a call whose arguments the tool’s schema rejects',
      body: stream(
        toolCall('c'),
        result('c', { error: true, message: 'No city given', validationErrors: { errors: [], fields: {} } }),
        finish(),
      ),
      messages: [done([call('c', 'weather', { params: '{}', response: 'No city given' }, { status: 'error' })])],
    },
    {
      name: 'the events of a run that is observed: its chunks are inside',
      body: sse(
        event('chunk', chunk('start', { id: 'weather' })),
        event('step-start', chunk('step-start', { messageId: 'm' })),
        event('chunk', say('Hello')),
        event('chunk', chunk('step-finish', { stepResult: { reason: 'stop' } })),
        event('step-finish', { stepResult: { reason: 'stop' } }),
        event('iteration-complete', { iteration: 1, text: 'Hello', isFinal: true }),
        event('finish', { output: { text: 'Hello', usage }, stepResult: { reason: 'stop' } }),
      ),
      messages: [done([text('Hello')], { usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } })],
    },
    {
      name: 'the events of an observed run that fails',
      body: sse(event('chunk', say('Ha')), event('error', { error: { name: 'Error', message: 'Boom' } })),
      messages: [done([text('Ha'), failure('Boom')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'a call of the page’s waits for it',
      body: stream(toolCall('c', { city: 'Rome' }), finish('tool-calls')),
      messages: [
        done([call('c', 'weather', { params: '{"city":"Rome"}' }, { status: 'loading' })], { finish: 'tool_use' }),
      ],
    },
    {
      name: 'rule 80: a call that needs approval, with arguments under the name of Mastra’s own metadata: they are shown',
      body: stream(
        chunk('tool-call-approval', {
          toolCallId: 'c',
          toolName: 'weather',
          args: { __mastraMetadata: { isStreaming: true, city: 'Rome' } },
        }),
      ),
      messages: [
        done(
          [
            call(
              'c',
              'weather',
              { params: '{"__mastraMetadata":{"isStreaming":true,"city":"Rome"}}' },
              { status: 'loading', extra: { remote: true } },
            ),
            {
              type: 'action',
              status: 'pending',
              action_type: 'tool_call_permission',
              tool_call: {
                id: 'c',
                name: 'weather',
                params: '{"__mastraMetadata":{"isStreaming":true,"city":"Rome"}}',
              },
              extra: { runId: 'r', requestId: 'c', toolName: 'weather', serverName: '', permissionType: 'all' },
            },
          ],
          { status: 'streaming', finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'a call that needs approval: the stream just ends',
      body: stream(toolCall('c', { city: 'Rome' }), approval),
      messages: [
        done(
          [
            call('c', 'weather', { params: '{"city":"Rome"}' }, { status: 'loading', extra: { remote: true } }),
            {
              type: 'action',
              status: 'pending',
              action_type: 'tool_call_permission',
              tool_call: { id: 'c', name: 'weather', params: '{"city":"Rome"}' },
              extra: { runId: 'r', requestId: 'c', toolName: 'weather', serverName: '', permissionType: 'all' },
            },
          ],
          { status: 'streaming', finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'a call that needs approval and was not announced has its name',
      body: stream(approval),
      messages: [
        done(
          [
            call('c', 'weather', { params: '{"city":"Rome"}' }, { status: 'loading', extra: { remote: true } }),
            {
              type: 'action',
              status: 'pending',
              action_type: 'tool_call_permission',
              tool_call: { id: 'c', name: 'weather', params: '{"city":"Rome"}' },
              extra: { runId: 'r', requestId: 'c', toolName: 'weather', serverName: '', permissionType: 'all' },
            },
          ],
          { status: 'streaming', finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'a call of a called agent that needs approval does not change the call of that agent',
      body: stream(toolCall('c', { prompt: 'Rome' }, { toolName: 'agent-guide' }), approval),
      messages: [
        done(
          [
            call('c', 'agent-guide', { params: '{"prompt":"Rome"}' }, { status: 'loading', extra: { remote: true } }),
            {
              type: 'action',
              status: 'pending',
              action_type: 'tool_call_permission',
              tool_call: { id: 'c', name: 'weather', params: '{"city":"Rome"}' },
              extra: { runId: 'r', requestId: 'c', toolName: 'weather', serverName: '', permissionType: 'all' },
            },
          ],
          { status: 'streaming', finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'a tool that asks for something while it runs',
      body: stream(toolCall('c', { city: 'Rome' }), suspended),
      messages: [
        done(
          [
            call('c', 'weather', { params: '{"city":"Rome"}' }, { status: 'loading', extra: { remote: true } }),
            {
              type: 'action',
              status: 'pending',
              action_type: 'question',
              content: 'Which day?',
              extra: {
                runId: 'r',
                suspended: true,
                needsChoice: true,
                requestId: 'c',
                schema: '{"type":"object","properties":{"day":{"type":"string"}}}',
              },
            },
          ],
          { status: 'streaming', finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'two texts, one after the other',
      body: stream(
        chunk('text-start', { id: 'a' }),
        say('One', 'a'),
        chunk('text-end', { id: 'a' }),
        chunk('text-start', { id: 'b' }),
        say('Two', 'b'),
        finish(),
      ),
      messages: [done([text('One'), text('Two')])],
    },
    {
      name: 'the text of an agent that was called as a tool, in the block of its call',
      body: stream(
        toolCall('c', { prompt: 'Rome' }, { toolName: 'agent-guide' }),
        inner('start', {}),
        inner('text-delta', { id: 'x', text: 'The Forum.' }),
        inner('finish', { stepResult: { reason: 'stop' } }),
        result('c', { text: 'The Forum.' }),
        say('See the Forum.'),
        finish(),
      ),
      messages: [
        done([
          call(
            'c',
            'agent-guide',
            { params: '{"prompt":"Rome"}', response: '{"text":"The Forum."}' },
            { extra: { agent: 'guide' } },
          ),
          text('The Forum.', { parentId: 'b1' }),
          text('See the Forum.'),
        ]),
      ],
    },
    {
      name: 'a source, an image, and the output of a tool',
      body: stream(
        say('Here'),
        chunk('source', { id: 's', sourceType: 'url', title: 'Rome', url: 'https://b.example/rome' }),
        chunk('file', { data: btoa('x'), mimeType: 'image/png' }),
        { type: 'data-step', runId: 'r', from: 'AGENT', id: '1', data: { at: 1 } },
        { type: 'data-step', runId: 'r', from: 'AGENT', id: '1', data: { at: 2 } },
        finish(),
      ),
      messages: [
        done([
          text('Here', { citations: [{ id: 's', url: 'https://b.example/rome', title: 'Rome' }] }),
          { type: 'image', image_data: { data: btoa('x'), mimeType: 'image/png' } },
          {
            type: 'data',
            data: { data_type: 'custom', data: { at: 2 }, metadata: { dataType: 'step' } },
            extra: { dataId: 'step:1' },
          },
        ]),
      ],
    },
    {
      name: 'an error ends it',
      body: stream(say('Ha'), chunk('error', { error: { name: 'APICallError', message: 'Boom' } }), finish('error')),
      messages: [done([text('Ha'), failure('Boom')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'a server rule stops it; if the rule allows a retry, it continues',
      body: stream(
        chunk('tripwire', { reason: 'Too long', retry: true }),
        say('Ha'),
        chunk('tripwire', { reason: 'No names' }),
        finish('tripwire'),
      ),
      messages: [done([text('Ha'), failure('No names', { code: 'tripwire' })], { status: 'error', finish: 'error' })],
    },
    {
      name: 'the maximum length',
      body: stream(say('Ha'), finish('length')),
      messages: [done([text('Ha')], { finish: 'max_tokens' })],
    },
    {
      name: 'no end: interrupted',
      body: stream(say('Ha')),
      messages: [done([text('Ha')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
    {
      name: 'each unknown event is one warning, each malformed one too',
      body: `${stream(say('a'), chunk('dream'))}data: {"type"\n\n${sse(finish())}`,
      messages: [done([text('a')])],
      warnings: ['malformed', 'unknown'],
    },
  ]);

  testNeverThrows(mastra, [
    say('x'),
    chunk('reasoning-delta', { text: 'x' }),
    toolCall('c', { a: 1 }),
    chunk('tool-call-delta', { toolCallId: 'c', argsTextDelta: '{' }),
    result('c', { a: 1 }, { isError: true }),
    chunk('tool-output-denied', { toolCallId: 'c', approval: { id: 'a', approved: false, reason: 'no' } }),
    inner('tool-call', { toolCallId: 'd', toolName: 'x', args: {} }),
    approval,
    suspended,
    chunk('source', { id: 's', title: 't', url: 'u' }),
    chunk('file', { data: 'x', mimeType: 'image/png' }),
    { type: 'data-x', id: '1', data: {} },
    chunk('error', { error: 'x' }),
    chunk('tripwire', { reason: 'x' }),
    chunk('abort'),
    finish('stop', { usage }),
  ]);

  testDetection('mastra', {
    own: {
      'a stream': stream(say('Hi'), finish()),
      'its first words alone': sse(say('Hi')),
      'an agent in a workflow': sse({ ...chunk('workflow-start', { workflowId: 'w' }), from: 'WORKFLOW' }),
    },
    others: {
      'an AG-UI run, which says nothing of who speaks': [
        sse({ type: 'RUN_STARTED', threadId: 't', runId: 'r' }),
        'ag-ui',
      ],
      'the AI SDK’s words': [sse({ type: 'text-delta', id: 't', delta: 'x' }), 'ai-sdk'],
    },
    urls: ['https://a.example/api/agents/weather/stream', 'https://a.example/api/agents/weather/stream/'],
    otherUrls: ['https://a.example/api/agents/weather', 'https://a.example/agents/stream'],
  });
});
