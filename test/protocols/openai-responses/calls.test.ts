import { adapter as openAiResponses } from '../../../src/protocols/openai-responses/openai-responses.ts';
import { testBodies } from '../../support/adapter-tests.ts';
import { call, text, type ExpectedFields } from '../../support/bare.ts';
import { sse } from '../../support/play-body.ts';
import { added, begin, completed, done, events, incomplete, message, replied, saying } from './streams.ts';

const item = (id: string, args: string) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: `call_${id}`,
  name: 'f',
  arguments: args,
});
const args = (output_index: number, delta: string) => ({
  type: 'response.function_call_arguments.delta',
  output_index,
  delta,
});
const open = { status: 'loading' };
const server = { extra: { remote: true } };
const waits = (blocks: readonly ExpectedFields[], items: readonly object[]): ExpectedFields =>
  replied(blocks, items, { finish: 'tool_use' });
/** One tool of the server, with the content of its card. */
const remote = (name: string, wire: object, shown: ExpectedFields, more: ExpectedFields = {}) => ({
  name,
  body: events(
    begin(),
    added(0, { id: 'x', ...wire, status: 'in_progress' }),
    done(0, { id: 'x', ...wire }),
    completed(),
  ),
  messages: [replied([call('x', name, shown, { ...server, ...more })], [{ id: 'x', ...wire }])],
});

