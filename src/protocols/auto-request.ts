/**
 * The first request to an endpoint whose protocol is not known yet: the fields that the common agent servers require, side by
 * side. Servers ignore what they don't know; what the answer tells decides the next request.
 */
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import type { RequestOptions, Turn, WireRequest } from './adapter.ts';
import { sentHistory } from './shared/history.ts';
import { systemText } from './shared/system-text.ts';

export function autoRequest(turn: Turn, { url, headers = {}, model, ...options }: RequestOptions): WireRequest {
  const system = systemText(options);
  const history = sentHistory(turn).map((message) => said(message.id, message.role, textOf(message)));
  return {
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream, application/x-ndjson, application/json, text/plain', ...headers },
      body: {
        ...(model !== undefined && { model }),
        stream: true,
        messages: system ? [said('system', 'system', system), ...history] : history,
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

/** AG-UI's servers refuse a message without an id, also the system's; the AI SDK's read nothing but parts. */
const said = (id: string, role: ChatMessage['role'], text: string) => ({
  id,
  role,
  content: text,
  parts: [{ type: 'text', text }],
});
