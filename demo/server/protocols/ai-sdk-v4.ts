/**
 * The AI SDK's older data stream (3 and 4): a line for each part, `0:"Hello"`. Source: `docs/protocols/ai-sdk-v4.md`.
 */
import { randomUUID } from 'node:crypto';
import { chunksOf } from '../chunks.ts';
import { play, streamChunks, usageOf, type Protocol } from '../play.ts';
import type { Call } from '../step.ts';
import { messagesOf, offersTools, type Turn } from '../turn.ts';

export const aiSdkV4: Protocol = {
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-vercel-ai-data-stream': 'v1' },
  broken: '0:"a line that was cut\n',

  /** In this case the last message is the reply itself, with the results of its calls. */
  answerOf(body): Turn['answer'] {
    const last = messagesOf(body).at(-1);
    const calls = last?.role === 'assistant' ? last.raw['toolInvocations'] : undefined;
    if (!Array.isArray(calls) || calls.length === 0) return undefined;
    return /denied/i.test(JSON.stringify(calls)) ? 'denied' : 'granted';
  },

  async answer(exchange) {
    const { wire, turn, id } = exchange;
    const line = (code: string, value: unknown): Promise<boolean> => wire.send(`${code}:${JSON.stringify(value)}\n`);
    const call = async ({ id: name, name: toolName, arguments: args }: Call): Promise<void> => {
      const toolCallId = id(name);
      await line('b', { toolCallId, toolName });
      for (const argsTextDelta of chunksOf(JSON.stringify(args))) await line('c', { toolCallId, argsTextDelta });
      await line('9', { toolCallId, toolName, args });
    };
    let finishReason = 'stop';

    await line('f', { messageId: `msg-${randomUUID().slice(0, 8)}` });
    const ending = await play(exchange, {
      async think({ text }) {
        for (const chunk of chunksOf(text)) await line('g', chunk);
      },
      text: ({ text }) =>
        streamChunks(
          text,
          exchange,
          (words) => line('0', words),
          ({ id: source, url, title }) => line('h', { sourceType: 'url', id: source, url, title }),
        ),
      async tool(step) {
        await call(step);
        await wire.wait(step.paces);
        const { outcome } = step;
        const result = 'failure' in outcome ? { error: outcome.failure.message } : outcome.result;
        await line('a', { toolCallId: id(step.id), result });
      },
      image: ({ mimeType, data }) => line('k', { mimeType, data }),
      record: ({ name, value }) => line('2', [{ type: name, ...value }]),
      ...(offersTools(turn) && {
        async pageTools({ calls }) {
          finishReason = 'tool-calls';
          for (const requestedCall of calls) await call(requestedCall);
        },
      }),
      error: ({ message }) => line('3', message),
    });
    if (ending !== 'failed') {
      const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usageOf(exchange);
      const usage = { promptTokens, completionTokens };
      await line('e', { finishReason, usage, isContinued: false });
      await line('d', { finishReason, usage });
    }
    await wire.end();
  },
};
