/** Compares how OpenAI's own client and our adapter read the same streams of chat completions. */
import { readFile } from 'node:fs/promises';
import { after, before, describe } from 'node:test';
import { call, chunk, say, stop, stream } from '../protocols/openai-chat/streams.ts';
import { sse } from '../support/play-body.ts';
import { readChatCompletion } from './support/openai-reading.ts';
import { testReadings } from './support/reading.ts';
import { replayServer, type Replay } from './support/replay-server.ts';

const recording = (name: string): Promise<string> =>
  readFile(new URL(`../protocols/openai-chat/${name}`, import.meta.url), 'utf8');

const begin = chunk({ role: 'assistant', content: '' });
const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
const counted = { id: 'c', object: 'chat.completion.chunk', choices: [], usage };
const f = (args: string) => ({ name: 'f', arguments: args });
const cite = (url: string) => ({
  type: 'url_citation',
  url_citation: { url, title: url, start_index: 0, end_index: 1 },
});

describe('OpenAI’s client and ours: chat completions', async () => {
  let server: Replay;
  before(async () => {
    server = await replayServer();
  });
  after(() => server.close());

  testReadings(
    [
      {
        name: 'text, and token counts after the end',
        body: stream(begin, say('Grüße '), say('👋🏽'), stop(), counted),
        has: { text: 'Grüße 👋🏽', stop: 'complete', tokens: [3, 4] },
      },
      {
        name: 'reasoning before the text',
        body: stream(
          begin,
          chunk({ reasoning_content: 'Let me ' }),
          chunk({ reasoning_content: 'see.' }),
          say('Yes'),
          stop(),
        ),
        has: { reasoning: 'Let me see.', text: 'Yes' },
      },
      {
        name: 'two parallel calls, with arguments in chunks',
        body: stream(
          begin,
          say('I look.'),
          call({ index: 0, id: 'a', type: 'function', function: f('') }),
          call({ index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{"y"' } }),
          call({ index: 0, function: { arguments: '{"x":"1' } }),
          call({ index: 1, function: { arguments: ':2}' } }),
          call({ index: 0, function: { arguments: '"}' } }),
          stop('tool_calls'),
          counted,
        ),
        has: {
          text: 'I look.',
          calls: [
            { id: 'a', name: 'f', input: { x: '1' } },
            { id: 'b', name: 'g', input: { y: 2 } },
          ],
          stop: 'tool_use',
        },
      },
      {
        name: 'a refusal',
        body: stream(begin, chunk({ refusal: 'I can’t ' }), chunk({ refusal: 'do that.' }), stop()),
        has: { text: 'I can’t do that.' },
        differs: {
          stop: { theirs: 'complete', ours: 'error', why: 'The reader is told that this is no answer.' },
        },
      },
      {
        name: 'sources of a search',
        body: stream(
          begin,
          say('Sunny.'),
          chunk({ annotations: [cite('https://a.example'), cite('https://b.example')] }),
          stop(),
        ),
        has: { text: 'Sunny.', sources: ['https://a.example', 'https://b.example'] },
      },
      {
        name: 'an answer truncated by its maximum length',
        body: stream(begin, say('Once upon'), stop('length'), counted),
        has: { text: 'Once upon', stop: 'max_tokens', tokens: [3, 4] },
      },
      {
        name: 'an answer stopped by a filter',
        body: stream(begin, say('How to'), stop('content_filter')),
        has: { text: 'How to', stop: 'error' },
      },
      {
        name: 'an error in the middle',
        body: sse(begin, say('Half'), { error: { message: 'Overloaded', type: 'server_error', code: null } }),
        has: { text: 'Half', stop: 'error', error: 'Overloaded' },
      },
      {
        name: 'a stream that breaks off',
        body: sse(begin, say('Half')),
        has: { text: 'Half', stop: 'error' },
        differs: {
          error: {
            theirs: 'missing finish_reason for choice 0',
            ours: 'The reply was cut off: the stream ended without an end event.',
            why: 'Words for readers, not for programmers.',
          },
        },
      },
      {
        name: 'a call whose finish reason hides it, and empty arguments',
        body: stream(begin, call({ index: 0, id: 'a', type: 'function', function: f('') }), stop()),
        has: {},
        differs: {
          calls: {
            theirs: [{ id: 'a', name: 'f', input: '' }],
            ours: [{ id: 'a', name: 'f', input: {} }],
            why: 'A tool without parameters is called with none.',
          },
          stop: { theirs: 'complete', ours: 'tool_use', why: 'Many servers say `stop` and wait for the result.' },
        },
      },
      {
        name: 'truncated arguments',
        body: stream(begin, call({ index: 0, id: 'a', type: 'function', function: f('{"x":') }), stop('length')),
        has: { calls: [{ id: 'a', name: 'f', input: '{"x":' }], stop: 'max_tokens' },
      },
      {
        name: 'recording citations.sse',
        body: await recording('citations.sse'),
        has: { stop: 'complete', tokens: [30, 22] },
        differs: {
          sources: {
            theirs: ['https://example.com/b', 'https://example.com/a'],
            ours: ['https://example.com/a', 'https://example.com/b', 'https://example.com/a'],
            why: 'The client keeps the last chunk’s list alone.',
          },
        },
      },
      {
        name: 'recording error-mid-stream.sse',
        body: await recording('error-mid-stream.sse'),
        has: { text: 'The first half of an answer', stop: 'error', error: 'Provider disconnected unexpectedly' },
      },
      {
        name: 'recording openrouter-picture.sse',
        body: await recording('openrouter-picture.sse'),
        has: { reasoning: 'The user wants a tiny picture.', text: 'Here is your picture.', tokens: [12, 1307] },
      },
      {
        name: 'recording think-tags.sse',
        body: await recording('think-tags.sse'),
        has: { stop: 'complete', tokens: [8, 17] },
        differs: {
          text: {
            theirs: '<think>\nUser greets me. Keep it < short.\n</think>\n\nHello there! 2 < 3.',
            ours: 'Hello there! 2 < 3.',
            why: 'Local servers leave thoughts in the text, in tags.',
          },
          reasoning: { theirs: '', ours: 'User greets me. Keep it < short.', why: 'The same.' },
        },
      },
    ],
    { path: '/v1/chat/completions', server: () => server, theirs: readChatCompletion },
  );
});
