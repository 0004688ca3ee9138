/**
 * The first request to an endpoint whose protocol is not known yet: the fields that the common agent servers require, side by
 * side. Servers ignore what they don't know; what the answer tells decides the next request.
 */
import { textOf } from '../model/text-of.ts';
import type { RequestOptions, Turn, WireRequest } from './adapter.ts';
import { sentHistory } from './shared/history.ts';
import { systemText } from './shared/system-text.ts';

export function autoRequest(turn: Turn, { url, headers = {}, model, ...options }: RequestOptions): WireRequest {
  const system = systemText(options);
  const history = sentHistory(turn).map((message) => ({
    id: message.id,
    role: message.role,
    content: textOf(message),
    parts: [{ type: 'text', text: textOf(message) }],
  }));
  return {
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream, application/x-ndjson, application/json, text/plain', ...headers },
      body: {
        ...(model !== undefined && { model }),
        stream: true,
        messages: system ? [{ role: 'system', content: system }, ...history] : history,
        message: turn.text,
        // The AI SDK's chat, and what AG-UI's servers refuse a request without.
        id: turn.threadId,
        threadId: turn.threadId,
        runId: turn.messages.at(-1)?.id ?? turn.threadId,
        state: {},
        tools: [],
        context: [],
        forwardedProps: {},
      },
    },
  };
}
