/**
 * The first request to an endpoint whose protocol is not known yet. It contains the fields that the common agent
 * servers require; servers ignore fields that they don't know. The response determines the protocol of the next
 * request.
 */
import type { ChatMessage } from '../../model/message.ts';
import type { RequestOptions, Turn, WireRequest } from '../core/adapter.ts';
import { sentTextMessages } from './history.ts';
import { systemText } from './system-text.ts';

export function autoRequest(turn: Turn, { url, headers = {}, model, ...options }: RequestOptions): WireRequest<never> {
  const system = systemText(options);
  const history = sentTextMessages(turn).map(({ id, role, content }) => toWireMessage(id, role, content));
  return {
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream, application/x-ndjson, application/json, text/plain', ...headers },
      body: {
        ...(model !== undefined && { model }),
        stream: true,
        messages: system ? [toWireMessage('system', 'system', system), ...history] : history,
        message: turn.text,
        // `id` is for the AI SDK; AG-UI servers refuse a request without the fields below it.
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

/**
 * AG-UI servers refuse a message without an id, including the system message. AI SDK servers read only `parts`, and
 * those of TanStack AI read `content` within the parts.
 */
const toWireMessage = (id: string, role: ChatMessage['role'], text: string) => ({
  id,
  role,
  content: text,
  parts: [{ type: 'text', text, content: text }],
});
