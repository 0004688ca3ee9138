/** Custom data parts in a stream of the AI SDK. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createUIMessageStream, pipeUIMessageStreamToResponse, streamText } from 'ai';
import { inShort, realChat } from './support/real-chat.ts';
import { aiServer, validatedMessages, done, modelOf, textParts, type AiServer } from './support/ai-sdk-server.ts';

describe('data of an AI SDK server', () => {
  let server: AiServer;
  before(async () => {
    server = await aiServer();
  });
  after(() => server.close());

  it('stays at its position, is replaced by its id, and is in the state of the agent', async () => {
    const received: unknown[] = [];
    server.serve(async ({ body, response }) => {
      const messages = await validatedMessages(body);
      received.push(messages.flatMap(({ parts }) => parts.filter(({ type }) => type.startsWith('data-'))));
      const stream = createUIMessageStream({
        originalMessages: messages,
        execute: ({ writer }) => {
          writer.write({ type: 'data-weather', id: 'w', data: { city: 'Lisbon', status: 'loading' } });
          writer.write({ type: 'data-notice', data: { step: 1 }, transient: true });
          writer.write({ type: 'data-weather', id: 'w', data: { city: 'Lisbon', sky: 'clear' } });
          writer.merge(
            streamText({ model: modelOf([...textParts('Clear.'), ...done()]), prompt: 'x' }).toUIMessageStream(),
          );
        },
      });
      await pipeUIMessageStreamToResponse({ response, stream });
    });
    const { chat, states } = realChat({ endpoint: server.endpoint, protocol: 'ai-sdk', threadId: 'c' });
    const reply = await chat.send('Weather?');
    assert.deepEqual(inShort(reply), ['data: {"city":"Lisbon","sky":"clear"}', 'Clear.']);
    const weather = { city: 'Lisbon', sky: 'clear' };
    assert.deepEqual(states, [
      { weather: { city: 'Lisbon', status: 'loading' } },
      { weather: { city: 'Lisbon', status: 'loading' }, notice: { step: 1 } },
      { weather, notice: { step: 1 } },
    ]);
    assert.deepEqual(chat.store.state.agentState, states.at(-1));
    await chat.send('Sure?');
    assert.deepEqual(received, [[], [{ type: 'data-weather', id: 'w', data: weather }]]);
  });

  it('is followed by the error message if creating it failed', async () => {
    server.serve(({ response }) => {
      const stream = createUIMessageStream({
        execute: ({ writer }) => {
          writer.write({ type: 'data-weather', data: { city: 'Lisbon' } });
          throw new Error('secret');
        },
        onError: () => 'The weather is out of order.',
      });
      return pipeUIMessageStreamToResponse({ response, stream });
    });
    const { chat } = realChat({ endpoint: server.endpoint, protocol: 'ai-sdk', threadId: 'c' });
    const reply = await chat.send('Weather?');
    assert.deepEqual(inShort(reply), ['data: {"city":"Lisbon"}', 'error: The weather is out of order.']);
    assert.equal(reply.status, 'error');
  });
});
