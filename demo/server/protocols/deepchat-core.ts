/**
 * DeepChat's model layer: the ten core events. None of them has a tool's result, so the agent's own tools are described
 * as reasoning, and calls are run by the page. Source: `docs/protocols/deepchat-events.md`.
 */
import { toolNote } from '../markdown.ts';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import { messagesOf } from '../turn.ts';

export const deepchatCore: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,

  /** If the page ran tools, the history ends with the agent's own text; results are not included. */
  answerOf: (body) => (messagesOf(body).at(-1)?.role === 'assistant' ? 'unknown' : undefined),

  async answer(exchange) {
    const { wire, id } = exchange;
    const send = (type: string, payload: object): Promise<boolean> => wire.send(sse({ type, ...payload }));
    const think = async (text: string): Promise<void> => {
      for (const chunk of chunksOf(text)) await send('reasoning', { reasoning_content: chunk });
    };
    const requested = { tools: false };

    const ending = await play(exchange, {
      think: ({ text }) => think(text),
      text: ({ text }) => streamChunks(text, exchange, (content) => send('text', { content })),
      async tool(step) {
        await wire.wait(step.paces);
        await think(toolNote(step));
      },
      image: ({ data, mimeType }) => send('image_data', { image_data: { data, mimeType } }),
      async rateLimit({ paces, type: _type, ...info }) {
        await send('rate_limit', { rate_limit: { ...info, estimatedWaitTime: paces * exchange.speed } });
        await wire.wait(paces);
      },
      async pageTools(step) {
        for (const { id: name, name: tool, arguments: args } of step.calls) {
          const tool_call_id = id(name);
          const complete = JSON.stringify(args);
          await send('tool_call_start', { tool_call_id, tool_call_name: tool });
          for (const chunk of chunksOf(complete)) {
            await send('tool_call_chunk', { tool_call_id, tool_call_arguments_chunk: chunk });
          }
          await send('tool_call_end', { tool_call_id, tool_call_arguments_complete: complete });
        }
        requested.tools = true;
      },
      error: ({ message }) => send('error', { error_message: message }),
    });
    await send('usage', { usage: usageOf(exchange) });
    await send('stop', { stop_reason: ending === 'failed' ? 'error' : requested.tools ? 'tool_use' : 'complete' });
    await wire.end();
  },
};
