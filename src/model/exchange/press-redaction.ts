/**
 * A press in a surface contains what the user has entered, in any form: the agent's functions format it, join it, or compute with it.
 * So it is built again from redacted input before it is sent or stored.
 */
import { isRecord } from '../json.ts';
import type { ChatMessage } from '../message.ts';

/** What the press sends, built from the input as `redactValue` returns it. */
export type PressRedaction = (redactValue: (value: unknown) => unknown) => {
  readonly text: string;
  readonly values: Readonly<Record<'context', unknown>> & { readonly dataModel?: unknown };
};

/** By the values of the press, which are the same object in its message. A restored message was redacted before it was stored. */
const redactions = new WeakMap<object, PressRedaction>();

export const setPressRedaction = (context: object, redaction: PressRedaction): void => {
  redactions.set(context, redaction);
};

/** The message of a press with redacted input. Any other message stays the same object. */
export function withRedactedPress(message: ChatMessage, redactValue: (value: unknown) => unknown): ChatMessage {
  const data = message.metadata?.['data'];
  const context = isRecord(data) ? data['context'] : undefined;
  const redaction = isRecord(context) ? redactions.get(context) : undefined;
  if (!redaction || !isRecord(data)) return message;
  const { text, values } = redaction(redactValue);
  return {
    ...message,
    blocks: message.blocks.map((block) => (block.type === 'content' ? { ...block, content: text } : block)),
    metadata: { ...message.metadata, data: { ...data, ...values } },
  };
}
