import type { Said } from '../corpora/conversation.ts';

/** A way of showing a conversation that has already been held. */
export interface Opener {
  /** Shows it in place of what the host has. Resolves with what scrolls when its end can be read. */
  open(host: HTMLElement, messages: readonly Said[]): Promise<HTMLElement>;
}
