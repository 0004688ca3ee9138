import { expect } from '@open-wc/testing';
import { adapter as openAiAssistants } from '../../../src/protocols/openai-assistants/openai-assistants.ts';
import { testBodies, testNeverThrows } from '../../support/adapter-tests.ts';
import { call as toolBlock, failure, text, type ExpectedFields } from '../../support/bare.ts';
import { testDetection } from '../../support/detection-tests.ts';
import { chunksOf } from '../../support/cuts.ts';
import { byName } from '../../support/named-events.ts';
import { decodeContext, playBody, sse } from '../../support/play-body.ts';
import { cited, done, end, event, run, say, step, stepDelta, stream, waits, whole } from './streams.ts';

const known = { openAiThread: 'thread_1', openAiRun: 'run_1' };
const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const reply = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  usage,
  metadata: { ...known, messageId: 'msg_1' },
  ...more,
  blocks,
});
/** A run without usage. */
const uncounted = (blocks: readonly ExpectedFields[], more: ExpectedFields): ExpectedFields => {
  const { usage: _none, ...rest } = reply(blocks, more);
  return rest;
};
const failed = { status: 'error', finish: 'error' };
const filtered = { ...failed, metadata: { ...known, messageId: 'msg_1', filtered: true } };
const f = (more: object): object => ({ index: 0, type: 'function', function: more });
const weather = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } };
const remote = { extra: { remote: true } };

