/**
 * The first request to an endpoint whose protocol is not known yet. It contains the fields that the common agent
 * servers require; servers ignore fields that they don't know. The response determines the protocol of the next
 * request.
 */
import type { RequestOptions, Turn, WireRequest } from '../core/adapter.ts';
import { sentTextMessages, type SentText } from './sent-history.ts';

export function autoRequest(
  turn: Turn,
  { url, headers = {}, model, show = {}, ...options }: RequestOptions,
): WireRequest<never> {
  return {
    url,
    mergedFields: ['options'],
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream, application/x-ndjson, application/json, text/plain', ...headers },
      body: {
        ...(model !== undefined && { model }),
        stream: true,
        messages: sentTextMessages(turn, options).map(toWireMessage),
        message: turn.text,
        // `id` is for the AI SDK; AG-UI servers refuse a request without the fields below it.
        id: turn.threadId,
        threadId: turn.threadId,
        runId: turn.messages.at(-1)?.id ?? turn.threadId,
        state: {},
        tools: [],
        context: [],
        forwardedProps: {},
        ...(identifiesDevice(headers) && {
          chatId: turn.threadId,
          options: {
            showThinking: show.reasoning ?? false,
            showToolCalls: show.tools ?? true,
            detailedCitations: true,
          },
        }),
      },
    },
  };
}

/**
 * Whether the page sends the two headers that identify the user to servers of the protocol `agent-phase`. Only these
 * servers get a `chatId`, because others may mistake it for one of theirs. Source: `docs/protocols/agent-phase.md`.
 */
function identifiesDevice(headers: Readonly<Record<string, string>>): boolean {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return names.has('user-id') && names.has('device-id');
}

/**
 * AG-UI servers refuse a message without an id, including the system message. AI SDK servers read only `parts`, and
 * those of TanStack AI read `content` within the parts.
 */
const toWireMessage = ({ id, role, content }: SentText) => ({
  id,
  role,
  content,
  parts: [{ type: 'text', text: content, content }],
});
