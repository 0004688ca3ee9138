/** The AI SDK's UI message stream (5, 6 and 7). Source: `docs/protocols/ai-sdk.md`. */
import { randomUUID } from 'node:crypto';
import { oneAtATime } from '../one-at-a-time.ts';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import type { Call, StepOf } from '../step.ts';
import { isRecord, messagesOf, offersTools, textOf, type Turn } from '../turn.ts';

export const aiSdk: Protocol = {
  contentType: 'text/event-stream',
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  broken: BROKEN_SSE,

  /** In this case the last message is the reply itself, with decisions and results in the parts of its calls. */
  answerOf(body): Turn['answer'] {
    const last = messagesOf(body).at(-1);
    if (last?.role !== 'assistant' || !Array.isArray(last.raw['parts'])) return undefined;
    const calls = last.raw['parts'].filter(isRecord).filter(({ toolCallId }) => toolCallId !== undefined);
    const denied = calls.some(({ approval, errorText }) =>
      isRecord(approval) ? approval['approved'] === false : /denied/i.test(textOf(errorText)),
    );
    return calls.length === 0 ? undefined : denied ? 'denied' : 'granted';
  },

  // Replies are not stored for reconnecting clients: nothing is running.
  beside: ({ method }) => (method === 'GET' ? { status: 204 } : undefined),

  async answer(exchange) {
    const { wire, turn, id, answered } = exchange;
    const send = (type: string, rest: object = {}): Promise<boolean> => wire.send(sse({ type, ...rest }));
    let part = '';
    const turnTo = oneAtATime<'text' | 'reasoning'>({
      begin: (kind) => send(`${kind}-start`, { id: (part = randomUUID().slice(0, 8)) }),
      end: (kind) => send(`${kind}-end`, { id: part }),
    });
    const put = async (type: string, rest: object): Promise<void> => {
      await turnTo();
      await send(type, rest);
    };
    const call = async ({ id: name, name: toolName, description: title, arguments: input }: Call): Promise<void> => {
      const head = { toolCallId: id(name), toolName, title, dynamic: true };
      await put('tool-input-start', head);
      for (const inputTextDelta of chunksOf(JSON.stringify(input))) {
        await send('tool-input-delta', { toolCallId: id(name), inputTextDelta });
      }
      await send('tool-input-available', { ...head, input });
    };
    const run = async ({ id: name, paces, progress = [], outcome }: StepOf<'tool'>): Promise<void> => {
      const toolCallId = id(name);
      for (const { message: output } of progress) {
        await wire.wait(paces / (progress.length + 1));
        await send('tool-output-available', { toolCallId, output, preliminary: true });
      }
      await wire.wait(paces / (progress.length + 1));
      await ('failure' in outcome
        ? send('tool-output-error', { toolCallId, errorText: outcome.failure.message })
        : send('tool-output-available', { toolCallId, output: outcome.result }));
    };

    let finishReason = 'stop';
    await send('start', { messageId: textOf(turn.body['messageId']) || `msg_${randomUUID().slice(0, 8)}` });
    await send('start-step');
    for (const name of turn.answer === 'denied' ? answered : [])
      await send('tool-output-denied', { toolCallId: id(name) });
    const ending = await play(exchange, {
      async think({ text }) {
        await turnTo('reasoning');
        for (const delta of chunksOf(text)) await send('reasoning-delta', { id: part, delta });
      },
      async text({ text }) {
        const emit = async (delta: string): Promise<void> => {
          await turnTo('text');
          await send('text-delta', { id: part, delta });
        };
        await streamChunks(text, exchange, emit, ({ id: sourceId, url, title }) =>
          send('source-url', { sourceId, url, title }),
        );
      },
      async tool(step) {
        if (!answered.has(step.id)) await call(step);
        await run(step);
      },
      image: ({ mimeType: mediaType, data }) => put('file', { mediaType, url: `data:${mediaType};base64,${data}` }),
      record: ({ name, value }) => put(`data-${name.toLowerCase().replace(/\W+/g, '-')}`, { data: value }),
      async permission({ call: requestedCall }) {
        finishReason = 'tool-calls';
        await call(requestedCall);
        await send('tool-approval-request', {
          approvalId: `approval_${id(requestedCall.id)}`,
          toolCallId: id(requestedCall.id),
        });
      },
      ...(offersTools(turn) && {
        async pageTools({ calls }) {
          finishReason = 'tool-calls';
          for (const requestedCall of calls) await call(requestedCall);
        },
      }),
      error: ({ message: errorText }) => put('error', { errorText }),
    });
    await turnTo();
    await send('finish-step');
    const {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: totalTokens,
    } = usageOf(exchange);
    if (ending === 'failed') finishReason = 'error';
    // The protocol has no field for token counts; apps put them here.
    await send('finish', { finishReason, messageMetadata: { totalUsage: { inputTokens, outputTokens, totalTokens } } });
    await wire.send(sse('[DONE]'));
    await wire.end();
  },
};
