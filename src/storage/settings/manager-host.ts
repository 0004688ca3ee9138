import type { Approvals } from '../../runtime/approvals.ts';
import type { Chat } from '../../runtime/chat/chat.ts';
import type { ErrorDetail } from '../../runtime/error-detail.ts';
import type { PersistenceSettings } from './storage-settings.ts';
import type { StorageProblem } from '../stores/storage-errors.ts';

/** The composer, as seen by the storage code. */
export interface ComposerDraft {
  readonly text: string;
  setText(text: string): void;
  /**
   * Cancels the send that waits for its files, because another conversation is shown. The text stays a draft of its
   * conversation. The files stay in the composer: they are sent to no conversation until the user presses send again.
   */
  cancelSend(): void;
  /** Removes text, files and the input history, because another user has signed in or all data was deleted. */
  reset(): void;
}

/** The widget, as seen by the storage code. */
export interface ConversationManagerHost {
  settings(): PersistenceSettings;
  makeChat(): Chat;
  /** The permanent tool approvals of all conversations. */
  readonly approvals: Approvals;
  composer(): ComposerDraft;
  /** Called when another conversation becomes current. */
  show(chat: Chat, threadId: string): void;
  /**
   * Chooses the agent that has answered last in a restored conversation, unless one is chosen.
   * @returns the chosen agent; none if the page does not list this one
   */
  continueWith(agentId: string): string | undefined;
  /** Called once when storage fails, and when messages had to leave a conversation that another tab has deleted. */
  fail(detail: ErrorDetail, problem: StorageProblem): void;
}
