import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { ChatSettings } from '../chat-settings.ts';

/** The place a message was written in, usually the composer, to which its text returns if it is not sent. */
export interface MessageOrigin {
  /**
   * The questions that were in view when the user sent it, and before the user began to write it. Undefined: it was not written in a
   * view of the conversation.
   */
  readonly seen?: readonly AssistantMessageBlock[] | undefined;
  /** Called when the message leaves the composer: it is shown, waits or is sent, or it answers a question. */
  taken(): void;
  /** Called with a message that is not sent and is no longer part of the conversation. */
  restoreDraft(message: ChatMessage): void;
}

export interface SendMessageOptions {
  readonly signal?: AbortSignal | undefined;
  readonly origin?: MessageOrigin | undefined;
  /**
   * This message goes to the agent of that one, instead of the chosen agent: of the message whose button the user has pressed, or of the
   * failed message that is sent again. Such a message answers no question.
   */
  readonly sameAgentAs?: ChatMessage | undefined;
}

/** How a message is sent, also in the conversation that replaces its own. */
export interface SendingOptions extends SendMessageOptions {
  /** Whether it has failed before: if it is not sent, it stays in the conversation. */
  readonly isResent?: boolean | undefined;
  /** The settings when the user sent it. Default: the current ones. */
  readonly to?: ChatSettings | undefined;
}
