import { stopReason } from '../../../src/model/events/core-event-schema.ts';
import { createStreamEvent as core } from '../../../src/model/events/core-events.ts';
import { adapter as deepchatEvents } from '../../../src/protocols/deepchat-events/deepchat-events.ts';
import { testBodies, testNeverThrows, testRecordings, testRequests } from '../../support/adapter-tests.ts';
import { call, failure, text } from '../../support/bare.ts';
import { end, response } from '../../support/events.ts';
import { assistant, toolBlock, user } from '../../support/messages.ts';
import { PIXEL } from '../../support/pixel.ts';
import { ndjson, NOW, sse } from '../../support/play-body.ts';

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const permission = { toolName: 'f', serverName: 's', permissionType: 'all', description: 'd' };
const data = (fields: object) => ({ type: 'response', data: { eventId: 'e', ...fields } });
/** A response of an agent, as the document's processor yields it. */
const answer = (id: string, type: string, content: object, more: object = {}) => ({
  id,
  messageId: 'm',
  agentId: 'main',
  type,
  content,
  metadata: {},
  status: 'complete',
  timestamp: 1,
  ...more,
});

/** A call that has ended without a result, because core events have none. */
const ranByServer = (id: string, name: string, params = '{}') =>
  call(id, name, params ? { params } : {}, { extra: { remote: true } });

