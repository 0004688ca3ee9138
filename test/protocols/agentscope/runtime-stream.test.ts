import { adapter as agentscope } from '../../../src/protocols/agentscope/agentscope.ts';
import { testBodies, testNeverThrows } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { sse } from '../../support/play-body.ts';
import { content, message, contentDelta, response, completedContent } from './streams.ts';

const reply = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: { messageId: 'r1', sessionId: 's1' },
  blocks,
  ...more,
});
const remote = { extra: { remote: true } };
const stream = (...frames: readonly object[]): string => sse(response('created'), response('in_progress'), ...frames);
const open = (id: string, type: string): object => message(id, type, 'in_progress', null);
/** A call whose arguments are streamed as three cumulative snapshots. */
const calls = (id: string, type: string, data: object): readonly object[] => [
  open(id, type),
  content(id, { type: 'data', data: { ...data, arguments: '' } }),
  content(id, { type: 'data', data: { ...data, arguments: '{"x"' } }),
  completedContent(id, { type: 'data', data: { ...data, arguments: '{"x":1}' } }),
];
const output = (id: string, type: string, data: object): readonly object[] => [
  message(id, type, 'in_progress', null, { role: 'tool' }),
  content(id, { type: 'data', data: { ...data, output: '' } }),
  content(id, { type: 'data', data: { ...data, output: 'o' } }),
  completedContent(id, { type: 'data', data: { ...data, output: 'ok' } }),
];

