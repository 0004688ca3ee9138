import { adapter as openAiResponses } from '../../../src/protocols/openai-responses/openai-responses.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { failure, text, type ExpectedFields } from '../../support/bare.ts';
import { sse } from '../../support/play-body.ts';
import {
  added,
  begin,
  completed,
  done,
  events,
  failed,
  incomplete,
  message,
  note,
  replied,
  say,
  saying,
  usage,
} from './streams.ts';

const broken = (blocks: readonly ExpectedFields[], status = 'error'): ExpectedFields => ({
  status,
  finish: 'error',
  metadata: { responseId: 'resp_1' },
  blocks,
});
const boom = { type: 'server_error', code: 'server_error', message: 'Boom' };

describe('openai-responses', () => {
  testRecordings(openAiResponses, 'openai-responses');

  testBodies(openAiResponses, [
    {
      name: 'Bedrock: the only part has the index 1',
      body: events(
        begin(),
        added(0, { ...message(''), content: [] }),
        say(0, 'Hel', 1),
        say(0, 'lo', 1),
        { type: 'response.output_text.done', output_index: 0, content_index: 1, text: 'Hello' },
        done(0, message('Hello')),
        completed(),
      ),
      messages: [replied([text('Hello')], [message('Hello')])],
    },
    {
      name: 'vLLM: the index increases with every delta',
      body: events(
        begin(),
        added(0, { ...message(''), content: [] }),
        {
          type: 'response.content_part.added',
          output_index: 0,
          content_index: 0,
          part: { type: 'output_text', text: '' },
        },
        ...['Hel', 'lo', '!'].map((piece, index) => say(0, piece, index)),
        { type: 'response.output_text.done', output_index: 0, content_index: 3, text: 'Hello!' },
        done(0, message('Hello!')),
        completed(),
      ),
      messages: [replied([text('Hello!')], [message('Hello!')])],
    },
    {
      name: 'the complete text without an index, and then the response',
      body: events(
        begin(),
        { type: 'response.output_text.done', text: 'Hello' },
        completed({ output: [message('Hello')] }),
      ),
      messages: [replied([text('Hello')], [message('Hello')])],
    },
    {
      name: 'the complete text, sent four times, is shown once',
      body: events(begin(), ...saying(0, 'Hel', 'lo'), completed()),
      messages: [replied([text('Hello')], [message('Hello')])],
    },
    {
      name: 'no deltas: the finished part has the text',
      body: events(begin(), done(0, message('Hello')), completed()),
      messages: [replied([text('Hello')], [message('Hello')])],
    },
    {
      name: 'no items: the final event has them',
      body: events(begin(), completed({ output: [message('Hello')] })),
      messages: [replied([text('Hello')], [message('Hello')])],
    },
    {
      name: 'several messages, each in its own block; an empty one is ignored',
      body: events(begin(), ...saying(0, 'I look.'), ...saying(2, ''), ...saying(3, 'Done', '.'), completed()),
      messages: [replied([text('I look.'), text('Done.')], [message('I look.'), message(''), message('Done.')])],
    },
    {
      name: 'no event lines, no numbers, an end marker, items with the same id at another index',
      body: sse(begin(), say(4, 'a'), say(9, 'b'), completed(), '[DONE]'),
      messages: [replied([text('a'), text('b')], [])],
    },
    {
      name: 'the type only in the event line',
      body: events(begin(), ...saying(0, 'Hi'), completed()).replace(/"type":"response\.[\w.]+",/g, ''),
      messages: [replied([text('Hi')], [message('Hi')])],
    },
    {
      name: 'a refusal is shown, and is no success',
      body: events(
        begin(),
        { type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'I can’t.' },
        { type: 'response.refusal.done', output_index: 0, content_index: 0, refusal: 'I can’t.' },
        completed(),
      ),
      messages: [
        {
          ...replied([text('I can’t.')], [], { status: 'error', finish: 'error' }),
          metadata: { responseId: 'resp_1', filtered: true },
        },
      ],
    },
    {
      name: 'truncated by the length',
      body: events(begin(), say(0, 'Half'), incomplete('max_output_tokens')),
      messages: [
        { status: 'complete', finish: 'max_tokens', metadata: { responseId: 'resp_1' }, blocks: [text('Half')] },
      ],
    },
    {
      name: 'ended by a content filter',
      body: events(begin(), say(0, 'Half'), incomplete('content_filter')),
      messages: [{ ...broken([text('Half')]), metadata: { responseId: 'resp_1', filtered: true } }],
    },
    {
      name: 'an error, followed by its failure',
      body: events(begin(), say(0, 'Half'), { type: 'error', error: boom }, failed(boom)),
      messages: [broken([text('Half'), failure('Boom', { code: 'server_error' })])],
    },
    {
      name: 'only a failure',
      body: events(begin(), failed(boom)),
      messages: [broken([failure('Boom', { code: 'server_error' })])],
    },
    {
      name: 'an error of the flat form, and later events are ignored',
      body: events(begin(), { type: 'error', code: 'c', message: 'Boom', param: null }),
      messages: [broken([failure('Boom', { code: 'c' })])],
    },
    {
      name: 'cancelled on the server',
      body: events(begin(), say(0, 'Half'), { type: 'response.cancelled', response: { id: 'resp_1' } }),
      messages: [
        { status: 'cancelled', finish: 'cancelled', metadata: { responseId: 'resp_1' }, blocks: [text('Half')] },
      ],
    },
    {
      name: 'neither an end nor an end marker: interrupted',
      body: events(begin(), say(0, 'Half')),
      messages: [broken([text('Half')], 'interrupted')],
      problem: 'cut',
    },
    {
      name: 'a reply that was not streamed',
      body: JSON.stringify({ id: 'resp_1', object: 'response', status: 'completed', output: [message('Hi')], usage }),
      messages: [replied([text('Hi')], [message('Hi')])],
    },
    {
      name: 'unknown or invalid events are a warning, and the rest is read',
      body: sse(
        begin(),
        { type: 'response.dream.started' },
        say(0, 'a'),
        '{"type":',
        7,
        { type: 'response.web_search_call.searching' },
        completed(),
      ),
      messages: [replied([text('a')], [])],
      warnings: ['malformed', 'malformed', 'unknown'],
    },
  ]);

  testNeverThrows(openAiResponses, [
    begin({ background: true }),
    added(0, { type: 'function_call', id: 'fc_0', call_id: 'call_0', name: 'f', arguments: '' }),
    { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{' },
    { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{}' },
    done(0, { type: 'function_call', id: 'fc_0', call_id: 'call_0', name: 'f', arguments: '{}' }),
    done(1, {
      type: 'web_search_call',
      id: 'ws',
      status: 'completed',
      action: { type: 'search', query: 'q', sources: [{ url: 'u' }] },
    }),
    done(1, {
      type: 'code_interpreter_call',
      id: 'ci',
      code: 'x',
      outputs: [
        { type: 'logs', logs: 'l' },
        { type: 'image', url: 'u' },
      ],
    }),
    done(2, { type: 'mcp_approval_request', id: 'mcpr', name: 'f', server_label: 's', arguments: '{}' }),
    done(2, { type: 'image_generation_call', id: 'ig', result: 'AA', output_format: 'png' }),
    done(3, { type: 'mcp_call', id: 'mcp', name: 'f', arguments: '{}', output: 'x', error: { message: 'm' } }),
    done(3, { type: 'mcp_list_tools', id: 'l', error: 'x' }),
    done(4, {
      type: 'reasoning',
      id: 'rs',
      summary: [{ type: 'summary_text', text: 't' }],
      content: [{ type: 'reasoning_text', text: 't' }],
    }),
    done(4, message('x', [{ type: 'url_citation', url: 'u', title: 't', start_index: 0, end_index: 1 }])),
    done(5, { type: 'shell_call_output', call_id: 'call_0', output: [{ stdout: 'x', stderr: 'y' }] }),
    say(4, 'x'),
    note(4, 0, { type: 'container_file_citation', file_id: 'f', filename: 'n' }),
    { type: 'response.reasoning_summary_text.delta', output_index: 5, summary_index: 0, delta: 'x' },
    {
      type: 'response.image_generation_call.partial_image',
      output_index: 2,
      partial_image_b64: 'AA',
      output_format: 'png',
    },
    { type: 'response.audio.delta', delta: 'AAAA' },
    { type: 'error', error: boom },
    completed({ output: [message('x')], store: false }),
    failed(boom),
    { object: 'response', id: 'r', status: 'completed', output: [message('x')] },
  ]);
});
