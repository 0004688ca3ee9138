/** Servers that are not strictly typed send a number or a truth value as text. It is shown, as the server's own page would. */
import { expect } from '@open-wc/testing';
import type { Adapter } from '../../src/protocols/core/adapter.ts';
import { adapter as adk } from '../../src/protocols/adk/adk.ts';
import { adapter as agno } from '../../src/protocols/agno/agno.ts';
import { adapter as coze } from '../../src/protocols/coze/coze.ts';
import { adapter as dify } from '../../src/protocols/dify/dify.ts';
import { adapter as flowise } from '../../src/protocols/flowise/flowise.ts';
import { adapter as gemini } from '../../src/protocols/gemini/gemini.ts';
import { adapter as mastra } from '../../src/protocols/mastra/mastra.ts';
import { adapter as ollama } from '../../src/protocols/ollama/ollama.ts';
import { adapter as openAiChat } from '../../src/protocols/openai-chat/openai-chat.ts';
import { adapter as rasa } from '../../src/protocols/rasa.ts';
import { playBody } from '../support/play-body.ts';

const sse = (...frames: readonly (object | string)[]): string =>
  frames.map((frame) => `data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`).join('');
const named = (...events: readonly (readonly [string, object])[]): string =>
  events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');

const rows: readonly { readonly adapter: Adapter; body(value: unknown): string }[] = [
  {
    adapter: dify,
    body: (answer) =>
      sse({ event: 'message', message_id: 'm', answer }, { event: 'message_end', message_id: 'm', metadata: {} }),
  },
  { adapter: rasa, body: (text) => JSON.stringify([{ recipient_id: 'thread', text }]) },
  {
    adapter: coze,
    body: (content) =>
      named(
        ['conversation.message.delta', { id: 'm', role: 'assistant', type: 'answer', content, content_type: 'text' }],
        ['conversation.chat.completed', { id: 'c', status: 'completed' }],
      ),
  },
  {
    adapter: mastra,
    body: (text) =>
      sse(
        { type: 'text-delta', runId: 'r', payload: { id: '1', text } },
        { type: 'finish', runId: 'r', payload: { stepResult: { reason: 'stop' } } },
      ),
  },
  {
    adapter: agno,
    body: (content) =>
      named(['RunContent', { event: 'RunContent', content }], ['RunCompleted', { event: 'RunCompleted' }]),
  },
  { adapter: flowise, body: (data) => sse({ event: 'token', data }, { event: 'end', data: '[DONE]' }) },
  {
    adapter: gemini,
    body: (text) => sse({ candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }] }),
  },
  {
    adapter: adk,
    body: (text) =>
      sse({
        id: 'e',
        author: 'agent',
        invocationId: 'i',
        content: { role: 'model', parts: [{ text }] },
        partial: false,
      }),
  },
  {
    adapter: ollama,
    body: (content) =>
      `${JSON.stringify({ model: 'm', created_at: 't', message: { role: 'assistant', content }, done: false })}\n${JSON.stringify({ model: 'm', created_at: 't', done: true, done_reason: 'stop' })}\n`,
  },
  {
    adapter: openAiChat,
    body: (content) => sse({ choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] }, '[DONE]'),
  },
];

describe('text of another type', () => {
  for (const { adapter, body } of rows) {
    for (const [value, shown] of [
      ['Hi', 'Hi'],
      [42, '42'],
      [0, '0'],
      [false, 'false'],
      [null, ''],
    ] as const) {
      it(`${adapter.id}: ${JSON.stringify(value)}`, async () => {
        const { seen } = await playBody(adapter, body(value));
        const blocks = seen.flatMap((message) => message['blocks'] as readonly Record<string, unknown>[]);
        expect(blocks.map(({ content }) => (typeof content === 'string' ? content : '')).join('')).to.equal(shown);
      });
    }
  }
});
