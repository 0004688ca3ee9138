/**
 * OpenAI's Assistants, version 2: a thread, its runs and their messages. The protocol has no calls of the agent's own
 * tools; functions are run by the page. Source: `docs/protocols/openai-assistants.md`.
 */
import { randomUUID } from 'node:crypto';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import { answerFromTools, offersTools } from '../turn.ts';

export const openAiAssistants: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,
  keepsHistory: true,

  answerOf: answerFromTools,

  async answer(exchange) {
    const { wire, turn, conversation: thread_id, id } = exchange;
    const run = { id: `run_${randomUUID().slice(0, 8)}`, object: 'thread.run', thread_id };
    const message = { id: `msg_${randomUUID().slice(0, 8)}`, object: 'thread.message', thread_id, role: 'assistant' };
    const emitRun = (status: string, rest: object = {}): Promise<boolean> =>
      wire.send(sse({ ...run, status, ...rest }, `thread.run.${status}`));
    const emitMessage = (status: string, content: readonly object[]): Promise<boolean> =>
      wire.send(sse({ ...message, status, content }, `thread.message.${status}`));
    let sentText = '';

    await wire.send(sse({ id: thread_id, object: 'thread' }, 'thread.created'));
    await wire.send(sse({ ...run, status: 'queued' }, 'thread.run.created'));
    await emitRun('in_progress');
    const requested = { tools: false };
    const ending = await play(exchange, {
      text: ({ text }) =>
        streamChunks(text, exchange, async (value) => {
          if (!sentText) await emitMessage('in_progress', []);
          sentText += value;
          const delta = { content: [{ index: 0, type: 'text', text: { value, annotations: [] } }] };
          await wire.send(sse({ id: message.id, object: 'thread.message.delta', delta }, 'thread.message.delta'));
        }),
      ...(offersTools(turn) && {
        async pageTools({ calls }) {
          requested.tools = true;
          const tool_calls = calls.map(({ id: name, name: tool, arguments: args }) => ({
            id: id(name),
            type: 'function',
            function: { name: tool, arguments: JSON.stringify(args) },
          }));
          const required_action = { type: 'submit_tool_outputs', submit_tool_outputs: { tool_calls } };
          await emitRun('requires_action', { required_action });
        },
      }),
      error: ({ message: words, code }) => emitRun('failed', { last_error: { code, message: words } }),
    });
    if (ending !== 'failed' && !requested.tools) {
      await emitMessage('completed', [{ type: 'text', text: { value: sentText, annotations: [] } }]);
      await emitRun('completed', { usage: usageOf(exchange) });
    }
    await wire.send(sse('[DONE]', 'done'));
    await wire.end();
  },
};
