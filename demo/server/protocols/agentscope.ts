/**
 * The AgentScope Runtime: a response, its messages and their contents, all numbered. Streamed contents are repeated
 * completely at their end. Source: `docs/protocols/agentscope.md`.
 */
import { randomUUID } from 'node:crypto';
import { oneAtATime } from '../one-at-a-time.ts';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import { outcomeText } from '../step.ts';
import { answerFromTools, isRecord, offersTools } from '../turn.ts';

export const agentscope: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,
  keepsHistory: true,

  answerOf(body) {
    const last: unknown = Array.isArray(body['input']) ? body['input'].at(-1) : undefined;
    if (!isRecord(last) || last['type'] !== 'mcp_approval_response') return answerFromTools(body);
    return JSON.stringify(last).includes('"approve":true') ? 'granted' : 'denied';
  },

  async answer(exchange) {
    const { wire, turn, conversation: session_id, id } = exchange;
    let sequence_number = 0;
    const send = (object: string, status: string, rest: object): Promise<boolean> =>
      wire.send(sse({ sequence_number: sequence_number++, object, status, error: null, ...rest }));
    const response = { id: `response_${randomUUID()}`, session_id };
    const output: object[] = [];
    let message: { id: string; type: string; role: string };
    const begin = (type: string, role = 'assistant'): Promise<boolean> => {
      message = { id: `msg_${randomUUID()}`, type, role };
      return send('message', 'in_progress', { ...message, content: null });
    };
    const content = (status: string, fields: object): Promise<boolean> =>
      send('content', status, { msg_id: message.id, index: 0, ...fields });
    const end = async (whole: object): Promise<void> => {
      await content('completed', { ...whole, delta: false });
      const done = { ...message, content: [whole] };
      output.push(done);
      await send('message', 'completed', done);
    };
    let text = '';
    const turnTo = oneAtATime<'message' | 'reasoning'>({
      begin: (kind) => {
        text = '';
        return begin(kind);
      },
      end: () => end({ type: 'text', text }),
    });
    const emit = async (kind: 'message' | 'reasoning', chunk: string): Promise<void> => {
      await turnTo(kind);
      text += chunk;
      await content('in_progress', { type: 'text', delta: true, text: chunk });
    };
    const put = async (type: string, whole: object, role?: string): Promise<void> => {
      await turnTo();
      await begin(type, role);
      await end(whole);
    };

    await send('response', 'created', { ...response, output: null });
    await send('response', 'in_progress', { ...response, output: null });
    let error: object | undefined;
    await play(exchange, {
      async think(step) {
        for (const chunk of chunksOf(step.text)) await emit('reasoning', chunk);
      },
      text: (step) => streamChunks(step.text, exchange, (words) => emit('message', words)),
      async tool({ id: name, name: tool, arguments: args, paces, outcome }) {
        const call = { call_id: id(name), name: tool };
        await put('plugin_call', { type: 'data', data: { ...call, arguments: JSON.stringify(args) } });
        await wire.wait(paces);
        await put('plugin_call_output', { type: 'data', data: { ...call, output: outcomeText(outcome) } }, 'tool');
      },
      image: ({ mimeType, data }) => put('message', { type: 'image', image_url: `data:${mimeType};base64,${data}` }),
      record: ({ value: data }) => put('message', { type: 'data', data }),
      surface: ({ messages }) => put('a2ui_response', { type: 'data', data: { messages } }),
      permission: ({ call: { id: name, name: tool, arguments: args }, server: server_label }) => {
        const data = { id: id(name), name: tool, arguments: JSON.stringify(args), server_label };
        return put('mcp_approval_request', { type: 'data', data });
      },
      ...(offersTools(turn) && {
        async pageTools({ calls }) {
          for (const { id: name, name: tool, arguments: args } of calls) {
            const data = { call_id: id(name), name: tool, arguments: JSON.stringify(args) };
            await put('function_call', { type: 'data', data });
          }
        },
      }),
      error({ code, message: words }) {
        error = { code, message: words };
        return Promise.resolve();
      },
    });
    await turnTo();
    const { prompt_tokens: input_tokens, completion_tokens: output_tokens, total_tokens } = usageOf(exchange);
    const usage = { input_tokens, output_tokens, total_tokens };
    await send('response', error ? 'failed' : 'completed', { ...response, output, usage, ...(error && { error }) });
    await wire.end();
  },
};
