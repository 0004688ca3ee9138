/** Streams of a server made with Vercel's `ai`, and their result in the chat. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { convertToModelMessages, streamText } from 'ai';
import { inShort, realChat, shows } from './support/real-chat.ts';
import {
  aiServer,
  chatRoute,
  validatedMessages,
  done,
  streamingModel,
  modelOf,
  promptsOf,
  reasoningParts,
  textParts,
  type AiServer,
} from './support/ai-sdk-server.ts';

const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] });

describe('a server of the AI SDK', () => {
  let server: AiServer;
  before(async () => {
    server = await aiServer();
  });
  after(() => server.close());

  const chatWith = (protocol = 'ai-sdk') => realChat({ endpoint: server.endpoint, protocol, threadId: 'c' });

  it('is detected, its text and reasoning are shown, and its next turn has the history', async () => {
    const model = modelOf(
      [...reasoningParts('Let me see.'), ...textParts('Grüße 👋🏽'), ...done()],
      [...textParts('Yes.'), ...done()],
    );
    server.serve(
      chatRoute(model, {
        messageMetadata: ({ part }) => (part.type === 'finish' ? { totalUsage: part.totalUsage } : undefined),
      }),
    );
    const { chat, errors } = chatWith('auto');
    const reply = await chat.send('Hi');
    assert.deepEqual(inShort(reply), ['thought: Let me see.', 'Grüße 👋🏽']);
    assert.equal(reply.status, 'complete');
    assert.equal(reply.finish, 'complete');
    assert.equal(chat.store.state.protocol, 'ai-sdk');
    assert.deepEqual([reply.usage?.prompt_tokens, reply.usage?.completion_tokens], [3, 4]);
    assert.deepEqual(inShort(await chat.send('Sure?')), ['Yes.']);
    const thought = { type: 'reasoning', text: 'Let me see.' };
    const before = { role: 'assistant', content: [thought, { type: 'text', text: 'Grüße 👋🏽' }] };
    assert.deepEqual(promptsOf(model)[1], [user('Hi'), before, user('Sure?')]);
    assert.deepEqual(errors, []);
  });

  it('answers with `toUIMessageStreamResponse` too', async () => {
    const model = modelOf([...textParts('Hello'), ...done()]);
    server.serve(async ({ body, response }) => {
      const messages = await convertToModelMessages(await validatedMessages(body));
      const answer = streamText({ model, messages }).toUIMessageStreamResponse();
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      Readable.fromWeb(answer.body as NodeStream).pipe(response);
    });
    const reply = await chatWith().chat.send('Hi');
    assert.deepEqual(inShort(reply), ['Hello']);
    assert.equal(reply.finish, 'complete');
  });

  it('shows the sources of an answer, and does not send them to its model', async () => {
    const model = modelOf(
      [
        { type: 'source', sourceType: 'url', id: 's1', url: 'https://a.example/', title: 'A' },
        ...textParts('Cats.'),
        {
          type: 'source',
          sourceType: 'document',
          id: 's2',
          mediaType: 'application/pdf',
          title: 'B',
          filename: 'b.pdf',
        },
        ...done(),
      ],
      [...textParts('Yes.'), ...done()],
    );
    server.serve(chatRoute(model));
    const { chat } = chatWith();
    const { blocks } = await chat.send('What?');
    assert.deepEqual(
      blocks
        .flatMap((block) => (block.type === 'content' ? (block.citations ?? []) : []))
        .map(({ id, url, title }) => [id, url, title]),
      [
        ['s1', 'https://a.example/', 'A'],
        ['s2', undefined, 'B'],
      ],
    );
    await chat.send('Sure?');
    assert.deepEqual(promptsOf(model)[1], [user('What?'), assistant('Cats.'), user('Sure?')]);
  });

  it('shows an image that the model has created, and sends it back', async () => {
    const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
    const model = modelOf(
      [{ type: 'file', mediaType: 'image/png', data: image }, ...textParts('Here.'), ...done()],
      [...textParts('Yes.'), ...done()],
    );
    server.serve(chatRoute(model));
    const { chat } = chatWith();
    assert.deepEqual(inShort(await chat.send('Draw')), ['image', 'Here.']);
    await chat.send('Sure?');
    assert.deepEqual(promptsOf(model)[1], [
      user('Draw'),
      {
        role: 'assistant',
        content: [
          { type: 'file', mediaType: 'image/png', data: image },
          { type: 'text', text: 'Here.' },
        ],
      },
      user('Sure?'),
    ]);
  });

  for (const protocol of ['ai-sdk', 'auto'])
    it(`shows an error with its own message, after the text, with protocol="${protocol}"`, async () => {
      server.serve(
        chatRoute(modelOf([...textParts('Half'), { type: 'error', error: new Error('secret') }, ...done('error')]), {
          onError: () => 'The model is overloaded.',
        }),
      );
      const { chat, errors } = chatWith(protocol);
      const reply = await chat.send('Hi');
      assert.deepEqual(inShort(reply), ['Half', 'error: The model is overloaded.']);
      assert.equal(reply.status, 'error');
      assert.deepEqual(
        errors.map(({ message }) => message),
        ['The model is overloaded.'],
      );
    });

  it('reports that an answer was truncated by its length', async () => {
    server.serve(chatRoute(modelOf([...textParts('Once upon'), ...done('length')])));
    const reply = await chatWith().chat.send('Tell');
    assert.equal(reply.finish, 'max_tokens');
  });

  for (const protocol of ['ai-sdk', 'auto'])
    it(`stops its model when the user stops, and answers the next turn, with protocol="${protocol}"`, async () => {
      const model = streamingModel();
      const mockModel = modelOf(model.stream, [...textParts('Yes.'), ...done()]);
      server.serve(chatRoute(mockModel));
      const { chat, errors } = chatWith(protocol);
      const sending = chat.send('Tell');
      model.write({ type: 'text-start', id: '0' }, { type: 'text-delta', id: '0', delta: 'Once' });
      await shows(chat, 'Once');
      const { abortSignal } = mockModel.doStreamCalls[0] ?? {};
      const stopped = new Promise((resolve) => abortSignal?.addEventListener('abort', resolve));
      chat.stop();
      await stopped;
      const reply = await sending;
      assert.deepEqual(inShort(reply), ['Once']);
      assert.equal(reply.status, 'cancelled');
      assert.deepEqual(inShort(await chat.send('Sure?')), ['Yes.']);
      assert.deepEqual(promptsOf(mockModel)[1], [user('Tell'), assistant('Once'), user('Sure?')]);
      assert.deepEqual(errors, []);
    });

  it('can stop its model itself, and the reply is cancelled', async () => {
    const model = streamingModel();
    const over = new AbortController();
    server.serve(({ body, response }) => chatRoute(modelOf(model.stream))({ body, response, signal: over.signal }));
    const { chat } = chatWith();
    const sending = chat.send('Tell');
    model.write({ type: 'text-start', id: '0' }, { type: 'text-delta', id: '0', delta: 'Once' });
    await shows(chat, 'Once');
    over.abort();
    // A real model's connection ends in the same way.
    model.fail(over.signal.reason);
    const reply = await sending;
    assert.deepEqual(inShort(reply), ['Once']);
    assert.equal(reply.status, 'cancelled');
  });

  it('regenerates an answer in place of the old one', async () => {
    const model = modelOf(
      [...textParts('One'), ...done()],
      [...textParts('Two'), ...done()],
      [...textParts('Three'), ...done()],
    );
    server.serve(chatRoute(model));
    const { chat, sent } = chatWith();
    const first = await chat.send('Count');
    const second = await chat.regenerate(first.id);
    assert.deepEqual(inShort(second), ['Two']);
    assert.deepEqual(
      chat.messages.map(({ role }) => role),
      ['user', 'assistant'],
    );
    const [firstBody, secondBody] = sent.map(({ body }) => body as Record<string, unknown>);
    assert.deepEqual(secondBody, {
      ...firstBody,
      trigger: 'regenerate-message',
      messageId: first.metadata?.['messageId'],
    });
    await chat.send('And?');
    assert.deepEqual(promptsOf(model), [
      [user('Count')],
      [user('Count')],
      [user('Count'), assistant('Two'), user('And?')],
    ]);
  });
});
