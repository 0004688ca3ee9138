import { adapter as langflow } from '../../../src/protocols/langflow/langflow.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { call, failure, text, type ExpectedFields } from '../../support/bare.ts';
import { testDetection } from '../../support/detection-tests.ts';
import { assistant, user } from '../../support/messages.ts';
import { sse } from '../../support/play-body.ts';
import { testSent } from '../../support/sent-tests.ts';

/** Events as the server writes them: each followed by a blank line, without a prefix. */
const stream = (...events: readonly object[]): string => events.map((event) => `${JSON.stringify(event)}\n\n`).join('');
const message = (id: string, words: string, more: object = {}): object => ({
  event: 'add_message',
  data: { id, text: words, sender: 'Machine', sender_name: 'AI', session_id: 's', content_blocks: [], ...more },
});
const token = (id: string, chunk: string): object => ({ event: 'token', data: { chunk, id, timestamp: 't' } });
const steps = (...contents: readonly object[]): object => ({ content_blocks: [{ title: 'Agent Steps', contents }] });
const outputs = [{ inputs: {}, outputs: [{ results: { message: { text: 'Hi', data: { text: 'Hi' } } } }] }];
const end = (result: object = { session_id: 's', outputs }): object => ({ event: 'end', data: { result } });

const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: { messageId: 'm', sessionId: 's' },
  ...more,
  blocks,
});
const failed = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields =>
  done(blocks, { status: 'error', finish: 'error', ...more });
const tool = (id: string, name: string, params: string, response: string, more: ExpectedFields = {}): ExpectedFields =>
  call(id, name, { params, response }, { extra: { remote: true }, ...more });

const api = 'https://l.example/api/v1/run/flow';
const turn = { text: 'Hello' };
const hello = { input_value: 'Hello', input_type: 'chat', output_type: 'chat', session_id: 'thread' };
const post = (body: object, url = `${api}?stream=true`) => [{ url, method: 'POST', body }];