describe('agentscope: Runtime streams', () => {
  testBodies(agentscope, [
    {
      name: 'reasoning, a call with its result, and text: repeated parts are shown once',
      body: stream(
        open('a', 'reasoning'),
        contentDelta('a', 'Hm'),
        completedContent('a', { delta: null, text: 'Hm' }),
        message('a', 'reasoning', 'completed', [completedContent('a', { text: 'Hm' })]),
        ...calls('b', 'plugin_call', { call_id: 'c1', name: 'f' }),
        ...output('c', 'plugin_call_output', { call_id: 'c1', name: 'f' }),
        open('d', 'message'),
        contentDelta('d', 'He'),
        contentDelta('d', 'llo'),
        completedContent('d', { text: 'Hello' }),
        message('d', 'message', 'completed', [completedContent('d', { text: 'Hello' })], {
          usage: { input_tokens: 1, output_tokens: 2 },
        }),
        response('completed', {
          output: [message('d', 'message', 'completed', [completedContent('d', { text: 'Hello' })])],
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
      name: 'texts of several contents and messages are texts of their own',
      body: stream(
        open('a', 'message'),
        contentDelta('a', 'O'),
        contentDelta('a', 'ne'),
        content('a', { index: 1, delta: true, text: '# T' }),
        content('a', { index: 1, text: '# Two' }),
        open('b', 'message'),
        contentDelta('b', 'Thr'),
        contentDelta('b', 'ee'),
        completedContent('b', { text: 'Three' }),
        response('completed', {}),
      ),
      messages: [reply([text('One'), text('# Two'), text('Three')])],
    },
    {
      name: 'thoughts of two messages are paragraphs',
      body: stream(
        open('a', 'reasoning'),
        contentDelta('a', 'Fir'),
        contentDelta('a', 'st.'),
        open('b', 'reasoning'),
        contentDelta('b', 'Sec'),
        contentDelta('b', 'ond.'),
        message('c', 'reasoning', 'completed', [completedContent('c', { text: 'Third.' })]),
        response('completed'),
      ),
      messages: [reply([thought('First.\n\nSecond.\n\nThird.')])],
    },
    {
      name: 'a file that only the server has shows its name',
      body: stream(
        message('d', 'message', 'completed', [
          completedContent('d', { index: 0, type: 'file', file_id: 'f1', filename: 'a.pdf' }),
          completedContent('d', { index: 1, type: 'file', file_id: 'f2' }),
        ]),
        response('completed'),
      ),
      messages: [
        reply([
          { type: 'file', name: 'a.pdf' },
          { type: 'file', name: 'f2' },
        ]),
      ],
    },
    {
      name: 'a message that only the final response has',
      body: stream(
        open('d', 'message'),
        contentDelta('d', 'Hello'),
        response('completed', {
          output: [
            message('d', 'message', 'completed', [completedContent('d', { text: 'Hello' })]),
            message('e', 'message', 'completed', [completedContent('e', { text: 'Bye' })]),
            message('f', 'message', 'completed', [completedContent('f', { text: 'Hello' })]),
          ],
        }),
      ),
      messages: [reply([text('Hello'), text('Bye')])],
    },
    {
      name: 'the same error in a message and in the response',
      body: stream(
        message('x', 'error', 'failed', null, { code: 'E1', message: 'Broken' }),
        response('failed', { error: { code: 'E1', message: 'Broken' } }),
      ),
      messages: [reply([failure('Broken', { code: 'E1' })], { status: 'error', finish: 'error' })],
    },
    {
      name: 'a different complete text replaces its chunks',
      body: stream(
        ...calls('b', 'mcp_call', { call_id: 'c1', name: 'f' }),
        open('d', 'message'),
        contentDelta('d', 'Helo'),
        completedContent('d', { text: 'Hello' }),
        response('completed'),
      ),
      messages: [reply([call('c1', 'f', { params: '{"x":1}' }, { status: 'loading', ...remote }), text('Hello')])],
    },
    {
      name: 'two interleaved messages',
      body: stream(
        open('a', 'reasoning'),
        open('b', 'message'),
        contentDelta('a', 'H'),
        contentDelta('b', 'Y'),
        contentDelta('a', 'm'),
        contentDelta('b', 'es'),
        response('completed'),
      ),
      messages: [reply([thought('Hm'), text('Yes')])],
    },
    {
      name: 'a JSON document without a stream',
      body: JSON.stringify(
        response('completed', {
          output: [
            message('d', 'message', 'completed', [completedContent('d', { msg_id: null, index: null, text: 'Hi' })]),
          ],
        }),
      ),
      messages: [reply([text('Hi')])],
    },
    {
      name: 'images, audio, videos, files and data',
      body: stream(
        message('d', 'message', 'completed', [
          completedContent('d', { index: 0, type: 'image', image_url: 'https://a.example/p.png' }),
          completedContent('d', { index: 1, type: 'image', image_url: 'data:image/png;base64,AA==' }),
          completedContent('d', { index: 2, type: 'audio', data: 'AA==', format: 'mp3' }),
          completedContent('d', { index: 3, type: 'video', video_url: 'https://a.example/v.mp4' }),
          completedContent('d', { index: 4, type: 'file', file_url: 'https://a.example/a.pdf', filename: 'a.pdf' }),
          completedContent('d', { index: 5, type: 'data', data: { k: 1 } }),
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
      name: 'an A2UI surface; messages without content are ignored',
      body: stream(
        open('h', 'heartbeat'),
        message('l', 'mcp_list_tools', 'completed', [completedContent('l', { type: 'data', data: { tools: [] } })]),
        message('u', 'a2ui_response', 'completed', [completedContent('u', { type: 'data', data: { surface: 1 } })]),
        response('completed'),
      ),
      messages: [reply([{ type: 'ui', ui: { surface: 1, kind: 'a2ui' }, extra: { dataId: 'u/0' } }])],
    },
    {
      name: 'a call of a page tool stays open until the page returns its result',
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
          completedContent('q', {
            type: 'data',
            data: { id: 'ap1', name: 'f', arguments: '{"x":1}', server_label: 'files' },
          }),
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
      body: stream(
        open('d', 'message'),
        completedContent('d', { type: 'refusal', refusal: 'No.' }),
        response('completed'),
      ),
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
      body: stream(open('d', 'message'), contentDelta('d', 'Half'), response(state)),
      messages: [
        reply([text('Half'), ...(state === 'rejected' ? [failure('rejected', { code: 'rejected' })] : [])], {
          status,
          finish,
        }),
      ],
    })),
    {
      name: 'an error event outside a run',
      body: sse(response('created'), { error: 'No runner' }),
      messages: [reply([failure('No runner')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'a truncated body',
      body: stream(open('d', 'message'), contentDelta('d', 'Half')),
      messages: [reply([text('Half')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
  ]);

  testNeverThrows(agentscope, [
    response('completed', {
      output: [message('d', 'message', 'completed', [completedContent('d', { text: 'x' })])],
      usage: {},
    }),
    response('failed', { error: { code: 'E', message: 'x' } }),
    message('d', 'message', 'completed', [completedContent('d', { text: 'x' })], { usage: { input_tokens: 1 } }),
    contentDelta('d', 'x'),
    ...calls('b', 'function_call', { call_id: 'c1', name: 'f' }),
    ...output('c', 'plugin_call_output', { call_id: 'c1', name: 'f' }),
    message('q', 'mcp_approval_request', 'completed', [
      completedContent('q', { type: 'data', data: { id: 'a', name: 'f' } }),
    ]),
    completedContent('d', { type: 'image', image_url: 'data:image/png;base64,AA' }),
    completedContent('d', { type: 'audio', data: 'AA', format: 'mp3' }),
    { error: 'x' },
  ]);
});
