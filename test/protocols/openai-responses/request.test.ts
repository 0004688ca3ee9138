import { adapter as openAiResponses } from '../../../src/protocols/openai-responses/openai-responses.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import type { LooseBlock } from '../../support/messages.ts';
import { assistant, system, toolBlock, user } from '../../support/messages.ts';
import { message } from './streams.ts';

const stream = { stream: true, store: false, include: ['reasoning.encrypted_content'] };
const asks = (text: string) => ({ role: 'user', content: [{ type: 'input_text', text }] });
/** Not as parts: those are the server's own, with ids that text from elsewhere does not have. */
const says = (text: string) => ({ role: 'assistant', content: text });
const content = (text: string): LooseBlock => ({ type: 'content', content: text });
const sealed = { type: 'reasoning', id: 'rs', encrypted_content: 'AA', summary: [] };
const calling = (id: string, more: object = {}) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name: 'f',
  arguments: '{"x": 1}',
  ...more,
});
const result = (call_id: string, output: string) => ({ type: 'function_call_output', call_id, output });
const rounds = (...lists: readonly (readonly object[])[]) => ({
  metadata: { rounds: lists.map((items) => ({ protocol: 'openai-responses', items })) },
});
describe('openai-responses, request', () => {
  testRequests(openAiResponses, [
    {
      name: 'the text of both, the system text and the page context as instructions',
      messages: [user('hi'), assistant('Hello'), system('Now in German.'), user('more')],
      options: { model: 'm-1', system: 'Be kind.', context: { page: 2 } },
      body: {
        model: 'm-1',
        ...stream,
        instructions: 'Be kind.\n\nContext of the page the user is on:\n{"page":2}',
        input: [asks('hi'), says('Hello'), { role: 'system', content: 'Now in German.' }, asks('more')],
      },
    },
    {
      name: 'the page’s tools, and a reasoning summary if the page shows it',
      messages: [user('hi')],
      options: {
        tools: [{ name: 'f', description: 'Does f', parameters: { type: 'object' } }],
        show: { reasoning: true },
      },
      body: {
        ...stream,
        reasoning: { summary: 'auto' },
        input: [asks('hi')],
        tools: [{ type: 'function', name: 'f', description: 'Does f', parameters: { type: 'object' }, strict: false }],
      },
    },
    ...['gpt-4o-mini', 'openai/gpt-4.1', 'gpt-5.1-chat-latest'].map((model) => ({
      name: `no reasoning is requested from a model without it: ${model}`,
      messages: [user('hi')],
      options: { model, show: { reasoning: true } },
      body: { model, stream: true, store: false, input: [asks('hi')] },
    })),
    {
      name: 'the model may be in the page’s body',
      messages: [user('hi')],
      options: { body: { model: 'gpt-4o' } },
      body: { stream: true, store: false, input: [asks('hi')] },
    },
    {
      name: 'attachments as parts: images, audio and documents, with their bytes or by address',
      messages: [
        user('look', {
          attachments: [
            { kind: 'image', data: 'AA', mimeType: 'image/png' },
            { kind: 'image', url: 'https://a.example/p.png' },
            { kind: 'audio', data: 'BB', mimeType: 'audio/mpeg' },
            { kind: 'file', data: 'CC', mimeType: 'application/pdf', name: 'a.pdf' },
            { kind: 'file', url: 'https://a.example/b.pdf', name: 'b.pdf' },
          ],
        }),
      ],
      body: {
        ...stream,
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'look' },
              { type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'auto' },
              { type: 'input_image', image_url: 'https://a.example/p.png', detail: 'auto' },
              { type: 'input_text', text: 'Attached file, which can’t be shown to you: unnamed (audio/mpeg)' },
              { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,CC' },
              { type: 'input_file', file_url: 'https://a.example/b.pdf' },
            ],
          },
        ],
      },
    },
    {
      name: 'its own items are sent back unchanged, encrypted reasoning before its call, then results; an error is a result',
      messages: [
        user('hi'),
        assistant(
          [content('Wait.'), toolBlock('a', 'f', '{"x": 1}', 'ok'), toolBlock('b', 'f', '{"x": 1}', 'Denied.', true)],
          rounds([sealed, message('Wait.'), calling('a'), calling('b')]),
        ),
      ],
      body: {
        ...stream,
        input: [
          asks('hi'),
          sealed,
          message('Wait.'),
          calling('a'),
          calling('b'),
          result('a', 'ok'),
          result('b', 'Denied.'),
        ],
      },
    },
    {
      name: 'each round with its own results, though both use the same id',
      messages: [
        user('hi'),
        assistant(
          [toolBlock('a', 'f', '{"x": 1}', 'one'), toolBlock('a', 'f', '{"x": 1}', 'two'), content('Done')],
          rounds([calling('a')], [calling('a')], [message('Done')]),
        ),
        user('more'),
      ],
      body: {
        ...stream,
        input: [
          asks('hi'),
          calling('a'),
          result('a', 'one'),
          calling('a'),
          result('a', 'two'),
          message('Done'),
          asks('more'),
        ],
      },
    },
    {
      name: 'a call without a result is omitted, with the reasoning before it',
      messages: [
        user('hi'),
        assistant(
          [content('Wait.'), toolBlock('a', 'f', '{}')],
          rounds([message('Wait.'), sealed, calling('a'), { ...sealed, id: 'last' }]),
        ),
        user('more'),
      ],
      body: { ...stream, input: [asks('hi'), message('Wait.'), asks('more')] },
    },
    {
      name: 'results of tools that are no functions have their own forms',
      messages: [
        user('hi'),
        assistant(
          [
            toolBlock('a', 'sql', 'select 1', '1'),
            toolBlock('b', 'shell', '{}', '[{"stdout":"x"}]'),
            toolBlock('c', 'local_shell', '{}', 'x'),
            toolBlock('d', 'apply_patch', '{}', 'No such file', true),
            toolBlock('e', 'computer', '{}', '{"type":"computer_screenshot","image_url":"u"}'),
          ],
          rounds([
            { type: 'custom_tool_call', call_id: 'a', name: 'sql' },
            { type: 'shell_call', call_id: 'b' },
            { type: 'local_shell_call', call_id: 'c' },
            { type: 'apply_patch_call', call_id: 'd' },
            { type: 'computer_call', call_id: 'e' },
          ]),
        ),
      ],
      body: {
        ...stream,
        input: [
          asks('hi'),
          { type: 'custom_tool_call', call_id: 'a', name: 'sql' },
          { type: 'shell_call', call_id: 'b' },
          { type: 'local_shell_call', call_id: 'c' },
          { type: 'apply_patch_call', call_id: 'd' },
          { type: 'computer_call', call_id: 'e' },
          { type: 'custom_tool_call_output', call_id: 'a', output: '1' },
          { type: 'shell_call_output', call_id: 'b', output: [{ stdout: 'x' }] },
          { type: 'local_shell_call_output', id: 'c', output: 'x' },
          { type: 'apply_patch_call_output', call_id: 'd', status: 'failed', output: 'No such file' },
          { type: 'computer_call_output', call_id: 'e', output: { type: 'computer_screenshot', image_url: 'u' } },
        ],
      },
    },
    {
      name: 'a created image is sent back with its bytes; a refused one is omitted',
      messages: [
        user('draw'),
        assistant(
          [{ type: 'image', image_data: { data: 'CCCC', mimeType: 'image/png' }, extra: { dataId: 'ig0' } }],
          rounds([
            { type: 'image_generation_call', id: 'ig0', result: null },
            { type: 'image_generation_call', id: 'ig1', result: null },
            message(''),
          ]),
        ),
        user('more'),
      ],
      body: {
        ...stream,
        input: [asks('draw'), { type: 'image_generation_call', id: 'ig0', result: 'CCCC' }, message(''), asks('more')],
      },
    },
    {
      name: 'a reply of another protocol is sent from its blocks',
      messages: [
        user('hi'),
        assistant([content('Wait'), toolBlock('a', 'f', '', 'ok'), toolBlock('b', 'f', '{}'), content('Done')]),
        user('more'),
      ],
      body: {
        ...stream,
        input: [
          asks('hi'),
          says('Wait'),
          { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
          result('a', 'ok'),
          says('Done'),
          asks('more'),
        ],
      },
    },
    {
      name: 'a changed reply has its current text',
      messages: [user('hi'), assistant('Bye', rounds([message('Hello')])), user('more')],
      body: { ...stream, input: [asks('hi'), says('Bye'), asks('more')] },
    },
    {
      name: 'the text of an interrupted stream comes after the items',
      messages: [user('hi'), assistant('Hello, wor', rounds([message('Hello')])), user('more')],
      body: { ...stream, input: [asks('hi'), message('Hello'), says(', wor'), asks('more')] },
    },
  ]);
});
