/**
 * Applies the page's `redact` function to the user's text before it is sent. The displayed text stays unchanged. Before it is stored:
 * `redact-for-storage.ts`.
 */
import { ChatError } from '../../errors.ts';
import { callPageFunction } from '../../page-functions.ts';
import { isRecord } from '../../model/json.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Answer } from '../../protocols/core/adapter.ts';

/** Changes the user's text before it is sent, or any text before it is stored. */
export type Redact = (text: string, purpose: 'send' | 'store') => string;

/**
 * Creates a function that redacts messages for sending. Each message is redacted once, because a conversation is sent
 * with every turn.
 */
export function createMessageRedactor(redact: Redact | undefined): (message: ChatMessage) => ChatMessage {
  if (!redact) return (message) => message;
  const known = new WeakMap<ChatMessage, ChatMessage>();
  return (message) => {
    if (message.role !== 'user') return message;
    const before = known.get(message);
    if (before) return before;
    const next = { ...message, ...redactedContent(message, redact) };
    known.set(message, next);
    return next;
  };
}

function redactedContent({ blocks, metadata }: ChatMessage, redact: Redact): Partial<ChatMessage> {
  // Content for an agent in the page contains the text a second time, and a press in a surface what the user has entered there.
  const { content, data } = metadata ?? {};
  const changed = {
    ...(isRecord(content) &&
      typeof content['text'] === 'string' && {
        content: { ...content, text: redactText(content['text'], redact) },
      }),
    ...(isRecord(data) && typeof data['surfaceId'] === 'string' && { data: redactPress(data, redact) }),
  };
  return {
    blocks: blocks.map((block) =>
      block.type === 'content' ? { ...block, content: redactText(block.content, redact) } : block,
    ),
    ...(Object.keys(changed).length > 0 && { metadata: { ...metadata, ...changed } }),
  };
}

/** The values of a surface: which of them the user has entered is not known. */
const redactPress = (press: Readonly<Record<string, unknown>>, redact: Redact): object => ({
  ...press,
  ...(press['context'] !== undefined && { context: redactIn(press['context'], redact, 0) }),
  ...(press['dataModel'] !== undefined && { dataModel: redactIn(press['dataModel'], redact, 0) }),
});

/** @throws ChatError if the page's function is async, for example: the agent would get an empty text */
export function redactText(text: string, redact: Redact): string {
  const redacted: unknown = callPageFunction('redact', () => redact(text, 'send'));
  if (typeof redacted === 'string') return redacted;
  throw new ChatError('protocol', 'The function `redact` must return a string.');
}

/** Redacts the texts of a user's answer. */
export function redactAnswer(answer: Answer, redact: Redact | undefined): Answer {
  if (!redact) return answer;
  const { payload, note, arguments: changed } = answer;
  return {
    ...answer,
    ...(payload !== undefined && { payload: redactIn(payload, redact, 0) }),
    ...(note !== undefined && { note: redactText(note, redact) }),
    ...(changed !== undefined && { arguments: redactIn(changed, redact, 0) }),
  };
}

/** Deeper values of an answer stay unchanged. */
const MAX_DEPTH = 64;

/** Redacts each text in the answer to a form, and in the values of a surface. */
function redactIn(value: unknown, redact: Redact, depth: number): unknown {
  if (typeof value === 'string') return redactText(value, redact);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => redactIn(item, redact, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactIn(inner, redact, depth + 1)]));
}
