/** What a page lets the reader do with a message. Source: the contract, `messageActions`. */
import type { ChatMessage } from '../model/message.ts';

/** A button of the page’s own below a message. */
export interface MessageAction {
  /** The `action` of the `agent-chat-action` that it makes. */
  readonly id: string;
  readonly label: string;
  /** Drawn in a button below the message; without it the label stands in the menu there. */
  readonly icon?: SVGElement;
  /** Whether a message has it; all have it by default. */
  readonly applies?: (message: ChatMessage) => boolean;
  /** What it does, unless `agent-chat-action` was prevented. */
  readonly run?: (message: ChatMessage) => unknown;
}

/** Those of a message: with a picture below it, or in its menu. */
export const offered = (
  actions: readonly MessageAction[],
  message: ChatMessage,
  place: 'toolbar' | 'menu',
): readonly MessageAction[] =>
  actions.filter(
    ({ icon, applies }) => (place === 'toolbar') === icon instanceof SVGElement && applies?.(message) !== false,
  );
