/** The page's last word on what the reader says, before it leaves for the agent. What is on show stays as it was written. */
import type { ChatMessage } from '../model/message.ts';
import type { Answer } from '../protocols/adapter.ts';
import type { Redact } from './keeping/conversation-store.ts';

/** What makes messages ready to be sent. It asks the page once for each: a conversation goes out with every turn. */
export function redactFor(redact: Redact | undefined): (message: ChatMessage) => ChatMessage {
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
  // What an agent in the page takes has the words once more.
  const content = metadata?.['content'] as { readonly text?: unknown } | undefined;
  return {
    blocks: blocks.map((block) =>
      block.type === 'content' ? { ...block, content: redact(block.content, 'send') } : block,
    ),
    ...(typeof content?.text === 'string' && {
      metadata: { ...metadata, content: { ...content, text: redact(content.text, 'send') } },
    }),
  };
}

/** An answer in the reader's own words. */
export function redactAnswer(answer: Answer, redact: Redact | undefined): Answer {
  if (!redact) return answer;
  const { payload, note, arguments: changed } = answer;
  return {
    ...answer,
    ...(payload !== undefined && { payload: redactIn(payload, redact, 0) }),
    ...(note !== undefined && { note: redact(note, 'send') }),
    ...(changed !== undefined && { arguments: redactIn(changed, redact, 0) }),
  };
}

/** Deeper answers nobody gives. */
const MAX_DEPTH = 64;

/** The same done to each text of a form's answer. */
function redactIn(value: unknown, redact: Redact, depth: number): unknown {
  if (typeof value === 'string') return redact(value, 'send');
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => redactIn(item, redact, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactIn(inner, redact, depth + 1)]));
}
