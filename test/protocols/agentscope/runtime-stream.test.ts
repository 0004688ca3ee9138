import { agentscope } from '../../../src/protocols/agentscope/agentscope.ts';
import { testBodies, testNeverThrows } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type Bare } from '../../support/bare.ts';
import { sse } from '../../support/play-body.ts';
import { content, message, piece, response, whole } from './wire.ts';

const reply = (blocks: readonly Bare[], more: Bare = {}): Bare => ({
  status: 'complete',
  finish: 'complete',
  metadata: { messageId: 'r1', sessionId: 's1' },
  blocks,
  ...more,
});
const remote = { extra: { remote: true } };
const stream = (...frames: readonly object[]): string => sse(response('created'), response('in_progress'), ...frames);
const open = (id: string, type: string): object => message(id, type, 'in_progress', null);
/** A call whose arguments come three times, each time the complete text so far. */
const calls = (id: string, type: string, data: object): readonly object[] => [
  open(id, type),
  content(id, { type: 'data', data: { ...data, arguments: '' } }),
  content(id, { type: 'data', data: { ...data, arguments: '{"x"' } }),
  whole(id, { type: 'data', data: { ...data, arguments: '{"x":1}' } }),
];
const output = (id: string, type: string, data: object): readonly object[] => [
  message(id, type, 'in_progress', null, { role: 'tool' }),
  content(id, { type: 'data', data: { ...data, output: '' } }),
  content(id, { type: 'data', data: { ...data, output: 'o' } }),
  whole(id, { type: 'data', data: { ...data, output: 'ok' } }),
];

