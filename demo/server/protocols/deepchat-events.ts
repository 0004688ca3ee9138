/** DeepChat's agent layer: `response`, `error`, `end`. Source: `docs/protocols/deepchat-events.md`. */
import { randomUUID } from 'node:crypto';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import { isRecord } from '../turn.ts';

const CONTEXT_LENGTH = 128_000;

export const deepchatEvents: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,

  /**
   * The specification does not define how questions are answered; here the request has the decisions next to its
   * messages.
   */
  answerOf(body) {
    const decisions = Array.isArray(body['permissions']) ? body['permissions'].filter(isRecord) : [];
    if (decisions.length === 0) return undefined;
    return decisions.every(({ decision }) => decision === 'granted') ? 'granted' : 'denied';
  },

  async answer(exchange) {
    const { wire, id } = exchange;
    const eventId = randomUUID();
    const respond = (data: object): Promise<boolean> =>
      wire.send(sse({ type: 'response', data: { eventId, ...data } }));

    await play(exchange, {
      async think({ text }) {
        for (const chunk of chunksOf(text)) await respond({ reasoning_content: chunk });
      },
      text: ({ text }) => streamChunks(text, exchange, (content) => respond({ content })),
      async tool({ id: name, name: tool, server, arguments: args, paces, progress = [], outcome }) {
        const call = { tool_call_id: id(name), tool_call_name: tool, ...(server && { tool_call_server_name: server }) };
        await respond({ tool_call: 'start', ...call, tool_call_params: '' });
        for (const chunk of chunksOf(JSON.stringify(args))) {
          await respond({ tool_call: 'update', ...call, tool_call_params: chunk });
        }
        for (const { message } of progress) {
          await wire.wait(paces / (progress.length + 1));
          await respond({ tool_call: 'running', ...call, tool_call_response: `${message}\n` });
        }
        await wire.wait(paces / (progress.length + 1));
        await ('failure' in outcome
          ? respond({ tool_call: 'error', ...call, tool_call_response: outcome.failure.message })
          : respond({
              tool_call: 'end',
              ...call,
              tool_call_response: [{ type: 'text', text: JSON.stringify(outcome.result, undefined, 2) }],
              tool_call_response_raw: outcome.result,
            }));
      },
      image: ({ data, mimeType }) => respond({ image_data: { data, mimeType } }),
      async surface({ id: name, messages }) {
        // Each event has the complete value so far, which replaces the previous one.
        for (const index of messages.keys()) {
          await respond({ ui: { kind: 'a2ui', messages: messages.slice(0, index + 1) }, data_id: id(name) });
        }
      },
      async rateLimit({ paces, type: _type, ...info }) {
        await respond({ rate_limit: { ...info, estimatedWaitTime: paces * exchange.speed } });
        await wire.wait(paces);
      },
      permission: ({ call, server, access, reason }) =>
        respond({
          tool_call: 'permission-required',
          tool_call_id: id(call.id),
          tool_call_name: call.name,
          tool_call_params: JSON.stringify(call.arguments),
          tool_call_server_name: server,
          permission_request: { toolName: call.name, serverName: server, permissionType: access, description: reason },
        }),
      toolLimit: () => respond({ maximum_tool_calls_reached: true }),
      error: ({ message }) => wire.send(sse({ type: 'error', data: { eventId, error: message } })),
    });
    await respond({ totalUsage: { ...usageOf(exchange), context_length: CONTEXT_LENGTH } });
    await wire.send(sse({ type: 'end', data: { eventId, userStop: false } }));
    await wire.end();
  },
};
