import type { ChatMessage } from '../../model/message.ts';

/** The place a message was written in, usually the composer, to which its text returns if it is not sent. */
export interface MessageOrigin {
  /** When the user began to write, in milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** The message has left the composer: it is shown, waits or is sent, or it answers a question. */
  taken(): void;
  /** The message is not sent and no longer part of the conversation. */
  restoreDraft(message: ChatMessage): void;
}
