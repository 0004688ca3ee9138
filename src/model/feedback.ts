/**
 * The user's rating of an answer. It is part of the message's `metadata.feedback`, so that it is stored and exported
 * with it.
 */
import { isRecord } from './json.ts';
import type { ChatMessage } from './message.ts';

export interface Feedback {
  readonly value: 'up' | 'down';
  /** The user's explanation. */
  readonly comment?: string;
  /** The server's `id` of the rating, if it returned one; sent again when the rating changes. */
  readonly id?: string;
}

/** Reads the rating of a message. A host page's own history may contain invalid values. */
export function feedbackOf({ metadata }: ChatMessage): Feedback | undefined {
  const stored = metadata?.['feedback'];
  if (!isRecord(stored)) return undefined;
  const { value, comment, id } = stored;
  if (value !== 'up' && value !== 'down') return undefined;
  return { value, ...(typeof comment === 'string' && { comment }), ...(typeof id === 'string' && { id }) };
}

/** Returns the message with this rating, or without any. */
export function withFeedback(message: ChatMessage, feedback: Feedback | undefined): ChatMessage {
  const { feedback: _before, ...metadata } = message.metadata ?? {};
  return { ...message, metadata: feedback ? { ...metadata, feedback } : metadata };
}
