/** Compares the history that we send to a server of the AI SDK with the one that it has stored of its own stream. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { tool, type ToolSet, type UIMessage } from 'ai';
import { z } from 'zod';
import { PIXEL } from '../support/pixel.ts';
import { realChat } from './support/real-chat.ts';
import {
  aiServer,
  call,
  chatRoute,
  done,
  modelOf,
  toPlainJson,
  promptsOf,
  reasoningParts,
  textParts,
  type AiServer,
} from './support/ai-sdk-server.ts';

const tools: ToolSet = {
  weather: tool({ inputSchema: z.object({ city: z.string() }), execute: () => ({ sky: 'clear' }) }),
};

/** The messages without fields that have no value. */
const partsOf = (messages: unknown): unknown =>
  (toPlainJson(messages) as readonly UIMessage[]).map(({ id, role, parts }) => ({ id, role, parts }));

describe('a conversation as AI SDK servers store it', () => {
  let server: AiServer;
  before(async () => {
    server = await aiServer();
  });
  after(() => server.close());

  it('equals the one that we send: files, reasoning, tools and text', async () => {
    const model = modelOf(
      [
        ...reasoningParts('A tower.', { p: { signature: 'SEALED' } }),
        ...textParts('I look.'),
        ...call('a', 'weather', { city: 'Lisbon' }),
        ...done('tool-calls'),
      ],
      [...textParts('Clear.'), ...done()],
      [...textParts('Yes.'), ...done()],
    );
    let stored: readonly UIMessage[] = [];
    server.serve(
      chatRoute(model, {
        tools,
        onFinish: ({ messages }) => {
          stored = messages;
        },
      }),
    );
    const { chat, sent, errors } = realChat({ endpoint: server.endpoint, protocol: 'ai-sdk', threadId: 'c' });
    await chat.send({
      text: 'Where is this?',
      attachments: [{ kind: 'image', data: PIXEL, mimeType: 'image/png', name: 'a.png' }],
    });
    const before = stored;
    assert.equal(before.length, 2);
    await chat.send('Sure?');
    assert.deepEqual(errors, []);
    const { messages } = z.object({ messages: z.array(z.unknown()) }).parse(sent[1]?.body);
    assert.deepEqual(partsOf(messages.slice(0, 2)), partsOf(before));
    assert.deepEqual(promptsOf(model)[2], [
      {
        role: 'user',
        content: [
          { type: 'file', mediaType: 'image/png', filename: 'a.png', data: PIXEL },
          { type: 'text', text: 'Where is this?' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'A tower.', providerOptions: { p: { signature: 'SEALED' } } },
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: { city: 'Lisbon' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'weather',
            output: { type: 'json', value: { sky: 'clear' } },
          },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Clear.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Sure?' }] },
    ]);
  });

  it('may have started elsewhere, and is accepted as well', async () => {
    const model = modelOf([...textParts('Yes.'), ...done()]);
    server.serve(chatRoute(model, { tools }));
    const { chat, errors } = realChat({ endpoint: server.endpoint, protocol: 'ai-sdk', threadId: 'c' });
    chat.messages = [
      { role: 'user', text: 'Weather?' },
      {
        role: 'assistant',
        blocks: [
          { id: 'b0', type: 'reasoning_content', status: 'success', timestamp: 0, content: 'Hm.' },
          {
            id: 'b1',
            type: 'tool_call',
            status: 'success',
            timestamp: 0,
            tool_call: { id: 'a', name: 'gone_tool', params: '{"city":"Lisbon"}', response: '{"sky":"clear"}' },
          },
          { id: 'b2', type: 'content', status: 'success', timestamp: 0, content: 'Clear.' },
        ],
      },
    ];
    const reply = await chat.send('Sure?');
    assert.equal(reply.status, 'complete');
    assert.deepEqual(errors, []);
    assert.deepEqual(promptsOf(model)[0], [
      { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'gone_tool', input: { city: 'Lisbon' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'gone_tool',
            output: { type: 'json', value: { sky: 'clear' } },
          },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Clear.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Sure?' }] },
    ]);
  });
});
