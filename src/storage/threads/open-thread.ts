/** An open conversation, current or in the background. Its reply continues in the background. */
import type { ChatMessage } from '../../model/message.ts';
import type { Chat } from '../../runtime/chat/chat.ts';
import type { ChatState } from '../../runtime/chat/chat-state.ts';
import type { StoredThread, ThreadSummary } from '../stores/conversation-store.ts';
import type { Deletions } from '../stores/deletion-marks.ts';
import { FollowedReply } from './followed-reply.ts';
import { nothingReported, type ReportedState } from './reported-state.ts';
import { titleOf } from '../records/thread-title.ts';
import type { StorageBackend } from '../stores/storage-backend.ts';
import { nextStatus, type ThreadEvent, type ThreadStatus } from './thread-status.ts';

export class OpenThread {
  id: string;
  readonly chat: Chat;
  /** The name given by the user or the page's store. Empty: the title is taken from the first message. */
  name = '';
  updated = Date.now();
  draft = '';
  /** Messages with files that an earlier page had queued. As long as a reply is running they are only stored. */
  unsent: readonly ChatMessage[] = [];
  /** Unsent answers of the user, by the id of the question's block. */
  readonly answers = new Map<string, unknown>();
  unread = 0;
  /** The agent that answered last before the conversation was restored, until it is chosen again. */
  lastAgent: string | undefined;
  /** The promise of a reply that another tab runs. */
  readonly followed: FollowedReply;
  /** The state that was last reported to other tabs. */
  reported: ReportedState = nothingReported;
  /** The stores of this conversation; undefined if nothing is stored. */
  backend: StorageBackend | undefined;
  /**
   * Whether this tab knows what its store has under this id: it has created the id, read the conversation, or received it
   * from another tab. Until then nothing is written, because a store may replace the whole conversation.
   */
  isRead = false;
  /** Resolves when the first attempt to read it has ended. */
  restored: Promise<unknown> = Promise.resolve();
  /** The deletion marks when it was started or loaded. A different mark means that it was deleted. */
  knownDeletions: Deletions | undefined;
  /** Resolves when `knownDeletions` has been read. */
  deletionsRead: Promise<unknown> = Promise.resolve();
  /** The copy that this tab has written to the journal and that may not be in the store yet. */
  journaled: StoredThread | undefined;
  #status: ThreadStatus = 'untouched';
  #applying = false;
  readonly #end: () => void;
  #previousState: ChatState;

  /** @param changed - called after each change made in this tab, with the previous state */
  constructor(chat: Chat, id: string, changed: (thread: OpenThread, before: ChatState) => void) {
    this.chat = chat;
    this.followed = new FollowedReply(chat);
    this.id = id;
    chat.storedId = id;
    this.#previousState = chat.store.state;
    this.#end = chat.store.subscribe(() => {
      const before = this.#previousState;
      this.#previousState = chat.store.state;
      if (!this.#applying) changed(this, before);
    });
  }

  get status(): ThreadStatus {
    return this.#status;
  }

  move(event: ThreadEvent): void {
    this.#status = nextStatus(this.#status, event);
  }

  /** Marks a conversation that nobody asked for. A conversation started in another tab may replace it. */
  markFresh(): void {
    if (this.#status === 'untouched') this.#status = 'fresh';
  }

  /** Applies a change from the store or another tab, which is neither stored nor reported. */
  apply(change: () => void): void {
    this.#applying = true;
    try {
      change();
    } finally {
      this.#applying = false;
    }
  }

  /** Whether the user has done something in it. Before that, nothing is stored. */
  get isActive(): boolean {
    return !INACTIVE.has(this.#status);
  }

  /** Whether another tab has its running reply. */
  get isElsewhere(): boolean {
    return this.#status === 'running-elsewhere';
  }

  get isDeleted(): boolean {
    return this.#status === 'deleted';
  }

  get isEmpty(): boolean {
    return this.chat.isEmpty;
  }

  /** Whether a reply is running, here or in another tab. */
  get running(): boolean {
    return this.chat.store.state.stage !== 'none';
  }

  get summary(): ThreadSummary {
    return { id: this.id, title: this.name || titleOf(this.chat.messages), updated: this.updated };
  }

  /** Adopts a title from a store or another tab. One that equals the automatic title does not become a name. */
  adoptTitle(title: string): void {
    this.name = title === titleOf(this.chat.messages) ? '' : title;
  }

  /** Ends the subscription to the chat. */
  end(): void {
    this.#end();
  }
}

const INACTIVE: ReadonlySet<ThreadStatus> = new Set(['fresh', 'untouched', 'deleted']);
