/** Compares how OpenAI's own client and our adapter read the same streams of the Responses API. */
import { readFile } from 'node:fs/promises';
import { after, before, describe } from 'node:test';
import {
  added,
  begin,
  done,
  events,
  message,
  note,
  say,
  saying,
  usage,
} from '../protocols/openai-responses/streams.ts';
import { testReadings } from './support/reading.ts';
import { replayServer, type Replay } from './support/replay-server.ts';
import { readResponse } from './support/responses-reading.ts';
import { call, part, textDelta, stream, thinking, reasoningItem, type Event } from './support/responses-stream.ts';

const max = await readFile(new URL('../protocols/openai-responses/max-output-tokens.sse', import.meta.url), 'utf8');

/** The last event of an unsuccessful response. */
const ended = (type: string, more: object): Event => ({
  type,
  response: { id: 'resp_1', object: 'response', usage, ...more },
});
/** Text that breaks off. */
const half: readonly Event[] = [
  added(0, { ...message(''), content: [] }),
  part(0, 'added', { type: 'output_text', text: '', annotations: [] }),
  say(0, 'Half'),
];

const refusal = (text: string) => ({ ...message(''), content: [{ type: 'refusal', refusal: text }] });
const source = (url: string) => ({ type: 'url_citation', url, title: url, start_index: 0, end_index: 1 });
const search = (action: object | undefined) => ({
  id: 'ws_1',
  type: 'web_search_call',
  status: 'completed',
  ...(action && { action }),
});

