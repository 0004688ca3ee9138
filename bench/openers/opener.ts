import type { Message } from '../corpora/conversation.ts';

/** A way to show an existing conversation. */
export interface Opener {
  /** Replaces the host's content. Resolves with the scroll container when the end of the conversation is visible. */
  open(host: HTMLElement, messages: readonly Message[]): Promise<HTMLElement>;
}
