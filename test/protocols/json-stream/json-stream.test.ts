import { expect } from '@open-wc/testing';
import { detectJsonStream } from '../../../src/protocols/json-stream/detect.ts';
import { adapter as jsonStream } from '../../../src/protocols/json-stream/json-stream.ts';
import { protocols } from '../../../src/protocols/registry.ts';
import { testBodies, testNeverThrows, testRequests } from '../../support/adapter-tests.ts';
import { failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { findProtocol } from '../../support/find-protocol.ts';
import { assistant, user } from '../../support/messages.ts';
import { ndjson, playBody, sse } from '../../support/play-body.ts';

const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  ...more,
  blocks,
});
const failed = (...blocks: readonly ExpectedFields[]): ExpectedFields =>
  done(blocks, { status: 'error', finish: 'error' });
const cut = (...blocks: readonly ExpectedFields[]): ExpectedFields =>
  done(blocks, { status: 'interrupted', finish: 'error' });
const tokens = (...words: readonly string[]): readonly object[] => words.map((token) => ({ token }));

describe('json-stream', () => {
  testBodies(jsonStream, [
    { name: 'a clean end without a marker', body: sse(...tokens('Hel', 'lo')), messages: [done([text('Hello')])] },
    { name: 'one frame', body: sse({ content: 'Hello' }), messages: [done([text('Hello')])] },
    ...(['error', 'cancelled'] as const).flatMap((status) =>
      [
        { type: 'done', data: { status } },
        { type: 'done', status },
        { type: 'session_end', data: { status } },
      ].map((end) => ({
        name: `the status of its end: ${JSON.stringify(end)}`,
        body: sse(...tokens('Hel', 'lo'), end),
        messages: [done([text('Hello')], { status, finish: status })],
      })),
    ),
    ...[{ type: 'cancelled' }, { type: 'stream_canceled' }, { event: 'aborted' }, { status: 'cancelled' }].map(
      (end) => ({
        name: `a cancellation: ${JSON.stringify(end)}`,
        body: sse(...tokens('Hel', 'lo'), end),
        messages: [done([text('Hello')], { status: 'cancelled', finish: 'cancelled' })],
      }),
    ),
    {
      name: 'a node that is cancelled',
      body: sse(...tokens('Hel'), { node: 'search', status: 'cancelled' }, ...tokens('lo')),
      messages: [done([text('Hello')])],
      warnings: ['unknown'],
    },
    {
      name: 'the status of a result, which is not that of the reply',
      body: sse(...tokens('Hel', 'lo'), { type: 'done', result: { status: 'failed' } }),
      messages: [done([text('Hello')])],
    },
    ...[
      { type: 'error', data: { message: 'Slow', recoverable: true } },
      { error: 'Slow', recoverable: true },
    ].map((error) => ({
      name: `an error after which the reply continues: ${JSON.stringify(error)}`,
      body: sse(...tokens('Hel', 'lo'), error, ...tokens(', you'), { type: 'done' }),
      messages: [done([text('Hello'), failure('Slow', { recoverable: true }), text(', you')])],
    })),
    {
      name: 'an error after which the reply should have continued',
      body: sse(...tokens('Hel', 'lo'), { type: 'error', message: 'Slow', recoverable: true }),
      messages: [failed(text('Hello'), failure('Slow', { recoverable: true }))],
    },
    {
      name: 'reasoning in tags at the start',
      body: sse(...tokens('<th', 'ink>\nA ', 'thought.\n</thi', 'nk>\n\nHel', 'lo')),
      messages: [done([thought('A thought.'), text('Hello')])],
    },
    {
      name: 'reasoning in tags, cumulative',
      body: sse({ text: '<think>A ' }, { text: '<think>A thought' }, { text: '<think>A thought</think>Hello' }),
      messages: [done([thought('A thought'), text('Hello')])],
    },
    {
      name: 'reasoning with a closing tag only',
      body: sse(...tokens('A thought.', '\n</think>\n', 'Hello')),
      messages: [done([thought('A thought.'), text('Hello')])],
    },
    {
      name: 'an answer about tags',
      body: sse(...tokens('Use ', '<think> here', ' and </thi')),
      messages: [done([text('Use <think> here and </thi')])],
    },
    {
      name: 'a repeated word',
      body: sse(...tokens('Ha', 'Ha', 'Ha', '!')),
      messages: [done([text('HaHaHa!')])],
    },
    {
      name: 'two values, the second one complete',
      body: sse({ text: 'Hel' }, { text: 'Hello' }, '[DONE]'),
      messages: [done([text('Hello')])],
    },
    {
      name: 'chunks that look like complete texts at first',
      body: sse(...tokens('a', 'ab', 'c')),
      messages: [done([text('aabc')])],
    },
    {
      name: 'the complete text again, at the end',
      body: sse(...tokens('Hello', ' you'), { type: 'done', token: 'Hello you' }),
      messages: [done([text('Hello you')])],
    },
    {
      name: 'the complete text at the end, longer than its chunks',
      body: sse(...tokens('Hello', ' you'), { result: 'Hello you all' }),
      messages: [done([text('Hello you all')])],
      warnings: [],
    },
    {
      name: 'only the complete text',
      body: sse({ status: 'working', message: 'Wait' }, { type: 'final', content: 'Hello' }),
      messages: [done([text('Hello')])],
      warnings: ['unknown'],
    },
    {
      name: 'numbers are text',
      body: sse({ content: 'It is ' }, { content: 4 }, { content: '2.' }),
      messages: [done([text('It is 42.')])],
    },
    {
      name: 'keep-alives',
      body: sse({ content: '' }, { content: 'Hel' }, { content: '' }, { content: 'lo' }),
      messages: [done([text('Hello')])],
    },
    {
      name: 'a reply truncated by its length',
      body: sse(...tokens('Hel'), { token: 'lo', finish_reason: 'length' }),
      messages: [done([text('Hello')], { finish: 'max_tokens' })],
    },
    {
      name: 'reasoning by its key',
      body: sse({ reasoning_content: 'Hm' }, { reasoning_content: ', well' }, ...tokens('Y', 'es')),
      messages: [done([thought('Hm, well'), text('Yes')])],
    },
    {
      name: 'an error with a message',
      body: sse(...tokens('Half ', 'an'), { error: { message: 'Overloaded' } }),
      messages: [failed(text('Half an'), failure('Overloaded'))],
    },
    {
      name: 'an error before any text',
      body: sse({ detail: 'No such session', status_code: 404 }),
      messages: [failed(failure('No such session'))],
    },
    {
      name: 'an error by its event',
      body: 'event: error\ndata: {"content":"Out of memory"}\n\n',
      messages: [failed(failure('Out of memory'))],
    },
    {
      name: 'an error by its event, as plain text',
      body: `${sse({ text: 'Half ' }, { text: 'an' })}event: error\ndata: Out of memory\n\n`,
      messages: [failed(text('Half an'), failure('Out of memory'))],
    },
    {
      name: 'invalid JSON among invalid JSON strings',
      body: 'data: "Well"\n\ndata: , he said\n\n',
      messages: [done([text('"Well", he said')])],
    },
    {
      name: 'a malformed frame',
      body: `${sse(...tokens('Hel', 'lo'))}data: {"token":\n\n${sse({ token: '!' })}`,
      messages: [done([text('Hello!')])],
      warnings: ['malformed'],
    },
    {
      name: 'ids of the conversation are stored',
      body: ndjson({ session_id: 's1' }, ...tokens('Hel', 'lo')),
      messages: [done([text('Hello')], { metadata: { 'json-stream': { session_id: 's1' } } })],
    },
    { name: 'nothing', body: '', messages: [cut()], problem: 'empty' },
  ]);

  it('gives up if nothing can be the answer, and shows the start of the stream', async () => {
    const frames = Array.from({ length: 30 }, (_, count) => ({ count, total: 30 }));
    const [message] = (await playBody(jsonStream, sse(...frames))).seen;
    const [block] = message?.['blocks'] as readonly ExpectedFields[];
    expect(message?.['finish']).to.equal('error');
    expect(block?.['content']).to.match(/no text grows.* It begins: \{"count":0,"total":30\}/s);
  });

  testNeverThrows(jsonStream, [
    { token: 'x', done: false },
    'words',
    { type: 'tool_start', tool: 'search', id: '1', input: { q: 'x' } },
    { type: 'tool_end', tool: 'search', id: '1', output: 'x' },
    { answer: 'x', sources: [{ url: 'https://a.example', title: 'A' }], usage: { input_tokens: 1, output_tokens: 2 } },
    { result: { output: { text: 'x', metadata: {} }, metadata: { finishReason: 'STOP' } } },
    { error: { message: 'x' } },
    { suggestions: ['x', { label: 'y' }], session_id: 's' },
  ]);

  describe('is at most likely', () => {
    const others = {
      'one document': ['{"content":"Hello"}', 'json'],
      'words over events': [sse('Hel', 'lo'), 'text'],
      'an error and its end': [sse({ type: 'error', data: { message: 'x' } }, { type: 'done' }), 'json-stream'],
      'a frame that failed without a message': [sse({ type: 'step_failed', n: 1 }, { n: 2 }), 'unsupported-stream'],
      'an error among other fields': [sse({ type: 'error', message: 'x' }, { n: 2 }), 'unsupported-stream'],
      'frames without any words': [sse({ a: 1 }, { a: 2 }, { a: 3 }), 'unsupported-stream'],
    } as const;
    for (const [name, [body, found]] of Object.entries(others))
      it(`${name} → ${found}`, async () => {
        expect(await findProtocol(body, protocols.list())).to.match(new RegExp(`^${found}`));
      });

    it('and never certain', () => {
      const frames = tokens('a', 'b', 'c').map((json) => ({ data: JSON.stringify(json), json }));
      const signs = {
        url: new URL('https://a.example'),
        headers: new Headers(),
        framing: 'sse',
        frames,
        ended: true,
      } as const;
      expect(detectJsonStream(signs)).to.equal('maybe');
    });
  });

  testRequests(jsonStream, [
    {
      name: 'the request before its form was known, with the returned ids',
      messages: [
        user('hi'),
        { ...assistant('Hello'), metadata: { 'json-stream': { session_id: 's1', chatId: 7 } } },
        user('more'),
      ],
      turn: { text: 'more', threadId: 't1' },
      body: {
        stream: true,
        messages: [
          { id: 'm1', role: 'user', content: 'hi', parts: [{ type: 'text', text: 'hi', content: 'hi' }] },
          { id: 'm2', role: 'assistant', content: 'Hello', parts: [{ type: 'text', text: 'Hello', content: 'Hello' }] },
          { id: 'm3', role: 'user', content: 'more', parts: [{ type: 'text', text: 'more', content: 'more' }] },
        ],
        message: 'more',
        id: 't1',
        threadId: 't1',
        runId: 'm3',
        state: {},
        tools: [],
        context: [],
        forwardedProps: {},
        session_id: 's1',
        chatId: 7,
      },
    },
  ]);
});
