import { expect } from '@open-wc/testing';
import { adapter as openAiResponses } from '../../../src/protocols/openai-responses/openai-responses.ts';
import type { Turn } from '../../../src/protocols/core/adapter.ts';
import { testBodies } from '../../support/adapter-tests.ts';
import { call, text } from '../../support/bare.ts';
import { assistant, conversation, user } from '../../support/messages.ts';
import { emptyTurn, requestOptions } from '../../support/play-body.ts';
import { added, begin, completed, done, events, message, replied, say } from './streams.ts';

/** A partial reply, with its metadata. */
const after = (metadata: Readonly<Record<string, unknown>>): Turn => ({
  ...emptyTurn,
  messages: conversation(user('hi'), assistant('Half', { metadata })),
});
const options = {
  ...requestOptions,
  url: 'https://a.example/openai/v1/responses?api-version=1',
  headers: { authorization: 'Bearer k' },
};

describe('openai-responses, a background reply', () => {
  const running = { background: true, responseId: 'resp/1' };
  const address = 'https://a.example/openai/v1/responses/resp%2F1';

  it('is cancelled by its id', () => {
    expect(openAiResponses.cancel?.(after(running), options)).to.deep.equal({
      url: `${address}/cancel?api-version=1`,
      init: { method: 'POST', headers: { authorization: 'Bearer k' } },
    });
  });

  it('is resumed after the last number', async () => {
    const again = await openAiResponses.resume?.(after({ ...running, responseSequence: 7 }), options);
    expect(again).to.deep.equal({
      request: {
        url: `${address}?api-version=1&stream=true&starting_after=7`,
        init: { method: 'GET', headers: { accept: 'text/event-stream', authorization: 'Bearer k' } },
      },
      from: 'last',
    });
  });

  it('is repeated from its start if no number is known', async () => {
    const again = await openAiResponses.resume?.(after(running), options);
    expect(again?.request.url).to.equal(`${address}?api-version=1&stream=true`);
    expect(again?.from).to.equal('start');
  });

  it('can be neither if it ends with its connection, or has ended', async () => {
    for (const facts of [
      {},
      { responseId: 'resp_1' },
      { responseId: 'resp_1', background: false },
      { background: true },
    ]) {
      expect(openAiResponses.cancel?.(after(facts), options), JSON.stringify(facts)).to.equal(undefined);
      expect(await openAiResponses.resume?.(after(facts), options)).to.equal(undefined);
    }
  });

  testBodies(openAiResponses, [
    {
      name: 'reports its id and, if it was interrupted, its last number',
      body: events(begin({ background: true }), say(0, 'Half')),
      messages: [
        {
          status: 'interrupted',
          finish: 'error',
          metadata: { responseId: 'resp_1', background: true, responseSequence: 1 },
          blocks: [text('Half')],
        },
      ],
      problem: 'cut',
    },
    {
      name: 'has nothing to resume once it is complete',
      body: events(begin({ background: true }), completed()),
      messages: [replied([], [], { metadata: { background: false, responseSequence: 1 } })],
    },
    {
      name: 'continues in the middle of a text: only new text is emitted, and all items are stored',
      body: events(
        say(0, 'lo'),
        { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'Hello' },
        done(0, message('Hello')),
        added(1, { type: 'function_call', id: 'fc', call_id: 'call_a', name: 'f', arguments: '' }),
        done(1, { type: 'function_call', id: 'fc', call_id: 'call_a', name: 'f', arguments: '{}' }),
        completed({
          output: [
            message('Hello'),
            { type: 'function_call', id: 'fc', call_id: 'call_a', name: 'f', arguments: '{}' },
          ],
        }),
      ),
      messages: [
        {
          status: 'complete',
          finish: 'tool_use',
          usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
          metadata: {
            rounds: [
              {
                protocol: 'openai-responses',
                items: [
                  message('Hello'),
                  { type: 'function_call', id: 'fc', call_id: 'call_a', name: 'f', arguments: '{}' },
                ],
              },
            ],
          },
          blocks: [text('lo'), call('call_a', 'f', { params: '{}' }, { status: 'loading' })],
        },
      ],
    },
  ]);
});