describe('openai-assistants', () => {
  testBodies(openAiAssistants, [
    {
      name: 'text, and then its repetition',
      body: stream(say('Hel'), say('lo'), whole('Hello'), end, done),
      messages: [reply([text('Hello')])],
    },
    {
      name: 'the complete message wins',
      body: stream(say('Hel'), whole('Hello there'), end, done),
      messages: [reply([text('Hello there')])],
    },
    {
      name: 'citations without their markers in the text',
      body: stream(
        say('It is so'),
        say('【4:0†a】', [cited('【4:0†a】', 'file_a', 'so')]),
        say('.'),
        whole('It is so【4:0†a】.', [cited('【4:0†a】', 'file_a', 'so')]),
        end,
        done,
      ),
      messages: [reply([text('It is so.', { citations: [{ id: 'file_a', quote: 'so', end: 8 }] })])],
    },
    {
      name: 'a refusal is shown, and is no success',
      body: stream(
        event('thread.message.delta', {
          id: 'msg_1',
          delta: { content: [{ index: 0, type: 'refusal', refusal: 'No.' }] },
        }),
        end,
        done,
      ),
      messages: [reply([text('No.')], filtered)],
    },
    {
      name: 'an image by its address, sent twice',
      body: stream(
        ...['delta', 'completed'].map((kind) => {
          const content = [{ type: 'image_url', image_url: { url: 'https://b.example/x.png' } }];
          return event(`thread.message.${kind}`, { id: 'msg_1', content, delta: { content } });
        }),
        end,
        done,
      ),
      messages: [reply([{ type: 'image', url: 'https://b.example/x.png' }])],
    },
    {
      name: 'a call for the page',
      body: stream(
        step('created', []),
        stepDelta({ ...f({ name: 'weather', arguments: '' }), id: 'c1' }),
        stepDelta(f({ arguments: '{"city":' })),
        stepDelta(f({ arguments: '"Rome"}' })),
        waits(weather),
        done,
      ),
      messages: [
        uncounted([toolBlock('c1', 'weather', { params: '{"city":"Rome"}' }, { status: 'loading' })], {
          finish: 'tool_use',
          metadata: { ...known, waitingCalls: ['c1'] },
        }),
      ],
    },
    {
      name: 'a call that only the required action contains',
      body: stream(waits(weather), done),
      messages: [
        uncounted([toolBlock('c1', 'weather', { params: '{"city":"Rome"}' }, { status: 'loading' })], {
          finish: 'tool_use',
          metadata: { ...known, waitingCalls: ['c1'] },
        }),
      ],
    },
    {
      name: 'tools that OpenAI runs',
      body: stream(
        stepDelta({ index: 0, id: 'c1', type: 'code_interpreter', code_interpreter: { input: '1+' } }),
        stepDelta({ index: 0, type: 'code_interpreter', code_interpreter: { input: '1' } }),
        step('completed', [
          {
            id: 'c1',
            type: 'code_interpreter',
            code_interpreter: { input: '1+1', outputs: [{ type: 'logs', logs: '2' }] },
          },
          { id: 'c2', type: 'file_search', file_search: { results: [{ file_id: 'file_a' }] } },
        ]),
        end,
        done,
      ),
      messages: [
        reply(
          [
            toolBlock('c1', 'code_interpreter', { params: '1+1', response: '2' }, remote),
            toolBlock('c2', 'file_search', { response: '[{"file_id":"file_a"}]' }, remote),
          ],
          { metadata: known },
        ),
      ],
    },
    {
      name: 'a step that has failed',
      body: stream(
        stepDelta({ index: 0, id: 'c1', type: 'file_search', file_search: {} }),
        step('failed', [{ id: 'c1', type: 'file_search', file_search: {} }], {
          last_error: { code: 'x', message: 'Gone' },
        }),
        run('failed', { last_error: { code: 'server_error', message: 'Boom' } }),
        done,
      ),
      messages: [
        uncounted(
          [
            toolBlock('c1', 'file_search', { response: 'Gone' }, { status: 'error', ...remote }),
            failure('Boom', { code: 'server_error' }),
          ],
          { ...failed, metadata: known },
        ),
      ],
    },
    ...['cancelled', 'expired'].map((state) => ({
      name: `a step that is ${state}`,
      body: stream(
        stepDelta({ index: 0, id: 'c1', type: 'file_search', file_search: {} }),
        step(state, [{ id: 'c1', type: 'file_search', file_search: {} }]),
        run('cancelled'),
        done,
      ),
      messages: [
        uncounted([toolBlock('c1', 'file_search', { response: state }, { status: 'error', ...remote })], {
          status: 'cancelled',
          finish: 'cancelled',
          metadata: known,
        }),
      ],
    })),
    {
      name: 'a run that was stopped',
      body: stream(say('Hi'), run('cancelling'), run('cancelled'), done),
      messages: [uncounted([text('Hi')], { status: 'cancelled', finish: 'cancelled' })],
    },
    ...['cancelled', 'expired'].map((state) => ({
      name: `the tokens of a run that is ${state}`,
      body: stream(say('Hi'), run(state, { usage }), done),
      messages: [
        state === 'expired'
          ? reply([text('Hi'), failure('The run expired.', { code: 'expired' })], failed)
          : reply([text('Hi')], { status: 'cancelled', finish: 'cancelled' }),
      ],
    })),
    {
      name: 'an expired run',
      body: stream(say('Hi'), run('expired'), done),
      messages: [uncounted([text('Hi'), failure('The run expired.', { code: 'expired' })], failed)],
    },
    {
      name: 'a run that was too long',
      body: stream(say('Hi'), run('incomplete', { incomplete_details: { reason: 'max_completion_tokens' } }), done),
      messages: [uncounted([text('Hi')], { finish: 'max_tokens' })],
    },
    {
      name: 'a run that a content filter has ended',
      body: stream(say('Hi'), run('incomplete', { incomplete_details: { reason: 'content_filter' } }), done),
      messages: [uncounted([text('Hi')], filtered)],
    },
    {
      name: 'an error in the stream',
      body: stream(say('Hi'), event('error', { error: { message: 'Slow down', code: 'rate_limit' } })),
      messages: [uncounted([text('Hi'), failure('Slow down', { code: 'rate_limit' })], failed)],
    },
    {
      name: 'an error that is only a text',
      body: stream(say('Hi'), event('error', { error: 'Boom' })),
      messages: [uncounted([text('Hi'), failure('Boom')], failed)],
    },
    {
      name: 'a run that failed with only a text',
      body: stream(say('Hi'), run('failed', { last_error: 'Boom' })),
      messages: [uncounted([text('Hi'), failure('Boom')], failed)],
    },
    {
      name: 'no end: interrupted',
      body: stream(say('Hi')),
      messages: [uncounted([text('Hi')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
    {
      name: 'each unknown event is one warning, each malformed one too',
      body: stream(event('thread.dream', { id: 'x' }), event('thread.message.delta', 7), say('Hi'), end, done),
      messages: [reply([text('Hi')])],
      warnings: ['unknown', 'malformed'],
    },
  ]);

  it('the same messages if a proxy has dropped the event names', async () => {
    const { seen } = await playBody(
      openAiAssistants,
      sse(
        { id: 'msg_1', object: 'thread.message.delta', delta: { content: [{ type: 'text', text: { value: 'Hi' } }] } },
        '[DONE]',
      ),
    );
    expect(seen[0]).to.deep.include({ blocks: [text('Hi')] });
  });

  it('a file that the code interpreter has written, once', async () => {
    const mark = 'sandbox:/mnt/data/a.csv';
    const annotation = { type: 'file_path', text: mark, file_path: { file_id: 'file-1' } };
    const data = JSON.stringify({
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'text', text: { value: `See [file](${mark})`, annotations: [annotation] } }],
    });
    const frame = { event: 'thread.message.completed', data };
    const context = { ...decodeContext(), url: 'https://a.example/v1/threads/runs' };
    const files = [];
    const texts = [];
    for await (const batch of openAiAssistants.decode(chunksOf([[frame, frame]]), context)) {
      files.push(...batch.flatMap((one) => (one.type === 'response' && 'media' in one.data ? [one.data.media] : [])));
      texts.push(...batch.flatMap((one) => (one.type === 'response' ? (one.data.content ?? []) : [])));
    }
    const url = 'https://a.example/v1/files/file-1/content';
    expect(files).to.deep.equal([{ kind: 'file', name: 'a.csv', url }]);
    expect(texts).to.deep.equal([`See [file](${url})`]);
  });

  const content = [
    { index: 0, type: 'text', text: { value: 'x', annotations: [cited('x', 'file_a', 'q')] } },
    { index: 1, type: 'image_file', image_file: { file_id: 'f' } },
    { index: 2, type: 'refusal', refusal: 'r' },
  ];
  const details = {
    tool_calls: [
      weather,
      {
        id: 'c2',
        type: 'code_interpreter',
        code_interpreter: { input: '1', outputs: [{ logs: 'x', image: { file_id: 'f' } }] },
      },
      { id: 'c3', type: 'file_search', file_search: { results: [{}] } },
    ],
  };
  testNeverThrows(byName(openAiAssistants), [
    { name: 'thread.created', data: { id: 't' } },
    { name: 'thread.run.created', data: { id: 'r', thread_id: 't' } },
    { name: 'thread.message.delta', data: { id: 'm', delta: { content } } },
    { name: 'thread.message.completed', data: { id: 'm', role: 'assistant', content } },
    { name: 'thread.run.step.delta', data: { id: 's', delta: { step_details: details } } },
    { name: 'thread.run.step.completed', data: { id: 's', step_details: details } },
    { name: 'thread.run.step.failed', data: { id: 's', step_details: details, last_error: { message: 'x' } } },
    { name: 'thread.run.requires_action', data: { id: 'r', required_action: { submit_tool_outputs: details } } },
    { name: 'thread.run.completed', data: { id: 'r', usage } },
    { name: 'thread.run.incomplete', data: { id: 'r', incomplete_details: { reason: 'x' } } },
    { name: 'thread.run.failed', data: { id: 'r', last_error: { code: 1, message: 'x' } } },
    { name: 'error', data: { error: { message: 'x', code: 1 } } },
  ]);

  testDetection('openai-assistants', {
    own: {
      'a run': stream(say('Hi'), end, done),
      'a run in a thread that is there': run('created'),
      'the rest of a run': say('Hi'),
    },
    others: { 'a name alone': ['event: thread\ndata: {"id":"x"}\n\n', 'unsupported-stream'] },
    urls: ['https://api.openai.com/v1/threads/runs', 'https://a.example/openai/v1/threads/thread_1/runs'],
    otherUrls: ['https://a.example/threads/7/runs/stream', 'https://a.example/v1/threads'],
  });
});
