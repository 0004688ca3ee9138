/**
 * assistant-ui's transport: commands as input, parts addressed by their path as output. Source:
 * `docs/protocols/assistant-transport.md`.
 */
import { randomUUID } from 'node:crypto';
import { oneAtATime } from '../one-at-a-time.ts';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import type { Call } from '../step.ts';
import { answerFromTools, offersTools } from '../turn.ts';

export const assistantTransport: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,
  keepsHistory: true,

  answerOf: answerFromTools,

  async answer(exchange) {
    const { wire, turn, id } = exchange;
    const send = (type: string, rest: object = {}): Promise<boolean> => wire.send(sse({ type, ...rest }));
    let last = -1;
    const at = (): object => ({ path: [last] });
    const begin = (part: object): Promise<boolean> => {
      last++;
      return send('part-start', { part, path: [] });
    };
    const end = (): Promise<boolean> => send('part-finish', at());
    const turnTo = oneAtATime<'text' | 'reasoning'>({ begin: (type) => begin({ type }), end });
    const put = async (part: object): Promise<void> => {
      await turnTo();
      await begin(part);
      await end();
    };
    const call = async ({ id: name, name: toolName, arguments: args }: Call): Promise<void> => {
      await turnTo();
      await begin({ type: 'tool-call', toolCallId: id(name), toolName });
      for (const textDelta of chunksOf(JSON.stringify(args))) await send('text-delta', { textDelta, ...at() });
      await send('tool-call-args-text-finish', at());
    };
    let finishReason = 'stop';

    await send('step-start', { messageId: `msg-${randomUUID().slice(0, 8)}` });
    const ending = await play(exchange, {
      async think({ text }) {
        await turnTo('reasoning');
        for (const textDelta of chunksOf(text)) await send('text-delta', { textDelta, ...at() });
      },
      text: ({ text }) =>
        streamChunks(
          text,
          exchange,
          async (textDelta) => {
            await turnTo('text');
            await send('text-delta', { textDelta, ...at() });
          },
          ({ id: source, url, title }) => put({ type: 'source', sourceType: 'url', id: source, url, title }),
        ),
      async tool(step) {
        await call(step);
        await wire.wait(step.paces);
        const { outcome } = step;
        const isError = 'failure' in outcome;
        await send('result', { result: isError ? outcome.failure.message : outcome.result, isError, ...at() });
        await end();
      },
      image: ({ mimeType, data }) => put({ type: 'file', mimeType, data }),
      record: ({ name, value: data }) => put({ type: 'data', name, data }),
      ...(offersTools(turn) && {
        async pageTools({ calls }) {
          finishReason = 'tool-calls';
          for (const requestedCall of calls) {
            await call(requestedCall);
            await end();
          }
        },
      }),
      error: ({ message: error }) => send('error', { error }),
    });
    if (ending !== 'failed') {
      await turnTo();
      const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usageOf(exchange);
      const usage = { inputTokens, outputTokens };
      await send('step-finish', { finishReason, usage, isContinued: false });
      await send('message-finish', { finishReason, usage });
    }
    await wire.send(sse('[DONE]'));
    await wire.end();
  },
};
