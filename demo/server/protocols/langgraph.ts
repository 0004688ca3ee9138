/**
 * A LangGraph server: a thread, its runs, and their streaming messages. A run that asks a question just ends. Source:
 * `docs/protocols/langgraph.md`.
 */
import { randomUUID } from 'node:crypto';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import { outcomeText } from '../step.ts';
import { isRecord, type Json } from '../turn.ts';

const QUESTION = ['yes', 'no'] as const;
const META = { langgraph_node: 'agent', langgraph_step: 1, langgraph_checkpoint_ns: '' };

export const langgraph: Protocol = {
  contentType: 'text/event-stream',
  broken: `event: messages\n${BROKEN_SSE}`,
  keepsHistory: true,

  answerOf({ command }) {
    if (!isRecord(command) || command['resume'] === undefined) return undefined;
    const { resume } = command;
    const decisions =
      isRecord(resume) && Array.isArray(resume['decisions']) ? resume['decisions'].filter(isRecord) : [];
    const granted = decisions.length > 0 ? decisions.every(({ type }) => type === 'approve') : resume === QUESTION[0];
    return granted ? 'granted' : 'denied';
  },

  beside: ({ method, path }) =>
    method === 'POST' && path === '/threads' ? { status: 200, json: { thread_id: randomUUID() } } : undefined,

  async answer(exchange) {
    const { wire, turn, conversation: thread_id, id, answered } = exchange;
    let sequence = 0;
    const send = (event: string, data: unknown): Promise<boolean> =>
      wire.send(`id: ${String(sequence++)}\n${sse(data, event)}`);
    let message = randomUUID();
    let name: string | undefined;
    const emit = (fields: Json): Promise<boolean> =>
      send('messages', [{ type: 'AIMessageChunk', id: message, content: '', ...(name && { name }), ...fields }, META]);
    const result = (call: string, tool: string, content: string, failed: boolean): Promise<boolean> => {
      const fields = { id: randomUUID(), tool_call_id: id(call), name: tool, status: failed ? 'error' : 'success' };
      message = randomUUID();
      return send('messages', [
        { type: 'tool', content, ...fields },
        { ...META, langgraph_node: 'tools' },
      ]);
    };
    /** Only its first chunk has the id and the name. */
    const call = async (callId: string, tool: string, args: object): Promise<void> => {
      await emit({ tool_call_chunks: [{ index: 0, id: callId, name: tool, args: '' }] });
      for (const chunk of chunksOf(JSON.stringify(args))) await emit({ tool_call_chunks: [{ index: 0, args: chunk }] });
    };
    const interrupt = (value: unknown): Promise<boolean> =>
      send('updates', { __interrupt__: [{ id: randomUUID(), value }] });

    await send('metadata', { run_id: randomUUID(), thread_id, attempt: 1 });
    for (const requestedCall of turn.answer === 'denied' ? answered : []) {
      await result(requestedCall, requestedCall, 'The user has rejected the call.', true);
    }
    const ending = await play(exchange, {
      async think({ text }) {
        for (const thinking of chunksOf(text)) await emit({ content: [{ type: 'thinking', thinking, index: 0 }] });
      },
      text: ({ text }) => streamChunks(text, exchange, (content) => emit({ content })),
      async tool({ id: callId, name: tool, arguments: args, paces, outcome }) {
        if (!answered.has(callId)) await call(id(callId), tool, args);
        await wire.wait(paces);
        await result(callId, tool, outcomeText(outcome), 'failure' in outcome);
      },
      image: ({ mimeType, data }) =>
        emit({ content: [{ type: 'image_url', image_url: { url: `data:${mimeType};base64,${data}` } }] }),
      record: ({ value }) => send('custom', value),
      speaker(step) {
        ({ name } = step);
        message = randomUUID();
        return Promise.resolve();
      },
      // The format of LangChain's human-in-the-loop middleware.
      async permission({ call: { id: callId, name: tool, arguments: args }, reason }) {
        await call(id(callId), tool, args);
        await interrupt({
          action_requests: [{ name: tool, args, description: reason }],
          review_configs: [{ action_name: tool, allowed_decisions: ['approve', 'reject'] }],
        });
      },
      toolLimit: ({ question }) => interrupt({ question, options: QUESTION }),
      error: ({ code, message: words }) => send('error', { error: code, message: words }),
    });
    if (ending === 'complete') {
      const { prompt_tokens: input_tokens, completion_tokens: output_tokens, total_tokens } = usageOf(exchange);
      await emit({ usage_metadata: { input_tokens, output_tokens, total_tokens } });
    }
    await wire.end();
  },
};
