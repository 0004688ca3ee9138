/** Coze's chat: named events, and the complete messages once more at the end. Source: `docs/protocols/coze.md`. */
import { randomUUID } from 'node:crypto';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import { outcomeText } from '../step.ts';

export const coze: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,
  keepsHistory: true,

  async answer(exchange) {
    const { wire, conversation: conversation_id } = exchange;
    const chat_id = randomUUID();
    const chat = (status: string, rest: object = {}): Promise<boolean> =>
      wire.send(sse({ id: chat_id, conversation_id, status, ...rest }, `conversation.chat.${status}`));
    const message = (event: 'delta' | 'completed', type: string, rest: object, id = randomUUID()): Promise<boolean> => {
      const sharedFields = { id, conversation_id, chat_id, role: 'assistant', type, content_type: 'text' };
      return wire.send(sse({ ...sharedFields, content: '', ...rest }, `conversation.message.${event}`));
    };
    const answer = { id: randomUUID(), content: '', reasoning_content: '' };
    const grow = (field: 'content' | 'reasoning_content', chunk: string): Promise<boolean> => {
      answer[field] += chunk;
      return message('delta', 'answer', { [field]: chunk }, answer.id);
    };
    let followUps: readonly string[] = [];

    await chat('created');
    await chat('in_progress');
    const ending = await play(exchange, {
      async think({ text }) {
        for (const chunk of chunksOf(text)) await grow('reasoning_content', chunk);
      },
      text: ({ text }) => streamChunks(text, exchange, (words) => grow('content', words)),
      async tool({ name, arguments: args, paces, outcome }) {
        await message('completed', 'function_call', { content: JSON.stringify({ name, arguments: args }) });
        await wire.wait(paces);
        await message('completed', 'tool_response', { content: outcomeText(outcome) });
      },
      suggestions({ items }) {
        followUps = items;
        return Promise.resolve();
      },
      error: ({ message: msg }) => chat('failed', { last_error: { code: 5000, msg } }),
    });
    if (ending !== 'failed') {
      const { id, ...whole } = answer;
      await message('completed', 'answer', whole, id);
      for (const content of followUps) await message('completed', 'follow_up', { content });
      const { prompt_tokens: input_count, completion_tokens: output_count, total_tokens } = usageOf(exchange);
      await chat('completed', { usage: { token_count: total_tokens, input_count, output_count } });
    }
    // The end mark is a JSON string here.
    await wire.send(sse('"[DONE]"', 'done'));
    await wire.end();
  },
};