describe('langflow', () => {
  testRecordings(langflow, 'langflow');

  testBodies(langflow, [
    {
      name: 'the user’s own message comes back, with its tokens',
      body: stream(
        message('u', 'Hey', { sender: 'User' }),
        token('u', 'Hey'),
        message('m', ''),
        token('m', 'Hi'),
        end(),
      ),
      messages: [done([text('Hi')])],
    },
    {
      name: 'a partial message after its own tokens',
      body: stream(
        token('m', 'Hel'),
        token('m', 'lo'),
        message('m', 'Hel', { properties: { state: 'partial' } }),
        end(),
      ),
      messages: [done([text('Hello')])],
    },
    {
      name: 'a complete message without tokens',
      body: stream(message('m', 'Hi', { properties: { state: 'complete' } }), end()),
      messages: [done([text('Hi')])],
    },
    {
      name: 'a message with another final text',
      body: stream(token('m', 'Hullo'), message('m', 'Hello'), end()),
      messages: [done([text('Hello')])],
    },
    {
      name: 'two messages',
      body: stream(message('m', 'A'), token('n', 'B'), end()),
      messages: [done([text('A')]), done([text('B')], { metadata: { messageId: 'n' } })],
    },
    {
      name: 'an agent’s steps grow, each shown once',
      body: stream(
        message(
          'm',
          '',
          steps({ type: 'text', text: 'Input: x' }, { type: 'tool_use', name: 'f', tool_input: { x: 1 } }),
        ),
        message(
          'm',
          '',
          steps(
            { type: 'text', text: 'Input: x' },
            { type: 'tool_use', name: 'f', tool_input: { x: 1 }, output: 'one' },
            { type: 'tool_use', name: 'f', tool_input: { x: 2 }, error: 'Gone' },
          ),
        ),
        token('m', 'Hi'),
        end(),
      ),
      messages: [
        done([
          tool('m:0', 'f', '{"x":1}', 'one'),
          tool('m:1', 'f', '{"x":2}', 'Gone', { status: 'error' }),
          text('Hi'),
        ]),
      ],
    },
    {
      name: 'code, JSON and files in the steps, each shown once in its newest version',
      body: stream(
        message('m', '', steps({ type: 'code', code: 'x =', language: 'python' })),
        message(
          'm',
          'Hi',
          steps(
            { type: 'code', code: 'x = 1', language: 'python' },
            { type: 'json', data: { a: 1 } },
            { type: 'media', urls: ['https://a.example/b.png', 'flow/c.pdf'] },
          ),
        ),
        message('m', 'Hi', { files: ['https://a.example/d.mp3?e'] }),
        end(),
      ),
      messages: [
        done([
          {
            type: 'code',
            code: { language: 'python', content: 'x = 1' },
            extra: { responseId: 'm/0' },
          },
          { type: 'data', data: { data_type: 'custom', data: { a: 1 } }, extra: { dataId: 'm/1' } },
          { type: 'image', url: 'https://a.example/b.png', extra: { dataId: 'm/2:0' } },
          { type: 'file', name: 'c.pdf', extra: { dataId: 'm/2:1' } },
          text('Hi'),
          { type: 'audio', url: 'https://a.example/d.mp3?e', extra: { dataId: 'm/file:0' } },
        ]),
      ],
    },
    {
      name: 'contents stay when another text replaces the message',
      body: stream(
        token('m', 'Hullo'),
        message('m', 'Hello', steps({ type: 'json', data: [1] })),
        message('m', 'Bye', steps({ type: 'json', data: [1] })),
        end(),
      ),
      messages: [
        done([text('Bye'), { type: 'data', data: { data_type: 'custom', data: [1] }, extra: { dataId: 'm/0' } }]),
      ],
    },
    {
      name: 'an error in the steps',
      body: stream(message('m', '', steps({ type: 'error', reason: 'Key is wrong' })), end({ session_id: 's' })),
      messages: [failed([failure('Key is wrong')], { metadata: { sessionId: 's' } })],
    },
    {
      name: 'a message that is removed',
      body: stream(message('m', 'Oh'), { event: 'remove_message', data: { id: 'm' } }, message('n', 'Hi'), end()),
      messages: [done([]), done([text('Hi')], { metadata: { messageId: 'n' } })],
    },
    {
      name: 'an error, as a message and as an event',
      body: stream(
        token('m', 'Hi'),
        message('e', 'Key is wrong', { error: true }),
        { event: 'error', data: { text: 'Key is wrong' } },
        end(),
      ),
      messages: [failed([text('Hi'), failure('Key is wrong')])],
    },
    {
      name: 'an error, and no end',
      body: stream(token('m', 'Hi'), { event: 'error', data: { error: 'Boom' } }),
      messages: [failed([text('Hi'), failure('Boom')], { metadata: { messageId: 'm' } })],
    },
    {
      name: 'no end: interrupted',
      body: stream(token('m', 'Hi')),
      messages: [done([text('Hi')], { status: 'interrupted', finish: 'error', metadata: { messageId: 'm' } })],
      problem: 'cut',
    },
    {
      name: 'the result counts without a stream',
      body: stream({ event: 'vertices_sorted', data: { ids: [] } }, end()),
      messages: [done([text('Hi')], { metadata: { sessionId: 's' } })],
    },
    {
      name: 'a flow that was not streamed',
      body: JSON.stringify({ session_id: 's', outputs }, null, 1),
      messages: [done([text('Hi')], { metadata: { sessionId: 's' } })],
    },
    {
      name: 'progress is not shown; each unknown event is one warning, each malformed one too',
      body: stream(
        { event: 'build_start', data: {} },
        { event: 'end_vertex', data: {} },
        { event: 'dream', data: {} },
        { event: 'token', data: { chunk: 7 } },
        token('m', 'Hi'),
        { event: 'build_end', data: {} },
        end(),
      ),
      messages: [done([text('Hi')])],
      warnings: ['unknown', 'malformed'],
    },
  ]);

  testSent(langflow, [
    { name: 'the first turn', messages: [user('Hello')], turn, options: { url: api }, sent: post(hello) },
    {
      name: 'the next turn has only its own message, and the session',
      messages: [user('A'), assistant('B', { metadata: { sessionId: 's' } }), user('Hello')],
      turn,
      options: { url: api },
      sent: post({ ...hello, session_id: 's' }),
    },
    {
      name: 'the address says whether it streams',
      turn,
      options: { url: `${api}?stream=false` },
      sent: post(hello, `${api}?stream=false`),
    },
    {
      name: 'page context and a system text come first',
      turn,
      options: { url: api, system: 'Be short', context: 'On /x' },
      sent: post({ ...hello, input_value: 'Be short\n\nContext of the page the user is on:\nOn /x\n\nHello' }),
    },
  ]);

  testNeverThrows(langflow, [
    message('m', 'x', steps({ type: 'tool_use', name: 'f', tool_input: { x: 1 }, output: 'y', error: null })),
    message('m', 'x', { error: true }),
    message('u', 'x', { sender: 'User' }),
    token('m', 'x'),
    { event: 'remove_message', data: { id: 'm' } },
    { event: 'error', data: { text: 'x' } },
    { event: 'vertices_sorted', data: {} },
    end(),
    { session_id: 's', outputs },
    { detail: 'x' },
  ]);

  testDetection('langflow', {
    own: {
      tokens: stream(message('m', ''), token('m', 'Hi'), end()),
      'progress in front': stream({ event: 'vertices_sorted', data: { ids: [] } }),
      'an error in front': stream({ event: 'error', data: { text: 'x' } }, token('m', 'Hi')),
      'as server-sent events': sse(token('m', 'Hi'), end()),
    },
    others: { 'Flowise, whose token is a text': [stream({ event: 'token', data: 'x' }), 'flowise'] },
    urls: [api],
    otherUrls: ['https://l.example/api/v1/build/flow'],
  });
});
