/** Manages the active conversation, and loads the conversation manager when there is something to store or to restore. */
import type { ReactiveController } from 'lit';
import type { Chat } from '../../runtime/chat/chat.ts';
import { ChatError } from '../../errors.ts';
import { detailOf } from '../../runtime/error-detail.ts';
import { withStorageTimeout } from '../../storage/stores/storage-timeout.ts';
import { userOf } from '../../storage/settings/user-key.ts';
import type { ConversationManager } from '../../storage/conversation-manager.ts';
import type { ConversationManagerHost } from '../../storage/settings/manager-host.ts';
import { addEnglish } from '../../locales/english/loaded-english.ts';
import { newId } from '../../runtime/new-id.ts';
import { hasStoredData } from '../../storage/stores/has-stored-data.ts';
import { PendingTextNotes } from '../../storage/records/pending-text.ts';
import { loadTurnChunk } from './load-chunks.ts';
import { warnOnce } from './attribute-converters.ts';

export interface ConversationsHost extends Omit<ConversationManagerHost, 'show'> {
  /** Called when the active conversation has changed, or another one has become active. */
  changed(): void;
  /** Called when another conversation has become active. */
  conversationShown(threadId: string): void;
  /** Called when a conversation that is not stored has got an id. */
  idAssigned(threadId: string): void;
  /** Called when the user has changed: nothing of the previous user stays visible. */
  ownerChanged(): void;
}

export class ConversationsController implements ReactiveController {
  readonly #host: ConversationsHost;
  #chat: Chat;
  readonly #pendingText = new PendingTextNotes();
  #unsubscribe: () => void = () => undefined;
  #manager: ConversationManager | undefined;
  #loading: Promise<ConversationManager> | undefined;
  #userKey: string | undefined;
  #connected = false;
  #readyPromise: Promise<void> | undefined;
  /** The `#storageKey` of the conversations that were restored last. */
  #restoredKey: string | undefined;
  /** The id that `#assignId` has reported. */
  #assignedId: string | undefined;
  /** Whether a read of the stored conversation has timed out, and is still running. */
  #timedOut = false;
  /** Answer drafts from before the manager was loaded. */
  readonly #answerDrafts = new Map<string, unknown>();

  constructor(host: ConversationsHost) {
    this.#host = host;
    this.#chat = host.makeChat();
    this.#observe(this.#chat);
  }

  /** The active conversation. */
  get chat(): Chat {
    return this.#chat;
  }

