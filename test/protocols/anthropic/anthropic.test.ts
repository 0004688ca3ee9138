import { adapter as anthropic } from '../../../src/protocols/anthropic/anthropic.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { failure, text } from '../../support/bare.ts';
import { sse } from '../../support/play-body.ts';
import {
  toolUseBlock,
  close,
  delta,
  done,
  end,
  replyMetadata,
  open,
  rounds,
  textBlock,
  start,
  stop,
  stream,
  completeBlock,
} from './streams.ts';

const tokens = { input_tokens: 3, cache_creation_input_tokens: 10, cache_read_input_tokens: 100, output_tokens: 1 };
const usage = (prompt_tokens: number, completion_tokens: number) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
});
const failed = { status: 'error', finish: 'error' };
const cut = { status: 'interrupted', finish: 'error' };

describe('anthropic', () => {
  testRecordings(anthropic, 'anthropic');

  testBodies(anthropic, [
    {
      name: 'several texts are one answer; pings and empty chunks are ignored',
      body: sse(
        { type: 'ping' },
        start(),
        ...textBlock(0, 'One'),
        { type: 'ping' },
        open(1, { type: 'text', text: ', ' }),
        delta(1, 'text_delta', { text: '' }),
        close(1),
        ...textBlock(2, 'two'),
        end(),
        stop,
      ),
      messages: [done([text('One, two')])],
    },
    {
      name: 'events without a type in their data, and an end marker that a gateway adds',
      body: `event: message_start\ndata: ${JSON.stringify(start())}\n\nevent: ping\ndata: {}\n\n${sse(...textBlock(0, 'Hi'), end(), stop, '[DONE]')}`,
      messages: [done([text('Hi')])],
    },
    {
      name: 'its last event twice',
      body: sse(start(), ...textBlock(0, 'Hi'), end('max_tokens'), stop, stop),
      messages: [done([text('Hi')], { finish: 'max_tokens' })],
    },
    {
      name: 'an end marker instead of the last event',
      body: sse(start(), ...textBlock(0, 'Hi'), end('max_tokens'), '[DONE]'),
      messages: [done([text('Hi')], { finish: 'max_tokens' })],
    },
    {
      name: 'a missing last event: its reason was sent before',
      body: sse(start(), ...textBlock(0, 'Hi'), end()),
      messages: [done([text('Hi')])],
    },
    {
      name: 'without a reason it is interrupted',
      body: sse(start(), ...textBlock(0, 'Hi')),
      messages: [done([text('Hi')], cut)],
      problem: 'cut',
    },
    {
      name: 'unknown events, blocks and deltas are skipped',
      body: stream([
        { type: 'session_note', note: 'x' },
        open(0, { type: 'hologram', data: 'x' }),
        delta(0, 'hologram_delta', { data: 'y' }),
        close(0),
        open(1, { type: 'text', text: '' }),
        delta(1, 'colour_delta', { text: 'red' }),
        delta(1, 'text_delta', { text: 'Hi' }),
        close(1),
      ]),
      messages: [
        done([text('Hi')], { metadata: rounds({ type: 'hologram', data: 'x' }, { type: 'text', text: 'Hi' }) }),
      ],
      warnings: ['unknown'],
    },
    {
      name: 'text whose start is malformed',
      body: stream(['{"type":"content_block_start"', delta(0, 'text_delta', { text: 'Hi' }), close(0)]),
      messages: [done([text('Hi')])],
      warnings: ['malformed'],
    },
    ...[
      ['end_turn', 'complete'],
      ['max_tokens', 'max_tokens'],
      ['model_context_window_exceeded', 'max_tokens'],
      ['stop_sequence', 'stop_sequence'],
      ['constructor', 'complete'],
    ].map(([reason, finish]) => ({
      name: `stop_reason ${reason ?? ''}`,
      body: stream(textBlock(0, 'a'), reason),
      messages: [done([text('a')], { finish })],
    })),
    {
      name: 'a refusal has its reason, after the text',
      body: stream(textBlock(0, 'Half'), 'refusal', { stop_details: { category: 'cyber', explanation: 'Not this.' } }),
      messages: [done([text('Half'), failure('Not this.', { code: 'refusal', error_type: 'cyber' })], failed)],
    },
    ...[
      ['an error with text instead of an object', sse({ type: 'error', error: 'boom' })],
      ['an error whose message is an object', sse({ type: 'error', error: { message: { detail: 'boom' } } })],
      ['an error beside its type', sse({ type: 'error', message: 'boom' })],
      ['an error event with plain text', 'event: error\ndata: boom\n\n'],
      ['an error event with a JSON string', 'event: error\ndata: "boom"\n\n'],
    ].map(([name = '', ending = '']) => ({
      name,
      body: sse(start(), ...textBlock(0, 'Half')) + ending,
      messages: [done([text('Half'), failure('boom')], failed)],
    })),
    {
      name: 'a refusal without text',
      body: stream([], 'refusal', { stop_details: null }),
      messages: [done([], { ...failed, metadata: { ...replyMetadata, filtered: true } })],
    },
    {
      name: 'tokens: cached ones count, later numbers replace earlier ones, absent and null ones do not',
      body: sse(
        start({ usage: tokens }),
        ...textBlock(0, 'a'),
        end(
          'end_turn',
          {},
          {
            usage: {
              input_tokens: 5,
              cache_read_input_tokens: null,
              cache_creation_input_tokens: 'x',
              output_tokens: 40,
            },
          },
        ),
        stop,
      ),
      messages: [done([text('a')], { usage: usage(115, 40) })],
    },
    {
      name: 'an interrupted reply keeps the tokens of its start',
      body: sse(start({ usage: tokens }), ...textBlock(0, 'a')),
      messages: [done([text('a')], { ...cut, usage: usage(113, 1) })],
      problem: 'cut',
    },
    {
      name: 'another model has taken over',
      body: stream([
        ...completeBlock(0, { type: 'fallback', from: { model: 'claude-x' }, to: { model: 'claude-y' } }),
        ...textBlock(1, 'Hi'),
      ]),
      messages: [
        done(
          [
            {
              type: 'status',
              phase: 'fallback',
              message: 'claude-x → claude-y',
              extra: { steps: [{ phase: 'fallback', message: 'claude-x → claude-y' }] },
            },
            text('Hi'),
          ],
          {
            metadata: {
              ...rounds(
                { type: 'fallback', from: { model: 'claude-x' }, to: { model: 'claude-y' } },
                { type: 'text', text: 'Hi' },
              ),
              model: 'claude-y',
            },
          },
        ),
      ],
    },
    {
      name: 'compacted context is kept, and not shown',
      body: stream([
        open(0, { type: 'compaction', content: null }),
        delta(0, 'compaction_delta', { content: 'They spoke of cats.' }),
        close(0),
        ...textBlock(1, 'Hi'),
      ]),
      messages: [
        done([text('Hi')], {
          metadata: rounds({ type: 'compaction', content: 'They spoke of cats.' }, { type: 'text', text: 'Hi' }),
        }),
      ],
    },
    {
      name: 'everything in the start event',
      body: sse(
        start({
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
          ],
          stop_reason: 'tool_use',
        }),
        stop,
      ),
      messages: [
        done(
          [text('Hi'), { type: 'tool_call', status: 'loading', tool_call: { id: 'a', name: 'f', params: '{"x":1}' } }],
          {
            finish: 'tool_use',
            metadata: rounds({ type: 'text', text: 'Hi' }, { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } }),
          },
        ),
      ],
    },
    {
      name: 'a reply that was not streamed',
      body: JSON.stringify({
        ...start({ content: [{ type: 'text', text: 'Hi' }], stop_reason: 'max_tokens', usage: tokens }).message,
      }),
      messages: [done([text('Hi')], { finish: 'max_tokens', usage: usage(113, 1) })],
    },
    ...[
      {
        name: 'as the first event',
        frames: [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'r' }],
        block: failure('Overloaded', { code: 'overloaded_error', recoverable: true }),
        metadata: { requestId: 'r' },
      },
      {
        name: 'that is not retryable',
        frames: [start(), { type: 'error', error: { type: 'invalid_request_error', message: 'Bad' } }],
        block: failure('Bad', { code: 'invalid_request_error', recoverable: false }),
        metadata: replyMetadata,
      },
      {
        name: 'in a gateway’s form',
        frames: [start(), { error: { message: 'Boom', code: 500 } }],
        block: failure('Boom'),
        metadata: replyMetadata,
      },
      { name: 'as a string', frames: [start(), { error: 'Boom' }], block: failure('Boom'), metadata: replyMetadata },
    ].map(({ name, frames, block, metadata }) => ({
      name: `an error ${name}`,
      body: sse(...frames),
      messages: [done([block], { ...failed, metadata })],
    })),
  ]);

  testNeverThrows(anthropic, [
    start({ usage: tokens, container: { id: 'c' }, content: [{ type: 'text', text: 'x' }] }),
    start({ content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] }, 'm2'),
    start({ stop_reason: 'refusal', stop_details: { category: 'x', explanation: 'y' } }).message,
    ...textBlock(0, 'x'),
    ...toolUseBlock(1, 'a', '{"x":1}'),
    ...toolUseBlock(2, 'b', '{', { type: 'server_tool_use' }),
    open(3, { type: 'web_search_tool_result', tool_use_id: 'b', content: [{ type: 'web_search_result', url: 'u' }] }),
    open(3, {
      type: 'x_tool_result',
      tool_use_id: 'b',
      content: { stdout: 'x', return_code: 1, content: [{ file_id: 'f' }] },
    }),
    open(3, { type: 'x_tool_result', tool_use_id: 'b', content: { type: 'e', error_code: 'c', error_message: 'm' } }),
    open(4, { type: 'thinking', thinking: 'x', signature: 's' }),
    delta(4, 'thinking_delta', { thinking: 'x' }),
    delta(4, 'signature_delta', { signature: 'x' }),
    delta(0, 'citations_delta', { citation: { type: 'char_location', document_index: 0, cited_text: 'x' } }),
    delta(0, 'compaction_delta', { content: 'x' }),
    open(5, { type: 'fallback', from: { model: 'a' }, to: { model: 'b' } }),
    open(6, { type: 'container_upload', file_id: 'f' }),
    end('tool_use', { container: { id: 'c' } }, { usage: tokens }),
    end('pause_turn'),
    stop,
    { type: 'error', error: { type: 'api_error', message: 'm' }, request_id: 'r' },
  ]);
});
