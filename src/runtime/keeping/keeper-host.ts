import type { Approvals } from '../approvals.ts';
import type { Chat } from '../chat.ts';
import type { ErrorDetail } from '../hooks.ts';
import type { KeepSettings } from './keep-settings.ts';
import type { StorageProblem } from './trouble.ts';

/** Where the reader writes, as far as what keeps conversations has to know of it. */
export interface DraftPlace {
  readonly text: string;
  setText(text: string): void;
  /** Files that were attached and not sent are not for the next reader. */
  dropFiles(): void;
}

/** What keeps conversations has of the widget around it. */
export interface KeeperHost {
  settings(): KeepSettings;
  makeChat(): Chat;
  /** What the reader has allowed for good, in all conversations. */
  readonly approvals: Approvals;
  composer(): DraftPlace;
  /** Another conversation is on show. */
  show(chat: Chat, threadId: string): void;
  /** Something can't be kept. Told once. */
  fail(detail: ErrorDetail, problem: StorageProblem): void;
}