  /** Identifies the stored conversations: storage, endpoint and user. */
  get #storageKey(): string {
    const { persist, endpoint, storage } = this.#host.settings();
    return JSON.stringify([persist, endpoint, userOf(storage)]);
  }

  get #isPersistent(): boolean {
    return this.#host.settings().persist !== 'none';
  }

  hostConnected(): void {
    this.#connected = true;
    addEventListener('pagehide', this.#handlePagehide);
    addEventListener('pageshow', this.#handlePageshow);
    document.addEventListener('visibilitychange', this.#handleHidden);
    document.addEventListener('freeze', this.#handleHidden);
    void this.#manager?.resumeFromCache();
  }

  hostDisconnected(): void {
    this.#connected = false;
    removeEventListener('pagehide', this.#handlePagehide);
    removeEventListener('pageshow', this.#handlePageshow);
    document.removeEventListener('visibilitychange', this.#handleHidden);
    document.removeEventListener('freeze', this.#handleHidden);
    this.#manager?.saveBeforeUnload({ release: false });
  }

  /** Called when the element was removed: the manager releases it as soon as its replies have ended. */
  releaseWhenIdle(): void {
    // The manager may still be loading.
    void this.#loading?.then(
      (manager) => {
        if (!this.#connected) manager.disconnect();
      },
      () => undefined,
    );
  }

  /** Called when the element was removed for good: aborts its replies, and cancels an open question of the current conversation. */
  abortReplies(): void {
    this.#manager?.saveBeforeUnload({ release: true });
    this.#chat.interrupt();
  }

  /** Applies changed settings; the user may be another one. */
  update(): void {
    const { persist, storage } = this.#host.settings();
    const user = userOf(storage);
    const userChanged = this.#userKey !== undefined && user !== this.#userKey;
    this.#userKey = user;
    if (this.#manager) this.#manager.update();
    else {
      // An empty conversation contains nothing of the previous user. A new id would hide the next user's stored conversation.
      if (userChanged && (this.#chat.busy || this.#chat.hasPending || this.#chat.messages.length > 0))
        this.#startEmpty();
      else if (userChanged) this.#forgetUnsent();
      if (persist === 'local' || (persist === 'session' && (storage?.store || hasStoredData())))
        this.#withManager(() => undefined);
    }
    if (userChanged) this.#host.ownerChanged();
    this.#assignId();
  }

  /** Reports the id of a started conversation that is not stored. A stored one gets its id from the manager. */
  #assignId(): void {
    const { persist, threadId } = this.#host.settings();
    if (this.#manager || persist !== 'none') return;
    const chat = this.#chat;
    // The page has set another id.
    if (this.#assignedId !== undefined && threadId !== this.#assignedId) chat.storedId = this.#assignedId = undefined;
    if (threadId !== this.#assignedId || (threadId === undefined && chat.isEmpty)) return;
    chat.storedId = chat.threadId;
    if (chat.storedId === threadId) return;
    this.#assignedId = chat.storedId;
    this.#host.idAssigned(chat.storedId);
  }

  /** Loads the manager early, because the user is about to interact. */
  readonly preload = (): void => {
    if (this.#isPersistent) void this.ready();
  };

  /** Resolves when stored conversations were read or the storage timed out; undefined if there is nothing to wait for. */
  ready(): Promise<unknown> | undefined {
    this.update();
    if (!this.#isPersistent || this.#timedOut) return undefined;
    this.#readyPromise ??= this.#read().finally(() => {
      this.#readyPromise = undefined;
    });
    return this.#readyPromise;
  }

  /** Like `ready()`, but undefined as soon as the current conversation is restored, and if there is none to restore. */
  restoring(): Promise<unknown> | undefined {
    this.update();
    const isRestored = this.#manager?.isRead === true && this.#restoredKey === this.#storageKey;
    return isRestored || !this.#loading ? undefined : this.ready();
  }

  /** Waits until the stored conversation was read. After a timeout, the manager adds the stored conversation before it writes. */
  async #read(): Promise<void> {
    await this.#waitOnce(this.#restore());
  }

  /**
   * Waits for an operation that only reads the storage. After a timeout, messages are sent without waiting for the storage, until
   * the operation that timed out has ended.
   *
   * @returns undefined after a timeout
   */
  async #waitOnce<Result>(reading: Promise<Result>): Promise<Result | undefined> {
    if (this.#timedOut) return undefined;
    try {
      return await withStorageTimeout(reading);
    } catch (error) {
      this.#timedOut = true;
      const ended = (): void => {
        this.#timedOut = false;
      };
      reading.then(ended, ended);
      if (error instanceof ChatError) this.#host.fail(detailOf(error), 'storage-failed');
      return undefined;
    }
  }

  /** Restores stored conversations. If the chunk fails to load, the chat continues without storage. */
  async #restore(): Promise<void> {
    const key = this.#storageKey;
    await this.manager().then(
      (manager) => manager.ready,
      () => undefined,
    );
    this.#restoredKey = key;
  }

  /**
   * Runs an operation on the current user's conversations, immediately if the manager is loaded.
   *
   * @throws ChatError of kind `storage` after a timeout, or if the user changes before the operation has started.
   */
  run<Result>(operation: (manager: ConversationManager) => Result | Promise<Result>): Promise<Result> {
    this.update();
    const user = this.#userKey;
    if (this.#manager) return withStorageTimeout(Promise.resolve(operation(this.#manager)));
    return withStorageTimeout(
      this.manager().then((manager) => {
        if (user !== this.#userKey) throw new ChatError('storage', 'The user changed before the operation started.');
        return operation(manager);
      }),
    );
  }

  /** Loads the conversation manager. */
  manager(): Promise<ConversationManager> {
    // The chunk of the turn contains code that the storage uses. If it fails to load, sending a message reports that.
    void loadTurnChunk().catch(() => undefined);
    this.#loading ??= import('./storage-chunk.ts').then(
      ({ ConversationManager: Manager, enStorage }) => {
        addEnglish(enStorage);
        this.#manager = new Manager(
          {
            ...this.#host,
            settings: () => this.#host.settings(),
            show: (chat, threadId) => {
              this.#observe(chat);
              this.#host.conversationShown(threadId);
            },
          },
          this.#chat,
        );
        return this.#manager;
      },
      (error: unknown) => {
        this.#loading = undefined;
        warnOnce(`the storage could not be loaded, conversations are not stored: ${String(error)}`);
        throw error;
      },
    );
    return this.#loading;
  }

  /** Resolves when this tab may run the reply; undefined if no other tab could. */
  acquireReplyLock(chat: Chat): Promise<unknown> | undefined {
    return this.#manager?.acquire(chat, (reading) => this.#waitOnce(reading));
  }

  /** Stores the text of the composer as a draft. Default: of the current conversation. */
  storeDraft(text: string, chat = this.#chat): void {
    if (!this.#isPersistent) return;
    this.#withManager((manager) => {
      manager.setDraft(text, chat);
    });
  }

  /** Returns the draft of the user's answer to a block. */
  answer(blockId: string): unknown {
    return this.#manager ? this.#manager.answer(blockId) : this.#answerDrafts.get(blockId);
  }

  /** Stores the draft of the user's answer to a block; undefined deletes it. */
  setAnswer(blockId: string, value: unknown): void {
    this.#answerDrafts.set(blockId, value);
    if (!this.#isPersistent && !this.#manager) return;
    this.#withManager((manager) => {
      manager.setAnswer(blockId, value);
    });
  }

  /** Clears the conversation. One that is still being restored is deleted afterwards, before any message is sent. */
  clear(): void {
    const chat = this.#chat;
    chat.cancelPending();
    this.#host.composer().cancelSend();
    if (!this.ready() || this.#restoredKey === this.#storageKey) this.#clearStored(chat);
    else {
      chat.empty();
      chat.afterRestoring(() => {
        this.#clearStored(chat);
      });
    }
  }

  #clearStored(chat: Chat): void {
    if (this.#manager && chat === this.#chat) this.#manager.clear();
    else chat.empty();
  }

  /** Runs an operation of the manager; skipped if its chunk fails to load. */
  #withManager(operation: (manager: ConversationManager) => void): void {
    this.manager().then(operation, () => undefined);
  }

  /** Discards the drafts and approvals of the previous user. */
  #forgetUnsent(): void {
    this.#host.approvals.dropAll();
    this.#host.composer().reset();
    this.#answerDrafts.clear();
  }

  #startEmpty(): void {
    this.#chat.interrupt({ forGood: true });
    const chat = this.#host.makeChat();
    chat.storedId = this.#assignedId = newId();
    this.#observe(chat);
    this.#forgetUnsent();
    this.#host.conversationShown(this.#chat.threadId);
  }

  #observe(chat: Chat): void {
    this.#unsubscribe();
    this.#chat = chat;
    this.#unsubscribe = chat.store.subscribe(() => {
      this.#pendingText.update(chat.store.state.pending, () => this.#host.settings());
      this.#assignId();
      if (!this.#manager && (chat.busy || chat.hasPending)) this.preload();
      this.#host.changed();
    });
  }

  readonly #handlePagehide = ({ persisted }: PageTransitionEvent): void => {
    this.#manager?.saveBeforeUnload({ release: persisted });
  };

  readonly #handleHidden = (): void => {
    if (document.visibilityState === 'hidden') this.#manager?.saveBeforeUnload({ release: false });
  };

  readonly #handlePageshow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) void this.#manager?.resumeFromCache();
  };
}