describe('deepchat-events', () => {
  testRecordings(deepchatEvents, 'deepchat-events');

  testBodies(deepchatEvents, [
    ...stopReason.options.map((reason) => ({
      name: `stop: ${reason}`,
      body: sse(core.text('a'), core.stop(reason)),
      messages: [
        {
          status: reason === 'error' ? 'error' : 'complete',
          finish: reason,
          blocks: [text('a')],
        },
      ],
    })),
    ...(
      [
        ['stop with tool_use', [core.stop('tool_use'), { type: 'usage', usage }]],
        ['no stop between them', []],
      ] as const
    ).map(([name, between]) => ({
      name: `rounds of a model whose calls the server runs, with ${name}`,
      body: sse(
        core.text('a'),
        core.toolCallStart('t1', 'find'),
        core.toolCallStart('t2', 'list'),
        core.toolCallEnd('t1', '{}'),
        core.toolCallEnd('t2', '{}'),
        ...between,
        core.text('b'),
        core.stop('complete'),
      ),
      messages: [
        {
          ...(between.length > 0 && { usage }),
          status: 'complete',
          finish: 'complete',
          blocks: [text('a'), ranByServer('t1', 'find'), ranByServer('t2', 'list'), text('b')],
        },
      ],
    })),
    {
      name: 'rounds of a model: calls of the last round are open, and those of a failed one too',
      body: sse(
        core.toolCallStart('t1', 'find'),
        core.stop('tool_use'),
        core.toolCallStart('t2', 'list'),
        core.stop('tool_use'),
        core.error('gone'),
        core.stop('error'),
      ),
      messages: [
        {
          status: 'error',
          finish: 'error',
          blocks: [ranByServer('t1', 'find', ''), call('t2', 'list', {}, { status: 'loading' }), failure('gone')],
        },
      ],
    },
    {
      name: 'an end without userStop',
      body: ndjson(data({ content: 'a' }), { type: 'end', data: { eventId: 'e' } }),
      messages: [{ status: 'complete', finish: 'complete', blocks: [text('a')] }],
    },
    {
      name: 'events whose type is only the name of their SSE event',
      body: 'event: response\ndata: {"eventId":"e","content":"a"}\n\nevent: end\ndata: {"eventId":"e"}\n\n',
      messages: [{ status: 'complete', finish: 'complete', blocks: [text('a')] }],
    },
    {
      name: 'an error without an end',
      body: sse({ type: 'error', data: { eventId: 'e', error: 'boom' } }),
      messages: [{ status: 'error', finish: 'error', blocks: [failure('boom')] }],
    },
    {
      name: 'a core error without a stop',
      body: sse(core.error('boom')),
      messages: [{ status: 'error', finish: 'error', blocks: [failure('boom')] }],
    },
    {
      name: 'an end marker instead of an end',
      body: sse(data({ content: 'a' }), '[DONE]', data({ content: 'late' })),
      messages: [{ status: 'complete', finish: 'complete', blocks: [text('a')] }],
    },
    {
      name: 'only an end marker',
      body: sse('[DONE]'),
      messages: [{ status: 'interrupted', finish: 'error', blocks: [] }],
      problem: 'empty',
    },
    { name: 'nothing', body: '', messages: [{ status: 'interrupted', finish: 'error', blocks: [] }], problem: 'empty' },
    {
      name: 'rule 85: a permission has no arguments of an earlier call with the same id',
      body: sse(
        data({ tool_call: 'start', tool_call_id: 'c', tool_call_name: 'read', tool_call_params: '{"path":"/tmp"}' }),
        data({ tool_call: 'end', tool_call_id: 'c', tool_call_response: 'ok' }),
        data({ tool_call: 'start', tool_call_id: 'c', tool_call_name: 'f' }),
        data({ tool_call: 'permission-required', tool_call_id: 'c', permission_request: permission }),
        data({ finish: 'tool_use' }),
      ),
      messages: [
        {
          status: 'streaming',
          finish: 'tool_use',
          blocks: [
            call('c', 'read', { params: '{"path":"/tmp"}', response: 'ok' }),
            call('c', 'f', {}, { status: 'loading' }),
            {
              type: 'action',
              status: 'pending',
              action_type: 'tool_call_permission',
              content: 'd',
              tool_call: { id: 'c', name: 'f' },
              extra: { permissionType: 'all', serverName: 's', toolName: 'f' },
            },
          ],
        },
      ],
    },
    {
      name: 'rule 85: a permission has the arguments that have replaced the first ones, and none of a sub-agent’s call',
      body: sse(
        data({ tool_call: 'start', tool_call_id: 'p', tool_call_name: 'ask' }),
        data({ tool_call: 'start', tool_call_id: 'c', tool_call_name: 'f', tool_call_params: '{"path":"/tmp"}' }),
        data({ tool_call: 'update', tool_call_id: 'c', tool_call_params_complete: '{"path":"/"}' }),
        data({
          parent: { tool_call_id: 'p' },
          tool_call: 'start',
          tool_call_id: 'c',
          tool_call_name: 'f',
          tool_call_params: '{"path":"/home"}',
        }),
        data({ tool_call: 'permission-required', tool_call_id: 'c', permission_request: permission }),
        data({ finish: 'tool_use' }),
      ),
      messages: [
        {
          status: 'streaming',
          finish: 'tool_use',
          blocks: [
            call('p', 'ask', {}, { status: 'loading' }),
            call('c', 'f', { params: '{"path":"/"}' }, { status: 'loading' }),
            call('c', 'f', { params: '{"path":"/home"}' }, { status: 'loading', parentId: 'b1' }),
            {
              type: 'action',
              status: 'pending',
              action_type: 'tool_call_permission',
              content: 'd',
              tool_call: { id: 'c', name: 'f', params: '{"path":"/"}' },
              extra: { permissionType: 'all', serverName: 's', toolName: 'f' },
            },
          ],
        },
      ],
    },
    {
      name: 'a permission after a repetition of its arguments in another spelling',
      body: sse(
        data({ tool_call: 'start', tool_call_id: 'c', tool_call_name: 'f', tool_call_params: '{"path":"/tmp"}' }),
        data({ tool_call: 'running', tool_call_id: 'c', tool_call_params: '{ "path": "/tmp" }' }),
        data({ tool_call: 'permission-required', tool_call_id: 'c', permission_request: permission }),
        data({ finish: 'tool_use' }),
      ),
      messages: [
        {
          status: 'streaming',
          finish: 'tool_use',
          blocks: [
            call('c', 'f', { params: '{"path":"/tmp"}' }, { status: 'loading' }),
            {
              type: 'action',
              status: 'pending',
              action_type: 'tool_call_permission',
              content: 'd',
              tool_call: { id: 'c', name: 'f', params: '{"path":"/tmp"}' },
              extra: { permissionType: 'all', serverName: 's', toolName: 'f' },
            },
          ],
        },
      ],
    },
    {
      name: 'a call that only its permission has announced',
      body: sse(
        data({
          tool_call: 'permission-required',
          tool_call_id: 'c',
          tool_call_params: '{"path":"/tmp"}',
          permission_request: permission,
        }),
        data({ tool_call: 'permission-granted', tool_call_id: 'c' }),
        data({ tool_call: 'running', tool_call_id: 'c', tool_call_response: 'do' }),
        data({ tool_call: 'end', tool_call_id: 'c', tool_call_response: 'done' }),
        end(),
      ),
      messages: [
        {
          status: 'complete',
          finish: 'complete',
          blocks: [
            {
              type: 'action',
              status: 'granted',
              action_type: 'tool_call_permission',
              content: 'd',
              tool_call: { id: 'c', name: 'f', params: '{"path":"/tmp"}' },
              extra: { permissionType: 'all', serverName: 's', toolName: 'f', decidedBy: 'server' },
            },
            call('c', 'f', { params: '{"path":"/tmp"}', response: 'done' }),
          ],
        },
      ],
    },
    {
      name: 'arguments that each event repeats as far as they are known',
      body: sse(
        data({ tool_call: 'start', tool_call_id: 'c', tool_call_name: 'f', tool_call_params: '' }),
        data({ tool_call: 'update', tool_call_id: 'c', tool_call_params: '{"a"' }),
        data({ tool_call: 'update', tool_call_id: 'c', tool_call_params: '{"a":1' }),
        data({ tool_call: 'running', tool_call_id: 'c', tool_call_params: '{"a":1}' }),
        data({ tool_call: 'end', tool_call_id: 'c', tool_call_params: '{"a":1}', tool_call_response: 'r' }),
        end(),
      ),
      messages: [
        { status: 'complete', finish: 'complete', blocks: [call('c', 'f', { params: '{"a":1}', response: 'r' })] },
      ],
    },
    {
      name: 'chunks of nested arguments that begin alike',
      body: sse(
        data({ tool_call: 'start', tool_call_id: 'c', tool_call_name: 'f' }),
        data({ tool_call: 'update', tool_call_id: 'c', tool_call_params: '{"a":' }),
        data({ tool_call: 'update', tool_call_id: 'c', tool_call_params: '{"a":1}}' }),
        data({ tool_call: 'end', tool_call_id: 'c' }),
        end(),
      ),
      messages: [{ status: 'complete', finish: 'complete', blocks: [call('c', 'f', { params: '{"a":{"a":1}}' })] }],
    },
    {
      name: 'arguments that are an object',
      body: sse(
        data({ tool_call: 'start', tool_call_id: 'c', tool_call_name: 'f', tool_call_params: { a: 1 } }),
        data({ tool_call: 'end', tool_call_id: 'c' }),
        end(),
      ),
      messages: [{ status: 'complete', finish: 'complete', blocks: [call('c', 'f', { params: '{"a":1}' })] }],
    },
    {
      name: 'an image whose data is a data URL',
      body: sse(
        core.imageData({ data: `data:image/png;base64,${PIXEL}`, mimeType: 'image/png' }),
        core.stop('complete'),
      ),
      messages: [
        {
          status: 'complete',
          finish: 'complete',
          blocks: [{ type: 'image', image_data: { data: PIXEL, mimeType: 'image/png' } }],
        },
      ],
    },
    {
      name: 'responses of agents, each with its agent',
      body: sse(
        answer('r1', 'text', { text: 'I ask ' }),
        answer('r1', 'text', { text: 'the stock agent.' }),
        answer('r2', 'data', { data: { format: 'csv', content: 'day,price\nMon,4' } }, { agentId: 'stock' }),
        answer('r3', 'code', { text: 'In code:', code: { language: 'py', content: 'print(4)' } }),
        answer('r4', 'progress', { progress: { current: 1, total: 2, message: 'Reading' } }, { status: 'streaming' }),
        answer('r4', 'progress', { progress: { current: 2, total: 2, message: 'Read' } }),
      ),
      messages: [
        {
          status: 'complete',
          finish: 'complete',
          name: 'main',
          metadata: { messageId: 'reply:main:1' },
          blocks: [text('I ask the stock agent.')],
        },
        {
          status: 'complete',
          finish: 'complete',
          name: 'stock',
          metadata: { messageId: 'reply:stock:2' },
          blocks: [
            {
              type: 'data',
              data: { data_type: 'dataframe', data: { columns: ['day', 'price'], rows: [['Mon', '4']] } },
            },
          ],
        },
        {
          status: 'complete',
          finish: 'complete',
          name: 'main',
          metadata: { messageId: 'reply:main:3' },
          blocks: [
            text('In code:'),
            { type: 'code', code: { language: 'py', content: 'print(4)' } },
            { type: 'progress', progress: { current: 2, total: 2, message: 'Read' }, extra: { responseId: 'r4' } },
          ],
        },
      ],
    },
    {
      name: 'a confirmation of an agent',
      body: sse(
        answer(
          'r1',
          'confirmation',
          { text: 'Which way?', confirmation: { type: 'action', message: 'Which way?', options: ['North'] } },
          { status: 'pending' },
        ),
      ),
      messages: [
        {
          status: 'streaming',
          finish: 'tool_use',
          name: 'main',
          metadata: { messageId: 'reply:main:1' },
          blocks: [
            {
              type: 'action',
              status: 'pending',
              action_type: 'confirmation',
              content: 'Which way?',
              extra: { kind: 'action', requestId: 'r1', options: [{ label: 'North' }] },
            },
          ],
        },
      ],
    },
    {
      name: 'an error of an agent',
      body: sse(answer('r1', 'error', { error: { code: 'E1', message: 'gone' } })),
      messages: [
        {
          status: 'error',
          finish: 'error',
          name: 'main',
          metadata: { messageId: 'reply:main:1' },
          blocks: [failure('gone', { code: 'E1' })],
        },
      ],
    },
    {
      name: 'a response of an agent that is not over at the end of the body',
      body: sse(answer('r1', 'text', { text: 'Half' }, { status: 'streaming' })),
      messages: [
        {
          status: 'interrupted',
          finish: 'error',
          name: 'main',
          metadata: { messageId: 'reply:main:1' },
          blocks: [text('Half')],
        },
      ],
      problem: 'cut',
    },
    {
      name: 'an agent that has failed, and another one that has gone on',
      body: sse(
        answer('r1', 'error', { error: { code: 'X', message: 'Closed' } }),
        answer('r2', 'text', { text: 'Later' }, { agentId: 'stock' }),
      ),
      messages: [
        {
          status: 'complete',
          finish: 'complete',
          name: 'main',
          metadata: { messageId: 'reply:main:1' },
          blocks: [failure('Closed', { code: 'X' })],
        },
        {
          status: 'complete',
          finish: 'complete',
          name: 'stock',
          metadata: { messageId: 'reply:stock:2' },
          blocks: [text('Later')],
        },
      ],
    },
    ...[
      { name: 'a numeric code', error: { error: 'boom', code: 429 }, extra: { code: '429' } },
      { name: 'an object', error: { error: { message: 'boom', code: 'E1' } }, extra: { code: 'E1' } },
      { name: 'its text in another field', error: { error: null, message: 'boom' } },
      { name: 'no text', error: { code: 'E1' }, shown: 'The agent reports an error.', extra: { code: 'E1' } },
    ].map(({ name, error, shown = 'boom', extra = {} }) => ({
      name: `an error with ${name}`,
      body: sse(data({ content: 'a' }), { type: 'error', data: { eventId: 'e', ...error } }, end()),
      messages: [{ status: 'error', finish: 'error', blocks: [text('a'), failure(shown, extra)] }],
    })),
    ...[{ error: 'boom' }, { message: 'boom' }, { error_message: { message: 'boom' } }, { data: 'boom' }].map(
      (fields) => ({
        name: `a core error with ${JSON.stringify(fields)}`,
        body: sse(core.text('a'), { type: 'error', ...fields }, core.stop('complete')),
        messages: [{ status: 'error', finish: 'error', blocks: [text('a'), failure('boom')] }],
      }),
    ),
    ...[
      { error: { code: 500, message: 'boom' }, extra: { code: '500' } },
      { error: { message: 'boom' }, extra: {} },
      { error: 'boom', extra: {} },
    ].map(({ error, extra }) => ({
      name: `a response of an agent with the error ${JSON.stringify(error)}`,
      body: sse(answer('r1', 'text', { text: 'a' }), answer('r2', 'error', { error }, { status: 'error' })),
      messages: [
        {
          status: 'error',
          finish: 'error',
          name: 'main',
          metadata: { messageId: 'reply:main:1' },
          blocks: [text('a'), failure('boom', extra)],
        },
      ],
    })),
    {
      name: 'a usage without a total',
      body: sse(data({ content: 'Hi', totalUsage: { prompt_tokens: 1, completion_tokens: 2 } }), end()),
      messages: [{ usage, status: 'complete', finish: 'complete', blocks: [text('Hi')] }],
    },
    {
      name: 'side fields that lack a part lose only themselves',
      body: sse(
        data({ content: 'a', rate_limit: { providerId: 'p', currentQps: 1 } }),
        data({ content: 'b', image_data: { data: PIXEL } }),
        data({ content: 'c', totalUsage: 'many' }),
        data({ rate_limit: 7 }),
        data({ content: 'lost', tool_call: 'end', tool_call_id: { id: 1 } }),
        end(),
      ),
      messages: [{ status: 'complete', finish: 'complete', blocks: [text('abc')] }],
      warnings: ['malformed', 'malformed', 'malformed', 'malformed', 'malformed'],
    },
    ...[data, (fields: object) => ({ type: 'image_data', ...fields })].map((wrap, layer) => ({
      name: `an image whose MIME type is only in its data URL, layer ${String(layer)}`,
      body: sse(wrap({ image_data: { data: `data:image/png;base64,${PIXEL}` } }), end()),
      messages: [
        {
          status: 'complete',
          finish: 'complete',
          blocks: [{ type: 'image', image_data: { data: PIXEL, mimeType: 'image/png' } }],
        },
      ],
    })),
    {
      name: 'incomplete contents of agents',
      body: sse(
        answer('r1', 'text', { text: 'a', file: 7 }),
        answer('r2', 'code', { code: { content: 'print(4)' } }),
        answer('r3', 'progress', { progress: { current: 1, total: 1 } }),
        answer('r4', 'confirmation', { confirmation: { type: 'choice', message: 'Which way?', options: ['N', 1] } }),
      ),
      messages: [
        {
          status: 'streaming',
          finish: 'tool_use',
          name: 'main',
          metadata: { messageId: 'reply:main:1' },
          blocks: [
            text('a'),
            { type: 'code', code: { language: '', content: 'print(4)' } },
            { type: 'progress', progress: { current: 1, total: 1, message: '' }, extra: { responseId: 'r3' } },
            {
              type: 'action',
              status: 'pending',
              action_type: 'confirmation',
              content: 'Which way?',
              extra: { kind: 'action', requestId: 'r4', options: [{ label: 'N' }, { label: '1' }] },
            },
          ],
        },
      ],
      warnings: ['malformed'],
    },
    ...[
      { status: 'error', details: { status: 'error' } },
      { status: 'success', details: {} },
    ].map(({ status, details }) => ({
      name: `a model's call whose end has its result, with the status ${status}`,
      body: sse(
        core.toolCallStart('t', 'f'),
        { ...core.toolCallEnd('t', '{}'), tool_call_response: '42', tool_call_status: status },
        core.stop('tool_use'),
        core.text('a'),
        core.stop('complete'),
      ),
      messages: [
        {
          status: 'complete',
          finish: 'complete',
          blocks: [
            call('t', 'f', { params: '{}', response: '42' }, { ...details, extra: { remote: true } }),
            text('a'),
          ],
        },
      ],
    })),
    {
      name: 'the end of an agent’s call with the status error',
      body: sse(
        data({ tool_call: 'start', tool_call_id: 't', tool_call_name: 'f' }),
        data({ tool_call: 'end', tool_call_id: 't', tool_call_response: '42', tool_call_status: 'error' }),
        end(),
      ),
      messages: [
        {
          status: 'complete',
          finish: 'complete',
          blocks: [call('t', 'f', { response: '42' }, { status: 'error' })],
        },
      ],
    },
    {
      name: 'the id of a permission request is that of its answer',
      body: sse(
        data({
          tool_call: 'permission-required',
          tool_call_id: 'c',
          permission_request: { ...permission, requestId: 'q1' },
        }),
        data({ tool_call: 'permission-granted', tool_call_id: 'c' }),
        end(),
      ),
      messages: [
        {
          status: 'complete',
          finish: 'complete',
          blocks: [
            {
              type: 'action',
              status: 'granted',
              action_type: 'tool_call_permission',
              content: 'd',
              tool_call: { id: 'c', name: 'f' },
              extra: {
                permissionType: 'all',
                serverName: 's',
                toolName: 'f',
                requestId: 'q1',
                decidedBy: 'server',
              },
            },
          ],
        },
      ],
    },
    {
      name: 'numeric ids',
      body: sse(
        { type: 'response', data: { eventId: 5, content: 'a' } },
        data({ tool_call: 'start', tool_call_id: 1, tool_call_name: 'f' }),
        data({ tool_call: 'end', tool_call_id: 1, tool_call_response: 'r' }),
        { type: 'end', data: { eventId: 5 } },
      ),
      messages: [{ status: 'complete', finish: 'complete', blocks: [text('a'), call('1', 'f', { response: 'r' })] }],
    },
    {
      name: 'event names and line ends of other servers',
      body: `event: message\r\ndata:${JSON.stringify(data({ content: 'a' }))}\r\n\r\n: ping\r\n\r\ndata:${JSON.stringify(end())}\r\n\r\n`,
      messages: [{ status: 'complete', finish: 'complete', blocks: [text('a')] }],
    },
    {
      name: 'both layers in one stream',
      body: sse(core.text('a'), response({ content: 'b' }), end()),
      messages: [{ status: 'complete', finish: 'complete', blocks: [text('ab')] }],
    },
    {
      name: 'a field of the wrong type loses only itself',
      body: sse(data({ content: 1 }), data({ content: 'b', tool_call: 7 }), data({ content: 'c' }), end()),
      messages: [{ status: 'complete', finish: 'complete', blocks: [text('bc')] }],
      warnings: ['malformed', 'malformed'],
    },
  ]);

  testNeverThrows(deepchatEvents, [
    ...[
      core.text('a'),
      core.reasoning('a'),
      core.toolCallStart('t', 'f'),
      core.toolCallChunk('t', '{'),
      core.toolCallEnd('t', '{}'),
      core.error('a'),
      core.usage(usage),
      core.stop('complete'),
      core.imageData({ data: 'AA', mimeType: 'image/png' }),
      core.rateLimit({ providerId: 'p', qpsLimit: 1, currentQps: 1, queueLength: 1, estimatedWaitTime: 1 }),
    ],
    data({ content: 'a', reasoning_content: 'b', totalUsage: usage }),
    data({ tool_call: 'start', tool_call_id: 't', tool_call_name: 'f', tool_call_params: '{}' }),
    data({ tool_call: 'end', tool_call_id: 't', tool_call_response: [{ type: 'text', text: 'x' }] }),
    data({ tool_call: 'permission-required', tool_call_id: 't', permission_request: permission }),
    data({
      message: { id: 'm', replace: true },
      citation: { id: 'c', anchor: 'quote', quote: 'a' },
      phase: { name: 'p' },
    }),
    { type: 'error', data: { eventId: 'e', error: 'boom', code: 'c', recoverable: true } },
    answer('r', 'code', { text: 'a', code: { language: 'py', content: 'b', output: 'c' } }),
    answer('r', 'confirmation', { confirmation: { type: 'action', message: 'a', options: ['b'] } }),
    end(),
  ]);

  const message = (id: string, role: string, words: string, more: object = {}) => ({
    id,
    type: 'text',
    role,
    content: { text: words },
    metadata: {},
    timestamp: NOW,
    ...more,
  });

  const textBlock = (content: string) => ({ type: 'content', content }) as const;
  const confirmation = (content: string, status: 'granted' | 'denied' | 'cancel', extra = {}) =>
    ({ type: 'action', action_type: 'confirmation', id: content, status, content, extra }) as const;

  testRequests(deepchatEvents, [
    {
      name: 'two turns, the new one last',
      messages: [user('hi'), assistant('Hello', { agentId: 'a' }), user('more')],
      body: {
        messages: [
          message('m1', 'user', 'hi'),
          message('m2', 'assistant', 'Hello', { agentId: 'a' }),
          message('m3', 'user', 'more'),
        ],
      },
    },
    {
      name: 'an empty reply is not sent',
      messages: [user('hi'), assistant([])],
      body: { messages: [message('m1', 'user', 'hi')] },
    },
    {
      name: 'the code, the data, the files and the results of commands of an earlier answer',
      messages: [
        user('hi'),
        assistant([
          { type: 'content', content: 'Here' },
          { type: 'code', code: { language: 'js', content: 'a()', filename: 'a.js', output: '1' } },
          { type: 'code', code: { language: 'py', content: 'b()' } },
          { type: 'data', data: { data_type: 'custom', data: { total: 2 } } },
          { type: 'command_result', commandResult: { success: true, output: 'ok' } },
          { type: 'file', name: 'x.txt', file: { name: 'x.txt', content: 'x', mimeType: 'text/plain' } },
        ]),
        user('fix it'),
      ],
      body: {
        messages: [
          message('m1', 'user', 'hi'),
          message('m2.1', 'assistant', '', { type: 'code', content: { code: { language: 'py', content: 'b()' } } }),
          message('m2', 'assistant', 'Here', {
            type: 'structured_data',
            content: {
              text: 'Here',
              code: { language: 'js', content: 'a()', filename: 'a.js' },
              data: { format: 'json', content: { total: 2 } },
              structured: { type: 'command_result', data: { success: true, output: 'ok' } },
              file: { name: 'x.txt', content: 'x', mimeType: 'text/plain' },
            },
          }),
          message('m3', 'user', 'fix it'),
        ],
      },
    },
    {
      name: 'an image and a file',
      messages: [
        user('look', {
          attachments: [
            { kind: 'image', data: 'AA', mimeType: 'image/png' },
            { kind: 'file', data: 'BB', mimeType: 'text/plain', name: 'x.txt' },
          ],
        }),
      ],
      body: {
        messages: [
          message('m1', 'user', 'look', {
            type: 'file',
            content: {
              text: 'look',
              image: { data: 'AA', mimeType: 'image/png' },
              file: { name: 'x.txt', content: 'BB', mimeType: 'text/plain' },
            },
          }),
        ],
      },
    },
    {
      name: 'more attachments than the format has fields: each in a message before it',
      messages: [
        user('look', {
          attachments: [
            { kind: 'image', data: 'AA', mimeType: 'image/png' },
            { kind: 'image', data: 'BB', mimeType: 'image/png' },
            { kind: 'audio', data: 'CC', mimeType: 'audio/mpeg', name: 'x.mp3' },
            { kind: 'image', url: 'https://files.example/y.png', name: 'y.png' },
          ],
        }),
      ],
      body: {
        messages: [
          message('m1.1', 'user', '', { type: 'image', content: { image: { data: 'BB', mimeType: 'image/png' } } }),
          message('m1', 'user', 'look', {
            type: 'data',
            content: {
              text: 'look',
              image: { data: 'AA', mimeType: 'image/png' },
              file: { name: 'x.mp3', content: 'CC', mimeType: 'audio/mpeg' },
              data: { format: 'json', content: { kind: 'image', url: 'https://files.example/y.png', name: 'y.png' } },
            },
          }),
        ],
      },
    },
    {
      name: 'the page’s fields in the form of an agent’s message',
      messages: [user('', { metadata: { content: { command: { type: 'run', parameters: { a: 1 } } } } })],
      body: {
        messages: [
          message('m1', 'user', '', { type: 'command', content: { command: { type: 'run', parameters: { a: 1 } } } }),
        ],
      },
    },
    {
      name: 'an answer to a permission, with its ids',
      messages: [user('hi')],
      turn: {
        answers: [
          {
            decision: 'granted',
            blockId: 'b',
            actionType: 'tool_call_permission',
            toolCallId: 't',
            extra: { permissionType: 'write', serverName: 'files', toolName: 'rm' },
          },
          { decision: 'denied', blockId: 'c', actionType: 'tool_call_permission', toolCallId: 'u' },
        ],
      },
      body: {
        messages: [message('m1', 'user', 'hi')],
        permissions: [
          { tool_call_id: 't', decision: 'granted', permissionType: 'write', serverName: 'files' },
          { tool_call_id: 'u', decision: 'denied' },
        ],
      },
    },
    {
      name: 'the page’s tools, and their results in a reply that goes on',
      messages: [
        user('hi'),
        assistant([
          toolBlock('t', 'pick', '{"n":1}', 'picked'),
          toolBlock('u', 'pick', '{"n":2}', 'no luck', true),
          toolBlock('v', 'of the agent', '{}', 'x'),
        ]),
      ],
      options: { tools: [{ name: 'pick', description: 'Picks', parameters: { type: 'object' } }] },
      body: {
        messages: [message('m1', 'user', 'hi')],
        tools: [{ name: 'pick', description: 'Picks', inputSchema: { type: 'object' } }],
        tool_results: [
          { tool_call_id: 't', tool_call_name: 'pick', tool_call_params: '{"n":1}', tool_call_response: 'picked' },
          {
            tool_call_id: 'u',
            tool_call_name: 'pick',
            tool_call_params: '{"n":2}',
            tool_call_response: 'no luck',
            is_error: true,
          },
        ],
      },
    },
    {
      name: 'an answer to a confirmation, with the chosen option',
      messages: [user('hi')],
      turn: {
        answers: [
          {
            decision: 'answered',
            blockId: 'b',
            actionType: 'confirmation',
            payload: 'North',
            extra: { requestId: 'r1', kind: 'action' },
          },
        ],
      },
      body: {
        messages: [message('m1', 'user', 'hi')],
        permissions: [{ id: 'r1', decision: 'answered', answer: 'North' }],
      },
    },
    {
      name: 'a confirmation, and its answer in later turns as a message of the user',
      messages: [
        user('Book it'),
        assistant([
          textBlock('I look.'),
          confirmation('Which city?', 'granted', { options: [{ label: 'Oslo' }, { label: 'Bergen' }], answer: 'Oslo' }),
          confirmation('Breakfast?', 'denied'),
        ]),
        assistant([textBlock('Which day?')]),
        user('Monday'),
      ],
      body: {
        messages: [
          message('m1', 'user', 'Book it'),
          message('m2', 'assistant', 'I look.\n\nWhich city?\n\nBreakfast?'),
          message('m2.answer', 'user', 'Oslo\n\ndenied'),
          message('m3', 'assistant', 'Which day?'),
          message('m4', 'user', 'Monday'),
        ],
      },
    },
    {
      name: 'a confirmation, and its answer only as a permission in the request that is about it',
      messages: [user('Book it'), assistant([confirmation('Breakfast?', 'granted')])],
      turn: { answers: [{ decision: 'granted', blockId: 'Breakfast?', actionType: 'confirmation' }] },
      body: {
        messages: [message('m1', 'user', 'Book it'), message('m2', 'assistant', 'Breakfast?')],
        permissions: [{ decision: 'granted' }],
      },
    },
    {
      name: 'a confirmation that nobody has answered, and an answer that is no option',
      messages: [
        user('Book it'),
        assistant([confirmation('Breakfast?', 'cancel')]),
        user('Go on'),
        assistant([confirmation('Lunch?', 'granted', { options: [{ label: 'Now' }], answer: 'my secret' })]),
      ],
      body: {
        messages: [
          message('m1', 'user', 'Book it'),
          message('m2', 'assistant', 'Breakfast?'),
          message('m3', 'user', 'Go on'),
          message('m4', 'assistant', 'Lunch?'),
          message('m4.answer', 'user', 'granted'),
        ],
      },
    },
  ]);
});