describe('agentscope, the Runtime', () => {
  testBodies(agentscope, [
    {
      name: 'reasoning, a call with its result, and text: repeated parts are shown once',
      body: stream(
        open('a', 'reasoning'),
        piece('a', 'Hm'),
        whole('a', { delta: null, text: 'Hm' }),
        message('a', 'reasoning', 'completed', [whole('a', { text: 'Hm' })]),
        ...calls('b', 'plugin_call', { call_id: 'c1', name: 'f' }),
        ...output('c', 'plugin_call_output', { call_id: 'c1', name: 'f' }),
        open('d', 'message'),
        piece('d', 'He'),
        piece('d', 'llo'),
        whole('d', { text: 'Hello' }),
        message('d', 'message', 'completed', [whole('d', { text: 'Hello' })], {
          usage: { input_tokens: 1, output_tokens: 2 },
        }),
        response('completed', {
          output: [message('d', 'message', 'completed', [whole('d', { text: 'Hello' })])],
          usage: { input_tokens: 3, output_tokens: 4 },
        }),
      ),
      messages: [
        reply([thought('Hm'), call('c1', 'f', { params: '{"x":1}', response: 'ok' }, remote), text('Hello')], {
          usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
        }),
      ],
    },
    {
      name: 'a different complete text replaces its chunks',
      body: stream(
        ...calls('b', 'mcp_call', { call_id: 'c1', name: 'f' }),
        open('d', 'message'),
        piece('d', 'Helo'),
        whole('d', { text: 'Hello' }),
        response('completed'),
      ),
      messages: [reply([call('c1', 'f', { params: '{"x":1}' }, { status: 'loading', ...remote }), text('Hello')])],
    },
    {
      name: 'two interleaved messages',
      body: stream(
        open('a', 'reasoning'),
        open('b', 'message'),
        piece('a', 'H'),
        piece('b', 'Y'),
        piece('a', 'm'),
        piece('b', 'es'),
        response('completed'),
      ),
      messages: [reply([thought('Hm'), text('Yes')])],
    },
    {
      name: 'no stream: the document has everything',
      body: JSON.stringify(
        response('completed', {
          output: [message('d', 'message', 'completed', [whole('d', { msg_id: null, index: null, text: 'Hi' })])],
        }),
      ),
      messages: [reply([text('Hi')])],
    },
    {
      name: 'images, audio, videos, files and data',
      body: stream(
        message('d', 'message', 'completed', [
          whole('d', { index: 0, type: 'image', image_url: 'https://a.example/p.png' }),
          whole('d', { index: 1, type: 'image', image_url: 'data:image/png;base64,AA==' }),
          whole('d', { index: 2, type: 'audio', data: 'AA==', format: 'mp3' }),
          whole('d', { index: 3, type: 'video', video_url: 'https://a.example/v.mp4' }),
          whole('d', { index: 4, type: 'file', file_url: 'https://a.example/a.pdf', filename: 'a.pdf' }),
          whole('d', { index: 5, type: 'data', data: { k: 1 } }),
        ]),
        response('completed'),
      ),
      messages: [
        reply([
          { type: 'image', url: 'https://a.example/p.png' },
          { type: 'image', image_data: { data: 'AA==', mimeType: 'image/png' } },
          { type: 'audio', data: 'AA==', mimeType: 'audio/mp3' },
          { type: 'video', url: 'https://a.example/v.mp4' },
          { type: 'file', url: 'https://a.example/a.pdf', name: 'a.pdf' },
          { type: 'data', data: { data_type: 'custom', data: { k: 1 } }, extra: { dataId: 'd/5' } },
        ]),
      ],
    },
    {
      name: 'a surface of components, and empty messages',
      body: stream(
        open('h', 'heartbeat'),
        message('l', 'mcp_list_tools', 'completed', [whole('l', { type: 'data', data: { tools: [] } })]),
        message('u', 'a2ui_response', 'completed', [whole('u', { type: 'data', data: { surface: 1 } })]),
        response('completed'),
      ),
      messages: [reply([{ type: 'ui', ui: { surface: 1, kind: 'a2ui' }, extra: { dataId: 'u/0' } }])],
    },
    {
      name: 'a call for the page waits for it',
      body: stream(...calls('b', 'function_call', { call_id: 'c1', name: 'f' }), response('completed')),
      messages: [
        reply([call('c1', 'f', { params: '{"x":1}' }, { status: 'loading' })], {
          finish: 'tool_use',
          metadata: { messageId: 'r1', sessionId: 's1', clientCalls: ['c1'] },
        }),
      ],
    },
    {
      name: 'a call that needs the user’s approval',
      body: stream(
        message('q', 'mcp_approval_request', 'completed', [
          whole('q', { type: 'data', data: { id: 'ap1', name: 'f', arguments: '{"x":1}', server_label: 'files' } }),
        ]),
        response('completed'),
      ),
      messages: [
        reply(
          [
            {
              type: 'action',
              status: 'pending',
              action_type: 'tool_call_permission',
              tool_call: { id: 'ap1', name: 'f', params: '{"x":1}' },
              extra: { requestId: 'ap1', permissionType: 'all', serverName: 'files', toolName: 'f' },
            },
          ],
          { status: 'streaming', finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'a refusal',
      body: stream(open('d', 'message'), whole('d', { type: 'refusal', refusal: 'No.' }), response('completed')),
      messages: [reply([text('No.')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'an error message, and a run that failed',
      body: stream(
        message('x', 'error', 'failed', null, { code: 'E1', message: 'Broken' }),
        response('failed', { error: { code: 'E2', message: 'Down' } }),
      ),
      messages: [
        reply([failure('Broken', { code: 'E1' }), failure('Down', { code: 'E2' })], {
          status: 'error',
          finish: 'error',
        }),
      ],
    },
    ...[
      ['canceled', 'cancelled', 'cancelled'],
      ['incomplete', 'max_tokens', 'complete'],
      ['rejected', 'error', 'error'],
    ].map(([state = '', finish, status]) => ({
      name: state,
      body: stream(open('d', 'message'), piece('d', 'Half'), response(state)),
      messages: [
        reply([text('Half'), ...(state === 'rejected' ? [failure('rejected', { code: 'rejected' })] : [])], {
          status,
          finish,
        }),
      ],
    })),
    {
      name: 'a server that fails outside of a run',
      body: sse(response('created'), { error: 'No runner' }),
      messages: [reply([failure('No runner')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'a body that ends in the middle',
      body: stream(open('d', 'message'), piece('d', 'Half')),
      messages: [reply([text('Half')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
  ]);

  testNeverThrows(agentscope, [
    response('completed', { output: [message('d', 'message', 'completed', [whole('d', { text: 'x' })])], usage: {} }),
    response('failed', { error: { code: 'E', message: 'x' } }),
    message('d', 'message', 'completed', [whole('d', { text: 'x' })], { usage: { input_tokens: 1 } }),
    piece('d', 'x'),
    ...calls('b', 'function_call', { call_id: 'c1', name: 'f' }),
    ...output('c', 'plugin_call_output', { call_id: 'c1', name: 'f' }),
    message('q', 'mcp_approval_request', 'completed', [whole('q', { type: 'data', data: { id: 'a', name: 'f' } })]),
    whole('d', { type: 'image', image_url: 'data:image/png;base64,AA' }),
    whole('d', { type: 'audio', data: 'AA', format: 'mp3' }),
    { error: 'x' },
  ]);
});
