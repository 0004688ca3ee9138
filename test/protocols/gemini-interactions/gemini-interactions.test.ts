import { adapter as geminiInteractions } from '../../../src/protocols/gemini-interactions/gemini-interactions.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { testDetection } from '../../support/detection-tests.ts';
import { sse } from '../../support/play-body.ts';
import { completed, created, delta, event, known, named, say, start, stop, stream, usage } from './streams.ts';

const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: known,
  ...more,
  blocks,
});
const whole = {
  id: 'v1_a',
  object: 'interaction',
  status: 'completed',
  steps: [
    { type: 'user_input', content: [{ type: 'text', text: 'Hi' }] },
    { type: 'thought', summary: [{ type: 'text', text: 'Hm' }], signature: 'x' },
    { type: 'model_output', content: [{ type: 'text', text: 'Hello' }] },
  ],
  usage,
};

describe('gemini-interactions', () => {
  testRecordings(geminiInteractions, 'gemini-interactions');

  testBodies(geminiInteractions, [
    {
      name: 'thoughts, text and tokens',
      body: stream(
        event('interaction.status_update', { interaction_id: 'v1_a', status: 'in_progress' }),
        start(0, { type: 'thought' }),
        delta(0, { type: 'thought_summary', content: { type: 'text', text: 'Hm' } }),
        delta(0, { type: 'thought_signature', signature: 'x' }),
        stop(0),
        ...say(1, 'Hel', 'lo'),
        completed('completed', { usage }),
      ),
      messages: [
        done([thought('Hm'), text('Hello')], {
          usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
        }),
      ],
    },
    {
      name: 'a call of a page function, with arguments in chunks',
      body: stream(
        start(0, { type: 'function_call', id: 'c', name: 'weather', arguments: {} }),
        delta(0, { type: 'arguments_delta', arguments: '{"city":' }),
        delta(0, { type: 'arguments_delta', arguments: '"Rome"}' }),
        stop(0),
        event('interaction.status_update', { interaction_id: 'v1_a', status: 'requires_action' }),
        completed('requires_action'),
      ),
      messages: [
        done([call('c', 'weather', { params: '{"city":"Rome"}' }, { status: 'loading' })], {
          finish: 'tool_use',
          metadata: { ...known, waitingCalls: ['c'] },
        }),
      ],
    },
    {
      name: 'code that Google runs, and its result',
      body: stream(
        start(0, { type: 'code_execution_call', id: 'c' }),
        delta(0, { type: 'code_execution_call', arguments: { language: 'PYTHON', code: 'print(1)' } }),
        stop(0),
        start(1, { type: 'code_execution_result', call_id: 'c' }),
        delta(1, { type: 'code_execution_result', result: '1\n', is_error: false }),
        stop(1),
        ...say(2, 'One.'),
        completed(),
      ),
      messages: [
        done([
          call(
            'c',
            'code_execution',
            { params: '{"language":"PYTHON","code":"print(1)"}', response: '1\n' },
            { extra: { remote: true } },
          ),
          text('One.'),
        ]),
      ],
    },
    {
      name: 'sources with positions in bytes, after a search whose suggestions are HTML',
      body: stream(
        start(0, { type: 'google_search_call', id: 's', arguments: { queries: ['rome'] } }),
        stop(0),
        start(1, { type: 'google_search_result', call_id: 's', result: [{ search_suggestions: '<b>x</b>' }] }),
        stop(1),
        start(2, { type: 'model_output' }),
        delta(2, { type: 'text', text: 'Così è Roma.' }),
        delta(2, {
          type: 'text_annotation_delta',
          annotations: [
            { type: 'url_citation', url: 'https://b.example/', title: 'Roma', start_index: 0, end_index: 5 },
          ],
        }),
        stop(2),
        completed(),
      ),
      messages: [
        done([
          call('s', 'google_search', { params: '{"queries":["rome"]}', response: '' }, { extra: { remote: true } }),
          text('Così è Roma.', {
            citations: [{ id: 'https://b.example/', url: 'https://b.example/', title: 'Roma', start: 0, end: 4 }],
          }),
        ]),
      ],
    },
    {
      name: 'an image',
      body: stream(
        start(0, { type: 'model_output' }),
        delta(0, { type: 'image', data: btoa('x'), mime_type: 'image/png' }),
        stop(0),
        completed(),
      ),
      messages: [done([{ type: 'image', image_data: { data: btoa('x'), mimeType: 'image/png' } }])],
    },
    {
      name: 'two texts, one after the other',
      body: stream(...say(0, 'One'), ...say(1, 'Two'), completed()),
      messages: [done([text('One'), text('Two')])],
    },
    {
      name: 'a complete interaction without streaming',
      body: JSON.stringify(whole),
      messages: [
        done([thought('Hm'), text('Hello')], {
          usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
        }),
      ],
    },
    {
      name: 'the maximum length: the next request does not continue it',
      body: stream(...say(0, 'Ha'), completed('incomplete')),
      messages: [done([text('Ha')], { finish: 'max_tokens', metadata: { interactionId: 'v1_a' } })],
    },
    {
      name: 'a failed interaction',
      body: stream(...say(0, 'Ha'), completed('failed', { error: { message: 'Boom' } })),
      messages: [
        done([text('Ha'), failure('Boom')], {
          status: 'error',
          finish: 'error',
          metadata: { interactionId: 'v1_a' },
        }),
      ],
    },
    ...['failed', 'completed'].map((status) => ({
      name: `a step that fails, in an interaction that is ${status}`,
      body: stream(
        start(0, { type: 'model_output', error: { code: 8, message: 'Quota exceeded' } }),
        stop(0),
        completed(status),
      ),
      messages: [
        done([failure('Quota exceeded')], { status: 'error', finish: 'error', metadata: { interactionId: 'v1_a' } }),
      ],
    })),
    {
      name: 'a step that fails, and another one that answers',
      body: stream(
        start(0, { type: 'model_output', error: { code: 8, message: 'Quota exceeded' } }),
        stop(0),
        ...say(1, 'Hi'),
        completed(),
      ),
      messages: [done([text('Hi')])],
    },
    {
      name: 'an error event',
      body: stream(event('error', { error: { code: 'gateway_timeout', message: 'Deadline expired.' } })),
      messages: [
        done([failure('Deadline expired.')], {
          status: 'error',
          finish: 'error',
          metadata: { interactionId: 'v1_a' },
        }),
      ],
    },
    {
      name: 'a stream that ends after its last status',
      body: named(
        created,
        ...say(0, 'Hi'),
        event('interaction.status_update', { interaction_id: 'v1_a', status: 'completed' }),
      ),
      messages: [done([text('Hi')])],
    },
    {
      name: 'no end: interrupted',
      body: named(created, ...say(0, 'Ha')),
      messages: [done([text('Ha')], { status: 'interrupted', finish: 'error', metadata: { interactionId: 'v1_a' } })],
      problem: 'cut',
    },
    {
      name: 'each unknown event is one warning, each malformed one too',
      body: `${named(created, event('dream.start'), ...say(0, 'a'))}data: {"event"\n\n${sse(completed())}`,
      messages: [done([text('a')])],
      warnings: ['malformed', 'unknown'],
    },
  ]);

  testNeverThrows(geminiInteractions, [
    created,
    start(0, { type: 'function_call', id: 'c', name: 'x', arguments: { a: 1 } }),
    start(0, { type: 'google_search_result', call_id: 's', result: [{ a: 1 }] }),
    start(0, {
      type: 'model_output',
      content: [{ type: 'text', text: 'x', annotations: [{ url: 'u', end_index: 1 }] }],
    }),
    delta(0, { type: 'text', text: 'x' }),
    delta(0, { type: 'arguments_delta', arguments: '{' }),
    delta(0, { type: 'thought_summary', content: { type: 'text', text: 'x' } }),
    delta(0, { type: 'audio', data: 'x', mime_type: 'audio/l16' }),
    delta(0, { type: 'text_annotation_delta', annotations: [{ url: 'u', start_index: 0, end_index: 1 }] }),
    stop(0),
    event('interaction.status_update', { interaction_id: 'i', status: 'requires_action' }),
    event('error', { error: { message: 'x' } }),
    completed('completed', { usage, steps: [] }),
    whole,
  ]);

  testDetection('gemini-interactions', {
    own: {
      'a stream': stream(...say(0, 'Hi'), completed()),
      'its first text alone': sse(delta(0, { type: 'text', text: 'Hi' })),
      'a complete interaction': JSON.stringify(whole),
    },
    others: {
      'a chunk of the older API': [
        sse({ candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] }),
        'gemini$',
      ],
    },
    urls: ['https://generativelanguage.googleapis.com/v1beta/interactions', 'https://a.example/v1/interactions/'],
    otherUrls: ['https://generativelanguage.googleapis.com/v1beta/models', 'https://a.example/interactions'],
  });
});
