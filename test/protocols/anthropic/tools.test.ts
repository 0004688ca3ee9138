import { adapter as anthropic } from '../../../src/protocols/anthropic/anthropic.ts';
import { testBodies } from '../../support/adapter-tests.ts';
import { call, text, type ExpectedFields } from '../../support/bare.ts';
import {
  toolUseBlock,
  close,
  delta,
  done,
  open,
  rounds,
  textBlock,
  doneWithRounds,
  stream,
  completeBlock,
} from './streams.ts';

const loading = { status: 'loading' };
const notRun = 'Not run: its arguments are not JSON.';
const remote = { extra: { remote: true } };
const search = { type: 'server_tool_use', id: 's', name: 'web_search' };
const asked = { ...search, input: { query: 'x' } };
/** A server's tool with streamed arguments, and its result. */
const ran = (result: object) => [
  ...toolUseBlock(0, 's', '{"query":"x"}', search),
  ...completeBlock(1, { tool_use_id: 's', ...result }),
];
const shown = (response: string, more: ExpectedFields = {}): ExpectedFields =>
  call('s', 'web_search', { params: '{"query":"x"}', response }, { ...remote, ...more });

describe('anthropic, the page’s tools', () => {
  testBodies(anthropic, [
    {
      name: 'text, then two calls; arguments in chunks, and no arguments',
      body: stream(
        [
          ...textBlock(0, 'Wait.'),
          open(1, { type: 'tool_use', id: 'a', name: 'f', input: {}, caller: { type: 'direct' } }),
          delta(1, 'input_json_delta', { partial_json: '' }),
          delta(1, 'input_json_delta', { partial_json: '{"x"' }),
          delta(1, 'input_json_delta', { partial_json: ':1}' }),
          close(1),
          ...toolUseBlock(2, 'b', ''),
        ],
        'tool_use',
      ),
      messages: [
        doneWithRounds(
          [text('Wait.'), call('a', 'f', { params: '{"x":1}' }, loading), call('b', 'f', {}, loading)],
          [
            { type: 'text', text: 'Wait.' },
            { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 }, caller: { type: 'direct' } },
            { type: 'tool_use', id: 'b', name: 'f', input: {} },
          ],
          { finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'a gateway that ends a reply with calls with end_turn',
      body: stream([...toolUseBlock(0, 'a', '{"a":1}'), ...toolUseBlock(1, 'b', '{"a"')]),
      messages: [
        doneWithRounds(
          [
            call('a', 'f', { params: '{"a":1}' }, loading),
            call(
              'b',
              'f',
              { params: '{"a"', response: notRun },
              { status: 'error', error: { message: notRun, code: 'bad-arguments' } },
            ),
          ],
          [{ type: 'tool_use', id: 'a', name: 'f', input: { a: 1 } }],
          { finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'complete arguments; chunks win if they come too',
      body: stream(
        [
          ...completeBlock(0, { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } }),
          ...toolUseBlock(1, 'b', '{"y":2}', { input: { y: 1 } }),
        ],
        'tool_use',
      ),
      messages: [
        doneWithRounds(
          [call('a', 'f', { params: '{"x":1}' }, loading), call('b', 'f', { params: '{"y":2}' }, loading)],
          [
            { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
            { type: 'tool_use', id: 'b', name: 'f', input: { y: 2 } },
          ],
          { finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'invalid JSON arguments are never run, and are not sent back',
      body: stream([...toolUseBlock(0, 'a', '{"x":'), ...toolUseBlock(1, 'b', '{}')], 'tool_use'),
      messages: [
        doneWithRounds(
          [
            call(
              'a',
              'f',
              { params: '{"x":', response: 'Not run: its arguments are not JSON.' },
              {
                status: 'error',
                error: { message: 'Not run: its arguments are not JSON.', code: 'bad-arguments' },
              },
            ),
            call('b', 'f', { params: '{}' }, loading),
          ],
          [{ type: 'tool_use', id: 'b', name: 'f', input: {} }],
          { finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'the container that a program runs in',
      body: stream(toolUseBlock(0, 'a', '{}'), 'tool_use', { container: { id: 'c1', expires_at: '2026-01-01' } }),
      messages: [
        done([call('a', 'f', { params: '{}' }, loading)], {
          finish: 'tool_use',
          metadata: { ...rounds({ type: 'tool_use', id: 'a', name: 'f', input: {} }), containerId: 'c1' },
        }),
      ],
    },
  ]);
});

describe('anthropic, the server’s tools', () => {
  const found = { type: 'web_search_result', url: 'https://a.example', title: 'A', encrypted_content: 'OPAQUE' };
  testBodies(anthropic, [
    {
      name: 'a search: its results, without the encrypted content',
      body: stream(ran({ type: 'web_search_tool_result', content: [found] })),
      messages: [
        doneWithRounds(
          [shown('[{"type":"web_search_result","url":"https://a.example","title":"A"}]')],
          [asked, { tool_use_id: 's', type: 'web_search_tool_result', content: [found] }],
        ),
      ],
    },
    ...[
      {
        name: 'a terminal',
        content: { type: 'bash_code_execution_result', stdout: 'a\nb', stderr: 'oh', return_code: 1, content: [] },
        block: shown('a\nb\noh\nexit code 1'),
      },
      {
        name: 'a successful terminal command',
        content: { type: 'code_execution_result', stdout: 'a', stderr: '', return_code: 0, content: [] },
        block: shown('a'),
      },
      {
        name: 'a document, without its bytes',
        content: {
          type: 'web_fetch_result',
          url: 'u',
          content: { title: 't', source: { type: 'base64', data: 'AA' } },
        },
        block: shown('{"type":"web_fetch_result","url":"u","content":{"title":"t","source":{"type":"base64"}}}'),
      },
      {
        name: 'an error',
        content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
        block: shown('max_uses_exceeded', {
          status: 'error',
          error: { message: 'max_uses_exceeded', code: 'max_uses_exceeded' },
        }),
      },
      {
        name: 'an error as text',
        content: { type: 'e', error_code: 'unavailable', error_message: 'Try later.' },
        block: shown('Try later.', { status: 'error', error: { message: 'Try later.', code: 'unavailable' } }),
      },
    ].map(({ name, content, block }) => ({
      name,
      body: stream(ran({ type: 'x_tool_result', content })),
      messages: [doneWithRounds([block], [asked, { tool_use_id: 's', type: 'x_tool_result', content }])],
    })),
    {
      name: 'files made by a program, by their names',
      body: stream([
        ...completeBlock(0, {
          type: 'code_execution_tool_result',
          tool_use_id: 's',
          content: { stdout: 'ok', content: [{ type: 'code_execution_output', file_id: 'file_1' }] },
        }),
        ...completeBlock(1, { type: 'container_upload', file_id: 'file_2' }),
      ]),
      messages: [
        doneWithRounds(
          [
            { type: 'tool_call', tool_call: { id: 's', response: 'ok' } },
            { type: 'file', name: 'file_1' },
            { type: 'file', name: 'file_2' },
          ],
          [
            {
              type: 'code_execution_tool_result',
              tool_use_id: 's',
              content: { stdout: 'ok', content: [{ type: 'code_execution_output', file_id: 'file_1' }] },
            },
            { type: 'container_upload', file_id: 'file_2' },
          ],
        ),
      ],
    },
    {
      name: 'MCP: the server of the tool, joined texts, and failures',
      body: stream([
        ...toolUseBlock(0, 's', '{}', { type: 'mcp_tool_use', server_name: 'jira' }),
        ...completeBlock(1, {
          type: 'mcp_tool_result',
          tool_use_id: 's',
          is_error: true,
          content: [
            { type: 'text', text: 'No ' },
            { type: 'text', text: 'access' },
          ],
        }),
      ]),
      messages: [
        doneWithRounds(
          [
            call(
              's',
              'f',
              { params: '{}', server_name: 'jira', response: 'No access' },
              { ...remote, status: 'error' },
            ),
          ],
          [
            { type: 'mcp_tool_use', id: 's', name: 'f', server_name: 'jira', input: {} },
            {
              type: 'mcp_tool_result',
              tool_use_id: 's',
              is_error: true,
              content: [
                { type: 'text', text: 'No ' },
                { type: 'text', text: 'access' },
              ],
            },
          ],
        ),
      ],
    },
  ]);
});
