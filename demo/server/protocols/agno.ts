/** Agno's AgentOS: runs of an agent. A tool that needs a confirmation pauses the run. Source: `docs/protocols/agno.md`. */
import { randomUUID } from 'node:crypto';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import { outcomeText, type Call } from '../step.ts';
import { isRecord, textOf } from '../turn.ts';

export const agno: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,
  keepsHistory: true,

  /** A run is continued with the tools that it waits for. */
  answerOf(body, path) {
    if (!path.endsWith('/continue')) return undefined;
    const tools: unknown = JSON.parse(textOf(body['tools']) || '[]');
    const [tool] = Array.isArray(tools) ? (tools as unknown[]) : [];
    return isRecord(tool) && tool['confirmed'] === true ? 'granted' : 'denied';
  },

  async answer(exchange) {
    const { wire, id, answered, conversation: session_id } = exchange;
    const common = { agent_id: 'clerk', agent_name: 'Clerk', run_id: randomUUID(), session_id };
    const send = (event: string, rest: object = {}): Promise<boolean> =>
      wire.send(sse({ created_at: Math.floor(Date.now() / 1000), event, ...common, ...rest }, event));
    const toolOf = ({ id: name, name: tool_name, arguments: tool_args }: Omit<Call, 'description'>): object => ({
      tool_call_id: id(name),
      tool_name,
      tool_args,
    });
    let sentText = '';

    await send('RunStarted', { model: 'harbor-scripted' });
    const ending = await play(exchange, {
      async think({ text }) {
        await send('ReasoningStarted');
        for (const chunk of chunksOf(text)) await send('ReasoningContentDelta', { reasoning_content: chunk });
        await send('ReasoningCompleted');
      },
      text: ({ text }) =>
        streamChunks(text, exchange, (content) => {
          sentText += content;
          return send('RunContent', { content, content_type: 'str' });
        }),
      async tool(step) {
        const tool = toolOf(step);
        if (!answered.has(step.id)) await send('ToolCallStarted', { tool });
        await wire.wait(step.paces);
        const result = outcomeText(step.outcome);
        const failed = 'failure' in step.outcome;
        if (failed) await send('ToolCallError', { tool: { ...tool, tool_call_error: true }, error: result });
        else await send('ToolCallCompleted', { tool: { ...tool, result } });
      },
      permission: ({ call }) => send('RunPaused', { tools: [{ ...toolOf(call), requires_confirmation: true }] }),
      suggestions: ({ items }) => send('FollowupsCompleted', { followups: items }),
      error: ({ message, code }) => send('RunError', { content: message, error_id: code }),
    });
    if (ending === 'complete') {
      const { prompt_tokens: input_tokens, completion_tokens: output_tokens, total_tokens } = usageOf(exchange);
      await send('RunCompleted', {
        content: sentText,
        content_type: 'str',
        metrics: { input_tokens, output_tokens, total_tokens },
      });
    }
    await wire.end();
  },
};
