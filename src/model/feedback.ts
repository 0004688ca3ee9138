/** What a reader thinks of an answer. It stands in the message's `metadata.feedback`, so that it is kept and exported with it. */
import { isRecord } from './json.ts';
import type { ChatMessage } from './message.ts';

export interface Feedback {
  readonly value: 'up' | 'down';
  /** The reader's reason, in words. */
  readonly comment?: string;
  /** What the server calls it, where it has answered with an `id`: a change of mind names it. */
  readonly id?: string;
}

/** (A page's own history may hold anything there.) */
export function feedbackOf({ metadata }: ChatMessage): Feedback | undefined {
  const given = metadata?.['feedback'];
  if (!isRecord(given)) return undefined;
  const { value, comment, id } = given;
  if (value !== 'up' && value !== 'down') return undefined;
  return { value, ...(typeof comment === 'string' && { comment }), ...(typeof id === 'string' && { id }) };
}

/** The message with that, or without any. */
export function withFeedback(message: ChatMessage, feedback: Feedback | undefined): ChatMessage {
  const { feedback: _before, ...metadata } = message.metadata ?? {};
  return { ...message, metadata: feedback ? { ...metadata, feedback } : metadata };
}
