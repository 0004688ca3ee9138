/**
 * Mastra's agent server. Its tools run on the server; one that needs an approval ends the stream. Source:
 * `@mastra/core` 1.71.
 */
import { randomUUID } from 'node:crypto';
import { oneAtATime } from '../one-at-a-time.ts';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import type { Call } from '../step.ts';

export const mastra: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,
  keepsHistory: true,

  answerOf: (_body, path) =>
    /\/(approve|decline)-tool-call$/.exec(path) ? (path.includes('approve') ? 'granted' : 'denied') : undefined,

  async answer(exchange) {
    // An answer has the id of the waiting run.
    const { wire, id, answered, conversation: runId } = exchange;
    const send = (type: string, payload: object = {}): Promise<boolean> =>
      wire.send(sse({ type, runId, from: 'AGENT', payload }));
    let part = '';
    const turnTo = oneAtATime<'text' | 'reasoning'>({
      async begin(kind) {
        part = randomUUID();
        await send(`${kind}-start`, { id: part });
      },
      async end(kind) {
        await send(`${kind}-end`, { id: part });
      },
    });
    const call = async ({ id: name, name: toolName, arguments: args }: Call): Promise<void> => {
      await turnTo();
      await send('tool-call', { toolCallId: id(name), toolName, args });
    };

    await send('start', { id: 'clerk' });
    await send('step-start', { messageId: randomUUID(), request: {} });
    const ending = await play(exchange, {
      async think({ text }) {
        await turnTo('reasoning');
        for (const chunk of chunksOf(text)) await send('reasoning-delta', { id: part, text: chunk });
      },
      async text({ text }) {
        await turnTo('text');
        await streamChunks(text, exchange, (chunk) => send('text-delta', { id: part, text: chunk }));
      },
      async tool(step) {
        if (!answered.has(step.id)) await call(step);
        await wire.wait(step.paces);
        const sharedFields = { toolCallId: id(step.id), toolName: step.name };
        if ('failure' in step.outcome) await send('tool-error', { ...sharedFields, error: step.outcome.failure });
        else await send('tool-result', { ...sharedFields, result: step.outcome.result });
      },
      async permission({ call: requestedCall }) {
        await call(requestedCall);
        const { id: name, name: toolName, arguments: args } = requestedCall;
        await send('tool-call-approval', { toolCallId: id(name), toolName, args, resumeSchema: '{}' });
      },
      error: ({ message }) => send('error', { error: { name: 'Error', message } }),
    });
    if (ending === 'complete') {
      await turnTo();
      const {
        prompt_tokens: inputTokens,
        completion_tokens: outputTokens,
        total_tokens: totalTokens,
      } = usageOf(exchange);
      const output = { usage: { inputTokens, outputTokens, totalTokens } };
      await send('step-finish', { stepResult: { reason: 'stop' }, output });
      await send('finish', { stepResult: { reason: 'stop' }, output });
    }
    await wire.end();
  },
};