describe('OpenAI’s client and ours: responses', () => {
  let server: Replay;
  before(async () => {
    server = await replayServer();
  });
  after(() => server.close());

  testReadings(
    [
      {
        name: 'text in chunks',
        body: stream([message('Grüße 👋🏽')], saying(0, 'Grüße ', '👋🏽')),
        has: { text: 'Grüße 👋🏽', stop: 'complete', tokens: [3, 4] },
      },
      {
        name: 'a summary of reasoning in two parts, then the text',
        body: stream(
          [reasoningItem('I look.', 'I see.'), message('Yes')],
          [...thinking(0, 'I look.', 'I see.'), ...saying(1, 'Yes')],
        ),
        has: { reasoning: 'I look.\n\nI see.', text: 'Yes' },
      },
      {
        name: 'two parallel calls, with arguments in chunks',
        body: stream(
          [call('a', 'f', '{"x":"1"}'), call('b', 'g', '{"y":2}')],
          [
            added(0, { ...call('a', 'f', ''), status: 'in_progress' }),
            added(1, { ...call('b', 'g', ''), status: 'in_progress' }),
            textDelta(0, '{"x":"'),
            textDelta(1, '{"y"'),
            textDelta(0, '1"}'),
            textDelta(1, ':2}'),
            { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"x":"1"}' },
            done(0, call('a', 'f', '{"x":"1"}')),
            { type: 'response.function_call_arguments.done', output_index: 1, arguments: '{"y":2}' },
            done(1, call('b', 'g', '{"y":2}')),
          ],
        ),
        has: {
          calls: [
            { id: 'a', name: 'f', input: { x: '1' } },
            { id: 'b', name: 'g', input: { y: 2 } },
          ],
          stop: 'tool_use',
        },
      },
      {
        name: 'the input of a tool that takes text instead of JSON',
        body: stream(
          [{ id: 'ct_1', type: 'custom_tool_call', call_id: 'a', name: 'sql', input: 'select 1' }],
          [
            added(0, { id: 'ct_1', type: 'custom_tool_call', call_id: 'a', name: 'sql', input: '' }),
            { type: 'response.custom_tool_call_input.delta', output_index: 0, delta: 'select ' },
            { type: 'response.custom_tool_call_input.delta', output_index: 0, delta: '1' },
            { type: 'response.custom_tool_call_input.done', output_index: 0, input: 'select 1' },
            done(0, { id: 'ct_1', type: 'custom_tool_call', call_id: 'a', name: 'sql', input: 'select 1' }),
          ],
        ),
        has: { calls: [{ id: 'a', name: 'sql', input: 'select 1' }], stop: 'tool_use' },
      },
      {
        name: 'a search on the server, and text with its sources',
        body: stream(
          [
            search({ type: 'search', query: 'cats' }),
            message('Cats.', [source('https://a.example'), source('https://b.example')]),
          ],
          [
            added(0, search(undefined)),
            { type: 'response.web_search_call.searching', output_index: 0, item_id: 'ws_1' },
            { type: 'response.web_search_call.completed', output_index: 0, item_id: 'ws_1' },
            done(0, search({ type: 'search', query: 'cats' })),
            added(1, { ...message(''), content: [] }),
            part(1, 'added', { type: 'output_text', text: '', annotations: [] }),
            say(1, 'Cats.'),
            note(1, 0, source('https://a.example')),
            note(1, 1, source('https://b.example')),
            done(1, message('Cats.', [source('https://a.example'), source('https://b.example')])),
          ],
        ),
        has: {
          text: 'Cats.',
          calls: [{ id: 'ws_1', name: 'web_search', input: { type: 'search', query: 'cats' } }],
          sources: ['https://a.example', 'https://b.example'],
          stop: 'complete',
        },
      },
      {
        name: 'a refusal',
        body: stream(
          [refusal('I can’t.')],
          [
            added(0, { ...message(''), content: [] }),
            part(0, 'added', { type: 'refusal', refusal: '' }),
            { type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'I can’t.' },
            { type: 'response.refusal.done', output_index: 0, content_index: 0, refusal: 'I can’t.' },
            part(0, 'done', { type: 'refusal', refusal: 'I can’t.' }),
            done(0, refusal('I can’t.')),
          ],
        ),
        has: { text: 'I can’t.' },
        differs: { stop: { theirs: 'complete', ours: 'error', why: 'The reader is told that this is no answer.' } },
      },
      {
        name: 'an answer stopped by a filter',
        body: stream(
          [],
          saying(0, 'How to'),
          ended('response.incomplete', {
            status: 'incomplete',
            incomplete_details: { reason: 'content_filter' },
            output: [message('How to')],
          }),
        ),
        has: { text: 'How to', stop: 'error', tokens: [3, 4] },
      },
      {
        name: 'an error in the middle',
        body: events(begin(), ...half, {
          type: 'error',
          error: { type: 'server_error', code: 'overloaded', message: 'Overloaded' },
        }),
        has: { text: 'Half', stop: 'error', error: 'Overloaded' },
      },
      {
        name: 'an error in its documented form',
        body: events(begin(), ...half, { type: 'error', code: 'overloaded', message: 'Overloaded', param: null }),
        has: { text: 'Half', stop: 'error', error: 'Overloaded' },
      },
      {
        name: 'a response that fails',
        body: stream(
          [],
          saying(0, 'Half'),
          ended('response.failed', {
            status: 'failed',
            error: { code: 'server_error', message: 'Overloaded' },
            output: [],
            usage: null,
          }),
        ),
        has: { stop: 'error', error: 'Overloaded' },
        differs: { text: { theirs: '', ours: 'Half', why: 'What the reader has seen stays.' } },
      },
      {
        name: 'a stream that breaks off',
        body: events(begin(), ...saying(0, 'Half')),
        has: { text: 'Half', stop: 'error' },
        differs: {
          error: {
            theirs: undefined,
            ours: 'The reply was cut off: the stream ended without an end event.',
            why: 'The client gives the response as it is, still in progress.',
          },
        },
      },
      {
        name: 'recording max-output-tokens.sse',
        body: max,
        has: { text: 'A long answer that stops', stop: 'max_tokens', tokens: [10, 16] },
      },
    ],
    { path: '/v1/responses', server: () => server, theirs: readResponse },
  );
});