describe('openai-responses, calls', () => {
  testBodies(openAiResponses, [
    {
      name: 'a program of the model’s, and its result',
      body: events(
        begin(),
        added(0, { type: 'program', id: 'p', call_id: 'c', code: '' }),
        done(0, { type: 'program', id: 'p', call_id: 'c', code: 'text(1)', fingerprint: 'f' }),
        done(1, { type: 'program_output', id: 'o', call_id: 'c', result: '1', status: 'completed' }),
        completed(),
      ),
      messages: [
        replied(
          [call('c', 'program', { params: 'text(1)', response: '1' }, { extra: { remote: true } })],
          [
            { type: 'program', id: 'p', call_id: 'c', code: 'text(1)', fingerprint: 'f' },
            { type: 'program_output', id: 'o', call_id: 'c', result: '1', status: 'completed' },
          ],
        ),
      ],
    },
    {
      name: 'two interleaved calls, the second without a delta; they are identified by call_id',
      body: events(
        begin(),
        added(0, item('a', '')),
        added(2, item('b', '')),
        args(0, '{"x"'),
        args(0, ':1}'),
        { type: 'response.function_call_arguments.done', output_index: 2, arguments: '{"y":2}' },
        done(0, item('a', '{"x":1}')),
        done(2, item('b', '{"y":2}')),
        completed(),
      ),
      messages: [
        waits(
          [call('call_a', 'f', { params: '{"x":1}' }, open), call('call_b', 'f', { params: '{"y":2}' }, open)],
          [item('a', '{"x":1}'), item('b', '{"y":2}')],
        ),
      ],
    },
    {
      name: 'text before a call and reasoning are sent back in their order',
      body: events(
        begin(),
        done(0, { type: 'reasoning', id: 'rs', encrypted_content: 'AA', summary: [] }),
        ...saying(1, 'Wait.'),
        done(2, item('a', '{}')),
        completed(),
      ),
      messages: [
        waits(
          [text('Wait.'), call('call_a', 'f', { params: '{}' }, open)],
          [{ type: 'reasoning', id: 'rs', encrypted_content: 'AA', summary: [] }, message('Wait.'), item('a', '{}')],
        ),
      ],
    },
    {
      name: 'a call followed only by an end marker waits too',
      body: sse(begin(), added(0, item('a', '')), args(0, '{}'), '[DONE]'),
      messages: [
        {
          status: 'complete',
          finish: 'tool_use',
          metadata: { responseId: 'resp_1' },
          blocks: [call('call_a', 'f', { params: '{}' }, open)],
        },
      ],
    },
    {
      name: 'a call that only the final event completes',
      body: events(begin(), added(0, item('a', '')), completed({ output: [item('a', '{"x":1}')] })),
      messages: [waits([call('call_a', 'f', { params: '{"x":1}' }, open)], [item('a', '{"x":1}')])],
    },
    {
      name: 'a call that was truncated by the length is not run',
      body: events(begin(), added(0, item('a', '')), args(0, '{"x":'), incomplete('max_output_tokens')),
      messages: [
        {
          status: 'complete',
          finish: 'max_tokens',
          metadata: { responseId: 'resp_1' },
          blocks: [call('call_a', 'f', { params: '{"x":' }, open)],
        },
      ],
    },
    {
      name: 'a tool with free text',
      body: events(
        begin(),
        added(0, { type: 'custom_tool_call', id: 'ctc', call_id: 'call_a', name: 'sql', input: '' }),
        { type: 'response.custom_tool_call_input.delta', output_index: 0, delta: 'select' },
        done(0, { type: 'custom_tool_call', id: 'ctc', call_id: 'call_a', name: 'sql', input: 'select 1' }),
        completed(),
      ),
      messages: [
        waits(
          [call('call_a', 'sql', { params: 'select 1' }, open)],
          [{ type: 'custom_tool_call', id: 'ctc', call_id: 'call_a', name: 'sql', input: 'select 1' }],
        ),
      ],
    },
    {
      name: 'a shell of the page waits; one that the server has run does not',
      body: events(
        begin(),
        done(0, { type: 'shell_call', id: 'sh0', call_id: 'call_a', action: { commands: ['ls'] } }),
        done(1, { type: 'shell_call', id: 'sh1', call_id: 'call_b', action: { commands: ['pwd'] } }),
        done(2, { type: 'shell_call_output', id: 'o', call_id: 'call_b', output: '/root' }),
        completed(),
      ),
      messages: [
        waits(
          [
            call('call_a', 'shell', { params: '{"commands":["ls"]}' }, open),
            call('call_b', 'shell', { params: '{"commands":["pwd"]}', response: '/root' }),
          ],
          [
            { type: 'shell_call', id: 'sh0', call_id: 'call_a', action: { commands: ['ls'] } },
            { type: 'shell_call', id: 'sh1', call_id: 'call_b', action: { commands: ['pwd'] } },
            { type: 'shell_call_output', id: 'o', call_id: 'call_b', output: '/root' },
          ],
        ),
      ],
    },
    remote(
      'web_search',
      { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'q', sources: [{ url: 'u' }] } },
      { params: '{"type":"search","query":"q"}', response: '[{"url":"u"}]' },
    ),
    remote(
      'file_search',
      { type: 'file_search_call', status: 'completed', queries: ['q'], results: null },
      { params: '["q"]' },
    ),
    remote(
      'code_interpreter',
      { type: 'code_interpreter_call', status: 'completed', code: 'print(1)', outputs: [{ type: 'logs', logs: '1' }] },
      { params: 'print(1)', response: '1' },
    ),
    remote(
      'f',
      {
        type: 'mcp_call',
        name: 'f',
        server_label: 's',
        arguments: '{}',
        output: 'ok',
        error: null,
        status: 'completed',
      },
      { params: '{}', response: 'ok', server_name: 's' },
    ),
    remote(
      'f',
      { type: 'mcp_call', name: 'f', server_label: 's', arguments: '{}', output: null, error: { message: 'Down' } },
      { params: '{}', response: 'Down', server_name: 's' },
      { status: 'error', error: { message: 'Down' } },
    ),
    remote(
      'dream',
      { type: 'dream_call', status: 'failed', arguments: { a: 1 } },
      { params: '{"a":1}' },
      { status: 'error' },
    ),
    remote(
      'x_keyword_search',
      { type: 'custom_tool_call', call_id: 'call_a', name: 'x_keyword_search', input: '{"q":1}', status: 'completed' },
      { params: '{"q":1}' },
    ),
    {
      name: 'the code of an interpreter streams, its images follow it',
      body: events(
        begin(),
        added(0, { type: 'code_interpreter_call', id: 'ci', code: '' }),
        { type: 'response.code_interpreter_call_code.delta', output_index: 0, delta: 'pl' },
        { type: 'response.code_interpreter_call_code.done', output_index: 0, code: 'plot()' },
        done(0, {
          type: 'code_interpreter_call',
          id: 'ci',
          outputs: [{ type: 'image', url: 'https://a.example/p.png' }],
        }),
        completed(),
      ),
      messages: [
        replied(
          [
            call('ci', 'code_interpreter', { params: 'plot()' }, server),
            { type: 'image', url: 'https://a.example/p.png' },
          ],
          [{ type: 'code_interpreter_call', id: 'ci', outputs: [{ type: 'image', url: 'https://a.example/p.png' }] }],
        ),
      ],
    },
    {
      name: 'an image replaces its previews, and is stored once',
      body: events(
        begin(),
        added(0, { type: 'image_generation_call', id: 'ig', status: 'in_progress' }),
        ...['AAAA', 'BBBB'].map((partial_image_b64) => ({
          type: 'response.image_generation_call.partial_image',
          output_index: 0,
          partial_image_b64,
          output_format: 'webp',
        })),
        done(0, {
          type: 'image_generation_call',
          id: 'ig',
          status: 'completed',
          result: 'CCCC',
          output_format: 'webp',
        }),
        ...saying(1, ''),
        completed(),
      ),
      messages: [
        replied(
          [
            call('ig', 'image_generation', {}, server),
            { type: 'image', image_data: { data: 'CCCC', mimeType: 'image/webp' }, extra: { dataId: 'ig' } },
          ],
          [
            { type: 'image_generation_call', id: 'ig', status: 'completed', result: null, output_format: 'webp' },
            message(''),
          ],
        ),
      ],
    },
    {
      name: 'a list of tools is not shown, unless it is empty',
      body: events(
        begin(),
        done(0, { type: 'mcp_list_tools', id: 'l0', server_label: 's', tools: [] }),
        done(1, { type: 'mcp_list_tools', id: 'l1', server_label: 't', error: 'Down' }),
        completed(),
      ),
      messages: [
        replied(
          [
            call(
              'l1',
              'mcp_list_tools',
              { response: 'Down', server_name: 't' },
              { ...server, status: 'error', error: { message: 'Down' } },
            ),
          ],
          [
            { type: 'mcp_list_tools', id: 'l0', server_label: 's', tools: [] },
            { type: 'mcp_list_tools', id: 'l1', server_label: 't', error: 'Down' },
          ],
        ),
      ],
    },
  ]);
});
