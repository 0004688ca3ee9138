import { adapter as cohere } from '../../../src/protocols/cohere/cohere.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { call, failure, text, thought } from '../../support/bare.ts';
import { sse } from '../../support/play-body.ts';
import {
  callEnd,
  callDelta,
  callStart,
  cite,
  close,
  done,
  end,
  open,
  contentDelta,
  plan,
  textBlock,
  start,
  stream,
} from './streams.ts';

const failed = { status: 'error', finish: 'error' };
const loading = { status: 'loading' };
const counted = {
  usage: { billed_units: { input_tokens: 1, output_tokens: 2 }, tokens: { input_tokens: 30, output_tokens: 4 } },
};
const usage = { prompt_tokens: 30, completion_tokens: 4, total_tokens: 34 };

describe('cohere', () => {
  testRecordings(cohere, 'cohere');

  testBodies(cohere, [
    {
      name: 'text in chunks, the first with its start; all tokens count, not only the billed ones',
      body: stream(
        open(0, { type: 'text', text: 'H' }),
        contentDelta(0, { text: 'i' }),
        close(0),
        end('COMPLETE', counted),
      ),
      messages: [done([text('Hi')], { usage })],
    },
    {
      name: 'reasoning, then text: their keys differ',
      body: stream(
        open(0, { type: 'thinking', thinking: 'Hm' }),
        contentDelta(0, { thinking: ' so' }),
        close(0),
        ...textBlock('Yes', 1),
        end(),
      ),
      messages: [done([thought('Hm so'), text('Yes')])],
    },
    {
      name: 'a plan, then calls: in chunks, complete, and without arguments',
      body: stream(
        plan('I '),
        plan('look.'),
        callStart(0, 'a'),
        callDelta(0, '{"x"'),
        callDelta(0, ':1}'),
        callEnd(0),
        callStart(1, 'b', '{"y":2}'),
        callEnd(1),
        callStart(2, 'c'),
        callEnd(2),
        callStart(3, 'd', 'null'),
        callEnd(3),
        end('TOOL_CALL'),
      ),
      messages: [
        done(
          [
            thought('I look.', { extra: { stage: 'planning' } }),
            call('a', 'f', { params: '{"x":1}' }, loading),
            call('b', 'f', { params: '{"y":2}' }, loading),
            call('c', 'f', {}, loading),
            call('d', 'f', {}, loading),
          ],
          { finish: 'tool_use' },
        ),
      ],
    },
    ...[
      ['STOP_SEQUENCE', 'stop_sequence', 'complete'],
      ['MAX_TOKENS', 'max_tokens', 'complete'],
      ['USER_CANCEL', 'cancelled', 'cancelled'],
      ['constructor', 'complete', 'complete'],
    ].map(([reason, finish, status]) => ({
      name: `finish_reason ${reason ?? ''}`,
      body: stream(...textBlock('a'), end(reason)),
      messages: [done([text('a')], { finish, status })],
    })),
    {
      name: 'finish_reason ERROR_TOXIC is a filter',
      body: stream(...textBlock('a'), end('ERROR_TOXIC')),
      messages: [done([text('a')], { ...failed, metadata: { filtered: true } })],
    },
    ...['ERROR', 'ERROR_LIMIT', 'TIMEOUT'].map((reason) => ({
      name: `finish_reason ${reason} has an error message`,
      body: stream(...textBlock('a'), end(reason)),
      messages: [done([text('a'), failure(`The provider ended the reply: ${reason}`)], failed)],
    })),
    {
      name: 'an error with its own message',
      body: stream(...textBlock('a'), end('ERROR', { error: 'Boom' })),
      messages: [done([text('a'), failure('Boom')], failed)],
    },
    {
      name: 'an error instead of an event',
      body: sse(start, ...textBlock('a'), { message: 'Boom' }),
      messages: [done([text('a'), failure('Boom')], failed)],
    },
    ...[{ error: 'Boom' }, { type: 'error', error: { message: 'Boom' } }, { error: { message: 'Boom' } }].map(
      (problem) => ({
        name: `an error as ${JSON.stringify(problem)}`,
        body: sse(start, ...textBlock('a'), problem),
        messages: [done([text('a'), failure('Boom')], failed)],
      }),
    ),
    {
      name: 'an error object in the end',
      body: stream(...textBlock('a'), end('ERROR', { error: { message: 'Boom' } })),
      messages: [done([text('a'), failure('Boom')], failed)],
    },
    {
      name: 'a call whose end says COMPLETE',
      body: stream(callStart(0, 'a', '{"y":2}'), callEnd(0), end()),
      messages: [done([call('a', 'f', { params: '{"y":2}' }, loading)], { finish: 'tool_use' })],
    },
    {
      name: 'without an end it is interrupted',
      body: sse(start, ...textBlock('a')),
      messages: [done([text('a')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
    {
      name: 'unknown events are skipped',
      body: stream({ type: 'debug', prompt: 'x' }, ...textBlock('a'), end()),
      messages: [done([text('a')])],
      warnings: ['unknown'],
    },
    {
      name: 'a reply that was not streamed',
      body: JSON.stringify({
        id: 'x',
        finish_reason: 'TOOL_CALL',
        message: {
          role: 'assistant',
          tool_plan: 'I look.',
          content: [{ type: 'text', text: 'Cats.' }],
          citations: [{ start: 0, end: 4, text: 'Cats', sources: [{ type: 'document', id: 'd' }] }],
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        ...counted,
      }),
      messages: [
        done(
          [
            thought('I look.', { extra: { stage: 'planning' } }),
            text('Cats.', { citations: [{ id: 'd', start: 0, end: 4 }] }),
            call('a', 'f', { params: '{}' }, loading),
          ],
          { finish: 'tool_use', usage },
        ),
      ],
    },
  ]);

  testNeverThrows(cohere, [
    start,
    open(0, { type: 'thinking', thinking: 'x' }),
    contentDelta(0, { text: 'x' }),
    plan('x'),
    callStart(0, 'a', '{'),
    callDelta(0, '}'),
    cite({
      start: 0,
      end: 1,
      text: 'x',
      type: 'TEXT_CONTENT',
      sources: [{ id: 's', document: { url: 'u', title: 't' } }],
    }),
    end('ERROR', { ...counted, error: 'e' }),
    { message: 'x' },
    {
      finish_reason: 'COMPLETE',
      message: { role: 'assistant', content: 'x', citations: [], tool_calls: [] },
      ...counted,
    },
  ]);
});
