/** Custom message actions of the page (the property `messageActions`). */
import type { ChatMessage } from '../../model/message.ts';

/** A custom action for messages: a toolbar button or a menu item. */
export interface MessageAction {
  /** The `action` in the detail of `agent-chat-action`. */
  readonly id: string;
  readonly label: string;
  /** Shows the action as a toolbar button with this icon; without it the action is an item of the message menu. */
  readonly icon?: SVGElement;
  /** Whether the action applies to a message. Default: it applies to all. */
  readonly applies?: (message: ChatMessage) => boolean;
  /** Runs the action, unless `agent-chat-action` was cancelled. */
  readonly run?: (message: ChatMessage) => unknown;
}

/** Returns the actions of a message for its toolbar (those with an icon) or its menu. */
export const actionsFor = (
  actions: readonly MessageAction[],
  message: ChatMessage,
  position: 'toolbar' | 'menu',
): readonly MessageAction[] =>
  actions.filter(
    ({ icon, applies }) => (position === 'toolbar') === icon instanceof SVGElement && applies?.(message) !== false,
  );
