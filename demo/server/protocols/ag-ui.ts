/**
 * AG-UI: runs and their events. A run that needs an answer ends with an interrupt. Source: `docs/protocols/ag-ui.md`.
 */
import { randomUUID } from 'node:crypto';
import { oneAtATime } from '../one-at-a-time.ts';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import { outcomeText, type Call } from '../step.ts';
import { answerFromTools, isRecord, offersTools, textOf } from '../turn.ts';

export const agUi: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,

  answerOf(body) {
    const answers = Array.isArray(body['resume']) ? body['resume'].filter(isRecord) : [];
    if (answers.length === 0) return answerFromTools(body);
    const isYes = (payload: unknown): boolean => isRecord(payload) && payload['approved'] === true;
    return answers.every(({ status, payload }) => status === 'resolved' && isYes(payload)) ? 'granted' : 'denied';
  },

  async answer(exchange) {
    const { wire, turn, conversation: threadId, id, answered } = exchange;
    const runId = textOf(turn.body['runId']) || randomUUID();
    const send = (type: string, rest: object = {}): Promise<boolean> => wire.send(sse({ type, ...rest }));
    let name: string | undefined;
    let messageId = '';
    const turnTo = oneAtATime<'text' | 'reasoning'>({
      async begin(kind) {
        messageId = randomUUID();
        if (kind === 'text') await send('TEXT_MESSAGE_START', { messageId, role: 'assistant', ...(name && { name }) });
        else {
          await send('REASONING_START', { messageId });
          await send('REASONING_MESSAGE_START', { messageId, role: 'reasoning' });
        }
      },
      async end(kind) {
        if (kind === 'text') await send('TEXT_MESSAGE_END', { messageId });
        else {
          await send('REASONING_MESSAGE_END', { messageId });
          await send('REASONING_END', { messageId });
        }
      },
    });
    const call = async ({ id: callName, name: toolCallName, arguments: args }: Call): Promise<void> => {
      const toolCallId = id(callName);
      await turnTo();
      await send('TOOL_CALL_START', { toolCallId, toolCallName });
      for (const delta of chunksOf(JSON.stringify(args))) await send('TOOL_CALL_ARGS', { toolCallId, delta });
      await send('TOOL_CALL_END', { toolCallId });
    };
    const result = (toolCallId: string, content: string): Promise<boolean> =>
      send('TOOL_CALL_RESULT', { messageId: randomUUID(), toolCallId, role: 'tool', content });
    const interrupts: object[] = [];
    const ask = (reason: string, rest: object): Promise<void> => {
      const properties = { approved: { type: 'boolean' } };
      interrupts.push({ id: randomUUID(), reason, ...rest, responseSchema: { type: 'object', properties } });
      return Promise.resolve();
    };

    await send('RUN_STARTED', { threadId, runId });
    for (const requestedCall of turn.answer === 'denied' ? answered : [])
      await result(id(requestedCall), 'The user has denied the call.');
    const ending = await play(exchange, {
      async think({ text }) {
        await turnTo('reasoning');
        for (const delta of chunksOf(text)) await send('REASONING_MESSAGE_CONTENT', { messageId, delta });
      },
      async text({ text }) {
        await turnTo('text');
        await streamChunks(text, exchange, (delta) => send('TEXT_MESSAGE_CONTENT', { messageId, delta }));
      },
      async tool(step) {
        // After an answer the run sends only the result of its call.
        if (!answered.has(step.id)) await call(step);
        await wire.wait(step.paces);
        await result(id(step.id), outcomeText(step.outcome));
      },
      async speaker(step) {
        await turnTo();
        ({ name } = step);
        messageId = randomUUID();
        // Only a text message has a name, so an empty one tells whose reasoning and calls these are.
        await send('TEXT_MESSAGE_START', { messageId, role: 'assistant', name });
        await send('TEXT_MESSAGE_END', { messageId });
      },
      async record({ name: activityType, value: content }) {
        await turnTo();
        await send('ACTIVITY_SNAPSHOT', { messageId: randomUUID(), activityType, content });
      },
      async surface({ id: surface, messages }) {
        await turnTo();
        // Each event has the complete value so far, which replaces the previous one.
        for (const index of messages.keys()) {
          const content = { a2ui_operations: messages.slice(0, index + 1) };
          await send('ACTIVITY_SNAPSHOT', { messageId: id(surface), activityType: 'a2ui-surface', content });
        }
      },
      async permission({ call: requestedCall, reason }) {
        await call(requestedCall);
        await ask('tool_call', { message: reason, toolCallId: id(requestedCall.id) });
      },
      toolLimit: ({ question }) => ask('confirmation', { message: question }),
      ...(offersTools(turn) && {
        async pageTools({ calls }) {
          for (const requestedCall of calls) await call(requestedCall);
        },
      }),
      error: ({ message, code }) => send('RUN_ERROR', { message, code }),
    });
    if (ending !== 'failed') {
      await turnTo();
      const {
        prompt_tokens: inputTokens,
        completion_tokens: outputTokens,
        total_tokens: totalTokens,
      } = usageOf(exchange);
      const outcome = interrupts.length > 0 ? { type: 'interrupt', interrupts } : { type: 'success' };
      await send('RUN_FINISHED', { threadId, runId, outcome, usage: [{ inputTokens, outputTokens, totalTokens }] });
    }
    await wire.end();
  },
};
