/**
 * OpenAI's Assistants, version 2: a thread, its runs and their messages. The protocol has no calls of the agent's own
 * tools; functions are run by the page. Source: `docs/protocols/openai-assistants.md`.
 */
import { randomUUID } from 'node:crypto';
import { BROKEN_SSE, play, sayPieces, sse, usageOf, type Protocol } from '../play.ts';
import { answerOfTools, offersTools } from '../turn.ts';

export const openAiAssistants: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,
  keepsHistory: true,

  answerOf: answerOfTools,

  async answer(exchange) {
    const { wire, turn, conversation: thread_id, id } = exchange;
    const run = { id: `run_${randomUUID().slice(0, 8)}`, object: 'thread.run', thread_id };
    const message = { id: `msg_${randomUUID().slice(0, 8)}`, object: 'thread.message', thread_id, role: 'assistant' };
    const tellRun = (status: string, rest: object = {}): Promise<boolean> =>
      wire.send(sse({ ...run, status, ...rest }, `thread.run.${status}`));
    const tellMessage = (status: string, content: readonly object[]): Promise<boolean> =>
      wire.send(sse({ ...message, status, content }, `thread.message.${status}`));
    let said = '';

    await wire.send(sse({ id: thread_id, object: 'thread' }, 'thread.created'));
    await wire.send(sse({ ...run, status: 'queued' }, 'thread.run.created'));
    await tellRun('in_progress');
    const asked = { tools: false };
    const ending = await play(exchange, {
      text: ({ text }) =>
        sayPieces(text, exchange, async (value) => {
          if (!said) await tellMessage('in_progress', []);
          said += value;
          const delta = { content: [{ index: 0, type: 'text', text: { value, annotations: [] } }] };
          await wire.send(sse({ id: message.id, object: 'thread.message.delta', delta }, 'thread.message.delta'));
        }),
      ...(offersTools(turn) && {
        async pageTools({ calls }) {
          asked.tools = true;
          const tool_calls = calls.map(({ id: name, name: tool, arguments: args }) => ({
            id: id(name),
            type: 'function',
            function: { name: tool, arguments: JSON.stringify(args) },
          }));
          const required_action = { type: 'submit_tool_outputs', submit_tool_outputs: { tool_calls } };
          await tellRun('requires_action', { required_action });
        },
      }),
      error: ({ message: words, code }) => tellRun('failed', { last_error: { code, message: words } }),
    });
    if (ending !== 'failed' && !asked.tools) {
      await tellMessage('completed', [{ type: 'text', text: { value: said, annotations: [] } }]);
      await tellRun('completed', { usage: usageOf(exchange) });
    }
    await wire.send(sse('[DONE]', 'done'));
    await wire.end();
  },
};
