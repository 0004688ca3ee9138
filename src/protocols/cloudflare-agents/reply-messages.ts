/**
 * A reply that continues after a page tool or an approval is one message of the widget, but several of the agent: each
 * request creates a new one. If the next request merged them, the agent would store the calls twice, and model providers
 * reject repeated call ids. Source: `@cloudflare/ai-chat` 0.12.2, `persistMessages`.
 */
import { enumerate } from '../../enumerate.ts';
import type { ChatMessage } from '../../model/message.ts';
import { z } from '../../model/schema.ts';
import { continuedMessage, messageIdOf, uiReplyParts } from '../ai-sdk/history.ts';
import type { Turn } from '../core/adapter.ts';
import { lenientString } from '../shared/lenient.ts';

/** A message of the agent, and the last call in it. */
const endedMessage = z.object({ id: z.string(), lastCall: z.string() });
type EndedMessage = z.infer<typeof endedMessage>;

const readEnded = (metadata: ChatMessage['metadata']): readonly EndedMessage[] =>
  z.array(endedMessage).safeParse(metadata?.['endedMessages']).data ?? [];

const uiMessages = z.array(
  z.looseObject({ id: z.string(), role: z.string(), parts: z.array(z.looseObject({ toolCallId: lenientString })) }),
);

/** The agent's messages that belong to the reply that this turn continues. */
export function endedMessages(turn: Turn): readonly EndedMessage[] {
  const message = continuedMessage(turn);
  if (!message) return [];
  const before = readEnded(message.metadata);
  const lastCall = uiReplyParts(message, turn).findLast(({ toolCallId }) => toolCallId !== undefined)?.toolCallId;
  return lastCall === undefined ? before : [...before, { id: messageIdOf(message), lastCall }];
}

/** The messages of a request, as the agent has stored them. */
export function splitReplies(messages: unknown, turn: Turn): unknown {
  const { data } = uiMessages.safeParse(messages);
  return (
    data?.flatMap((message) => {
      const reply = turn.messages.find((other) => other.role === 'assistant' && messageIdOf(other) === message.id);
      const ended = readEnded(reply?.metadata);
      const replies: (typeof message)[] = [];
      let rest = message.parts;
      for (const [index, { id, lastCall }] of enumerate(ended)) {
        // The agent may also have continued its own message.
        if (id === (ended[index + 1]?.id ?? message.id)) continue;
        const length = rest.findIndex(({ toolCallId }) => toolCallId === lastCall) + 1;
        if (length > 0) replies.push({ ...message, id, parts: rest.slice(0, length) });
        rest = rest.slice(length);
      }
      return rest.length > 0 ? [...replies, { ...message, parts: rest }] : replies;
    }) ?? messages
  );
}
