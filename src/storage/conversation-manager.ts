/**
 * Manages the conversations of a widget. Each is a chat of its own, saved while it grows and restored after a reload,
 * in every tab. `docs/decisions/storage.md` gives the reasons.
 */
import { sentSecrets } from '../safety/sent-secrets.ts';
import { ChatError } from '../errors.ts';
import type { Approval } from '../runtime/approvals.ts';
import type { Chat } from '../runtime/chat/chat.ts';
import { detailOf } from '../runtime/error-detail.ts';
import { storageAgent, type StorageAgent } from '../runtime/storage-agent.ts';
import type { ChatState } from '../runtime/chat/chat-state.ts';
import { newId } from '../runtime/new-id.ts';
import { readApprovals, storableApprovals } from './records/read-approvals.ts';
import { StorageRunner } from './stores/try-storage.ts';
import { ConversationRestorer } from './restore-conversation.ts';
import { TabSync } from './tabs/tab-sync.ts';
import type { StoredThread, ThreadInfo } from './stores/conversation-store.ts';
import { isDeleted } from './stores/deletion-marks.ts';
import { nothingReported } from './threads/reported-state.ts';
import { createStorageSerializer, type StorageSerializer } from '../runtime/masking/redact-for-storage.ts';
import type { ConversationManagerHost } from './settings/manager-host.ts';
import {
  isAnotherOwner,
  storageLocation,
  type PersistenceSettings,
  type Owner,
  type StorageLocation,
} from './settings/storage-settings.ts';
import type { OpenThread } from './threads/open-thread.ts';
import { OpenThreads } from './threads/open-threads.ts';
import { createStorageBackend, type StorageBackend } from './stores/storage-backend.ts';
import { forgetConsent, type ConsentOptions } from './records/consent-record.ts';
import { lastOpenThreadId, readThread } from './records/read-thread.ts';
import { Autosave } from './threads/autosave.ts';
import { summarizeThreads } from './threads/summarize-threads.ts';
import { Drafts } from './threads/drafts.ts';
import { moveUnsent } from './threads/move-unsent.ts';
import { toStoredThread, writeThread } from './threads/write-thread.ts';

export class ConversationManager {
  readonly #host: ConversationManagerHost;
  readonly #threads = new OpenThreads((thread, before) => {
    this.#changed(thread, before);
  });
  readonly #storage = new StorageRunner({
    isOwn: () => this.#host.settings().storage?.store !== undefined,
    fail: (detail, problem) => {
      this.#host.fail(detail, problem);
    },
  });
  readonly #drafts = new Drafts({
    storage: this.#storage,
    backend: () => this.#backend,
    serializer: () => this.#serializer,
  });
  readonly #autosave = new Autosave((thread, copy) => this.#write(thread, copy));
  readonly #tabs: TabSync;
  readonly #restorer: ConversationRestorer;
  #current: OpenThread;
  #backend: StorageBackend | undefined;
  /** The owner of the open conversations. */
  #owner: Owner;
  /** Identifies the store of the open conversations, see `StorageLocation`. */
  #storeKey = '';
  /** The agent that stands for a missing endpoint in the storage. */
  #agent: StorageAgent | undefined;
  #serializer: StorageSerializer;
  #restoring: Promise<void> = Promise.resolve();
  /** The page is or was left: state changes are ignored. */
  #hasLeft = false;
  #isDisconnected = false;
  /** Chats of deleted conversations, which must not send anything. */
  readonly #dropped = new WeakSet<Chat>();
  /** Called when the list of conversations changes, but not through the methods of this class. */
  onListChange: (() => void) | undefined;

  constructor(host: ConversationManagerHost, chat: Chat) {
    this.#host = host;
    this.#tabs = new TabSync({
      all: () => this.#threads.all,
      thread: (id) => this.#threads.get(id),
      join: (id) => this.#join(id),
      reload: (thread) => this.#restorer.reload(thread),
      lost: (thread) => {
        this.#restoring = this.#restorer.reclaim(thread).catch(() => undefined);
      },
      deletedElsewhere: (id) => {
        this.#drop(id, BY_OTHERS);
      },
      listChanged: () => this.onListChange?.(),
      approvalsChanged: (list) => {
        if (this.#sharesApprovals) host.approvals.replace(readApprovals(list));
      },
      allDeletedElsewhere: () => {
        this.#empty(BY_OTHERS);
        forgetConsent(host.settings());
        // Data that another tab deleted may also be in this tab's storage.
        const backend = this.#backend;
        if (backend && !backend.shared) void this.#storage.run(() => backend.deleteAll(), { silent: true });
      },
    });
    this.#restorer = new ConversationRestorer({
      storage: this.#storage,
      drafts: this.#drafts,
      tabs: this.#tabs,
      backend: () => this.#backend,
      serializer: () => this.#serializer,
      composer: () => host.composer(),
      isCurrent: (thread) => thread === this.#current,
      continueWithAgent: (thread) => {
        this.#continueWithAgent(thread);
      },
      isDeleted: (thread) => this.#dropDeleted(thread),
      isOpen: (thread) => this.#threads.has(thread),
      becameIdle: (thread) => {
        this.#releaseIfIdle(thread);
      },
    });
    host.approvals.subscribe((list) => {
      const stored = (): readonly Approval[] => storableApprovals(list, this.#serializer.text);
      void this.#storage.run(() => this.#backend?.notes.set('approvals', stored()));
      if (this.#sharesApprovals) this.#tabs.approvalsChanged(list);
    });
    this.#serializer = this.#createSerializer();
    this.#owner = this.#settings.owner;
    this.#current = this.#adopt(chat, chat.threadId);
    this.#takeOver(this.#current);
    this.update();
  }

  /** Adopts the state of a conversation that started before storage was set up. */
  #takeOver(thread: OpenThread): void {
    const { since, stage } = thread.chat.store.state;
    const isNew = this.#settings.threadId === undefined;
    thread.isRead = isNew;
    if (since > 0) thread.move('begin');
    else if (isNew) thread.markFresh();
    if (stage === 'none') thread.move('end');
  }

  /** Whether the permanent tool approvals apply in all tabs. In `sessionStorage` each tab has its own. */
  get #sharesApprovals(): boolean {
    return this.#backend !== undefined && this.#backend.notes !== this.#backend.tab;
  }

  /** Resolves when the current conversation was read from its store, or could not be read. */
  get ready(): Promise<unknown> {
    return this.#tabs
      .caughtUp(this.#current)
      .then(() => this.#restoring)
      .then(() => this.#current.restored)
      .then(() => this.#dropDeleted(this.#current));
  }

  /** Whether the current conversation was read from its store, or is a new one. */
  get isRead(): boolean {
    return this.#current.isRead;
  }

  /** Applies changed settings. */
  update(): void {
    const { owner, storeKey } = this.#settings;
    let { threadId } = this.#settings;
    const isOwnerChanged = isAnotherOwner(this.#owner, owner);
    this.#owner = owner;
    if (isOwnerChanged) {
      // That id belongs to the previous conversation, unless the page has just set another one.
      if (threadId === this.#current.id) threadId = undefined;
      // Running replies are interrupted, not cancelled: the previous user may come back and resume them.
      this.#leave();
      this.#show(this.#adopt(this.#host.makeChat()), { silent: true });
      if (threadId === undefined) this.#current.markFresh();
    }
    if (storeKey !== this.#storeKey) {
      if (isOwnerChanged) this.#host.approvals.dropAll();
      this.#storeKey = storeKey;
      this.#switchStore(threadId);
    } else if (threadId !== undefined && threadId !== this.#current.id) void this.open(threadId, { byPage: true });
    // The page may only now have listed the agent that replied last.
    this.#continueWithAgent(this.#current);
  }

  /** Until a new turn begins, a restored conversation stays with the agent that replied last. */
  #continueWithAgent(thread: OpenThread): void {
    const { lastAgent } = thread;
    if (lastAgent !== undefined && this.#host.continueWith(lastAgent)) thread.lastAgent = undefined;
  }

  get #settings(): PersistenceSettings & StorageLocation {
    const settings = this.#host.settings();
    this.#agent = storageAgent(settings, this.#agent);
    return { ...settings, ...storageLocation({ ...settings, endpoint: settings.endpoint || this.#agent?.address }) };
  }

  /** Switches to another store and restores from it. */
  #switchStore(threadId: string | undefined): void {
    const { persist, storage, scope } = this.#settings;
    this.#flush();
    this.#backend?.close();
    this.#tabs.close();
    this.#storage.reset();
    this.#serializer = this.#createSerializer();
    const backend = createStorageBackend({ persist, storage, scope });
    this.#backend = backend;
    for (const thread of this.#threads.all) {
      // Another store may have another conversation with this id.
      if (thread.backend) thread.isRead = false;
      thread.backend = backend;
      this.#readDeletions(thread);
      // A conversation that started before continues in the new store.
      if (thread.isActive && !thread.isEmpty) this.#autosave.soon(thread);
    }
    this.#tabs.open(backend ? { scope, shared: backend.shared } : undefined);
    this.#restoring = backend ? this.#restoreAll(backend, threadId).catch(() => undefined) : Promise.resolve();
  }

  async #restoreAll(backend: StorageBackend, threadId: string | undefined): Promise<void> {
    await this.#restore(backend, threadId);
    if (backend === this.#backend) await this.#restorer.addPendingTexts(this.#current, backend);
  }

  async #restore(backend: StorageBackend, threadId: string | undefined): Promise<void> {
    const thread = this.#current;
    void this.#storage.run(() => backend.store.deleteExpired(), { reading: true });
    const stored = await this.#readApprovals(backend);
    if (stored && backend === this.#backend) this.#host.approvals.restore(stored);
    const id = threadId ?? (await lastOpenThreadId(backend, this.#storage));
    if (backend !== this.#backend || thread !== this.#current) return;
    if (id === undefined) {
      this.#host.show(thread.chat, thread.id);
      return;
    }
    thread.move('claim');
    // Messages that the page set, or the user sent meanwhile, are not replaced.
    if (!thread.isEmpty || thread.chat.busy) return;
    this.#changeId(thread, id);
    await this.#restorer.restore(thread, backend);
    if (threadId === undefined) this.#changeIdIfUnread(thread);
    if (thread === this.#current) this.#host.show(thread.chat, thread.id);
  }

  /**
   * Gives an empty conversation a new id if the stored one could not be read: that one stays in the list, and can be opened
   * again. With an id that the page has set, the conversation is read before it is written.
   */
  #changeIdIfUnread(thread: OpenThread): void {
    if (thread.isRead || !thread.isEmpty || thread.chat.busy || !this.#threads.has(thread) || thread.isElsewhere)
      return;
    this.#changeId(thread, newId());
    thread.isRead = true;
    if (thread === this.#current) this.#host.show(thread.chat, thread.id);
  }

  /** The stored tool approvals; undefined if they can't be read. */
  #readApprovals(backend: StorageBackend): Promise<readonly Approval[] | undefined> {
    return this.#storage.run(async () => readApprovals(await backend.notes.get('approvals')), { reading: true });
  }

  #adopt(chat: Chat, id?: string): OpenThread {
    const thread = this.#threads.adopt(chat, this.#backend, id);
    this.#readDeletions(thread);
    return thread;
  }

  #changeId(thread: OpenThread, id: string): void {
    this.#threads.changeId(thread, id);
    this.#readDeletions(thread);
  }

  /** Reads the deletion marks: earlier deletions do not concern this conversation, later ones do. */
  #readDeletions(thread: OpenThread): void {
    const { id, backend } = thread;
    thread.knownDeletions = undefined;
    thread.deletionsRead = this.#storage
      .run(() => backend?.store.deletions(id), { reading: true, silent: true })
      .then((deletions) => {
        if (id === thread.id && backend === thread.backend) thread.knownDeletions = deletions;
      });
  }

  /**
   * Drops the copy of a conversation that another tab has deleted.
   * @returns whether it was deleted
   */
  async #dropDeleted(thread: OpenThread): Promise<boolean> {
    const { backend } = thread;
    if (!backend || thread.isDeleted || thread.isEmpty) return thread.isDeleted;
    await thread.deletionsRead;
    const now = await this.#storage.run(() => backend.store.deletions(thread.id), { reading: true, silent: true });
    if (!thread.knownDeletions || !now || !isDeleted(thread.knownDeletions, now)) return false;
    this.#dropThread(thread, BY_OTHERS);
    return true;
  }

  #changed(thread: OpenThread, before: ChatState): void {
    const { state } = thread.chat.store;
    if (this.#hasLeft) return;
    if (
      state.thread === before.thread &&
      state.run === before.run &&
      state.queue === before.queue &&
      state.stage === before.stage
    )
      return;
    const ended = state.stage !== before.stage && (state.stage === 'none' || state.stage === 'parked');
    if (ended && state.stage === 'none' && thread.isElsewhere) this.#tabs.left(thread, before);
    thread.updated = Date.now();
    thread.lastAgent = undefined;
    // Also a message that is not sent makes it a conversation of the user.
    if (state.since !== before.since) thread.move('begin');
    thread.move(state.stage === 'none' ? 'end' : 'begin');
    if (ended && state.stage === 'none' && thread !== this.#current) thread.unread++;
    if (state.stage !== before.stage) this.onListChange?.();
    if (thread.isElsewhere) this.#tabs.forward(thread, before);
    this.#tabs.changed(thread, ended);
    if (thread.isActive && thread.backend) {
      if (!ended) this.#autosave.soon(thread);
      else {
        void this.#autosave.now(thread).then(() => {
          this.#releaseIfIdle(thread);
        });
      }
    } else if (ended) this.#releaseIfIdle(thread);
  }

  /** Releases the conversation after its last write, so that another tab may start a reply. */
  #releaseIfIdle(thread: OpenThread): void {
    const runsHere = thread.chat.busy || (thread.running && !thread.isElsewhere);
    if (!runsHere) {
      this.#tabs.release(thread);
      this.#restorer.addUnsentWithFiles(thread);
    }
    if (this.#isDisconnected) this.#saveIfIdle();
  }

  /** Called when the element was removed. When its replies have ended, everything is released. */
  disconnect(): void {
    this.#isDisconnected = true;
    this.#saveIfIdle();
  }

  #saveIfIdle(): void {
    const isBusy = ({ chat }: OpenThread): boolean => chat.busy && chat.status !== 'awaiting-action';
    if (!this.#hasLeft && !this.#threads.all.some(isBusy)) this.saveBeforeUnload({ release: true });
  }

  /**
   * Resolves when this tab holds the lock for sending; undefined if no other tab can hold it.
   *
   * @param inTime - limits the time for a read of the storage; resolves with undefined if it takes longer. Then nobody knows whether
   * another tab has deleted the conversation, and the message is sent.
   */
  acquire(
    chat: Chat,
    inTime: <Result>(reading: Promise<Result>) => Promise<Result | undefined>,
  ): Promise<unknown> | undefined {
    if (this.#dropped.has(chat)) return Promise.reject(deletedElsewhereError());
    const thread = this.#threads.of(chat);
    if (!thread?.backend) return undefined;
    return inTime(this.#dropDeleted(thread)).then((deleted) => {
      if (deleted) throw deletedElsewhereError();
      // The user may have stopped the turn meanwhile.
      return chat.busy ? this.#tabs.acquireWhenFree(thread) : undefined;
    });
  }

  async #write(thread: OpenThread, copy?: StoredThread): Promise<void> {
    const { backend } = thread;
    if (!backend || thread.isDeleted) return;
    await this.#storage.run(async () => {
      // First, because the page may be closed before the conversation is written.
      if (thread === this.#current) await backend.tab.set('current', thread.id);
    });
    const isFirst = !thread.isRead;
    const written = await this.#storage.run(async () => {
      if (isFirst) await this.#restorer.addStored(thread, backend);
      // Still unread if the conversation has got another id or store meanwhile: then it is not written.
      return !thread.isRead || (await writeThread(thread, backend, this.#serializer, copy));
    });
    if (written === false) this.#dropThread(thread, BY_OTHERS);
    else {
      if (isFirst) this.#tabs.changed(thread, true);
      this.#tabs.written(thread);
    }
  }

  #createSerializer(): StorageSerializer {
    return createStorageSerializer({ redact: () => this.#host.settings().redact, sent: sentSecrets });
  }

  /** Stores the text of the composer. */
  setDraft(text: string, chat: Chat = this.#current.chat): void {
    const thread = this.#threads.of(chat);
    if (!thread || text === thread.draft) return;
    this.#drafts.setText(thread, text);
    if (thread === this.#current) void this.#storage.run(() => this.#backend?.tab.set('current', thread.id));
  }

  /** The user's unsent answer to a block. */
  answer(blockId: string): unknown {
    return this.#current.answers.get(blockId);
  }

  /** Stores an unsent answer; undefined deletes it. */
  setAnswer(blockId: string, value: unknown): void {
    this.#drafts.answer(this.#current, blockId, value);
  }

  async list(): Promise<readonly ThreadInfo[]> {
    const stored = (await this.#storage.run(() => this.#backend?.store.list())) ?? [];
    return summarizeThreads(stored, { open: this.#threads.all, current: this.#current });
  }

  /** Starts an empty conversation. The previous one and its reply continue. */
  create(): string {
    const thread = this.#adopt(this.#host.makeChat());
    thread.chat.adoptProtocols(this.#current.chat);
    this.#show(thread);
    return thread.id;
  }

  /** @param byPage - the page has set the id, and expects it */
  async open(id: string, { byPage = false }: { readonly byPage?: boolean } = {}): Promise<void> {
    await this.#restoring;
    if (id === this.#current.id) return;
    const opened = this.#threads.get(id);
    if (opened) {
      this.#show(opened);
      return;
    }
    const thread = this.#adopt(this.#host.makeChat(), id);
    const backend = this.#backend;
    const restoring = backend && this.#restorer.restore(thread, backend);
    thread.restored = Promise.resolve(restoring).then(
      () => {
        if (backend && !byPage) this.#changeIdIfUnread(thread);
      },
      () => undefined,
    );
    this.#show(thread);
    await restoring;
    await thread.restored;
  }

  async rename(id: string, title: string): Promise<void> {
    const thread = this.#threads.get(id);
    if (thread) thread.name = title;
    // First, because another tab may save the conversation in the meantime.
    this.#tabs.renamed(id, title);
    await this.#storage.run(() => this.#backend?.store.rename(id, this.#serializer.text(title)));
    // A tab that shows the list reads the stored title.
    this.#tabs.renamed(id, title);
  }

  /**
   * Deletes a conversation in all stores and tabs.
   * @returns a function that restores it if it was stored
   */
  async remove(id: string): Promise<() => Promise<void>> {
    const backend = this.#backend;
    const thread = this.#threads.get(id);
    const isCurrent = thread === this.#current;
    if (thread && backend && !thread.isRead)
      await this.#storage.run(() => this.#restorer.addStored(thread, backend), { reading: true });
    const stored = thread
      ? toStoredThread(thread, this.#serializer)
      : backend && (await this.#storage.run(() => readThread(id, backend), { reading: true }));
    // Until it is deleted in the storage: another tab that got the lock before would continue it.
    this.#drop(id, { keepsLock: true });
    try {
      await this.#erase(id);
    } finally {
      this.#giveUp(id);
    }
    return async () => {
      // Not after a change of user or store.
      if (!backend || !stored || stored.messages.length === 0 || backend !== this.#backend) return;
      await this.#storage.run(() => backend.store.putBack(stored));
      if (isCurrent) await this.open(id);
    };
  }

  /** Empties the current conversation and deletes its stored data. */
  clear(): void {
    const thread = this.#current;
    const before = thread.id;
    this.#autosave.cancel(thread);
    thread.apply(() => {
      thread.chat.empty();
    });
    this.#changeId(thread, thread.chat.threadId);
    thread.isRead = true;
    thread.move('clear');
    Object.assign(thread, { name: '', draft: '', reported: nothingReported });
    thread.answers.clear();
    this.#host.show(thread.chat, thread.id);
    // As in `remove()`.
    void this.#erase(before).finally(() => {
      this.#giveUp(before);
    });
  }

  /** Deletes all stored data of this endpoint and user, in all tabs, with their consent. */
  async forget(consent: ConsentOptions): Promise<void> {
    const ids = this.#threads.all.map(({ id }) => id);
    this.#empty({ keepsLock: true });
    forgetConsent(consent);
    const backend = this.#backend;
    if (backend) await this.#storage.run(() => backend.deleteAll());
    // Only after the deletion: a conversation started in another tab must know the mark, or it would count as deleted.
    this.#tabs.allDeleted();
    for (const id of ids) this.#giveUp(id);
    for (const thread of this.#threads.all) this.#readDeletions(thread);
  }

  /** Writes all scheduled conversations as they are now. */
  #flush(): ReadonlyMap<OpenThread, StoredThread | undefined> {
    // To a conversation that was not read, the write adds the stored messages first.
    return this.#autosave.flush((thread) => (thread.isRead ? this.#copyOf(thread) : undefined));
  }

  #copyOf(thread: OpenThread): StoredThread | undefined {
    try {
      return toStoredThread(thread, this.#serializer);
    } catch {
      // The page's `redact` has thrown. The write calls it again and reports that.
      return undefined;
    }
  }

  /**
   * Saves everything, because the page may be closed: synchronously in the journal, and in the store if there is time.
   *
   * @param release - also interrupts the replies, and releases locks, channel and database, until this code runs again: when the
   * page leaves the back/forward cache, or the removed element is inserted again. Otherwise everything continues.
   */
  saveBeforeUnload({ release }: { readonly release: boolean }): void {
    this.#tabs.flushReports(this.#threads.all);
    const copies = this.#flush();
    const journal = this.#backend?.journal;
    for (const [thread, written] of copies) {
      const isPart = !thread.isRead;
      const copy = isPart ? this.#copyOf(thread) : written;
      if (!journal || !copy || thread.isEmpty) continue;
      thread.journaled = copy;
      // A database may not finish in time. A full journal is not reported to the user.
      void this.#storage.run(() => journal.save(copy, thread.knownDeletions, isPart), { reading: true, silent: true });
    }
    this.#backend?.store.expectMissedDeletion();
    if (!release) return;
    this.#hasLeft = true;
    for (const thread of this.#threads.all)
      if (thread.chat.busy && thread.chat.status !== 'awaiting-action') thread.chat.interrupt();
    this.#tabs.close();
    this.#backend?.close();
  }

  /** Resumes after the page was restored from the back/forward cache. */
  async resumeFromCache(): Promise<void> {
    this.#isDisconnected = false;
    if (!this.#hasLeft) return;
    this.#hasLeft = false;
    const { scope } = this.#settings;
    const backend = this.#backend;
    backend?.reopen();
    this.#tabs.open(backend ? { scope, shared: backend.shared } : undefined);
    if (!backend) return;
    this.#restoring = this.#reloadAll().catch(() => undefined);
    await this.#restoring;
  }

  async #reloadAll(): Promise<void> {
    const backend = this.#backend;
    const approvals = backend && this.#sharesApprovals ? await this.#readApprovals(backend) : undefined;
    // The user may have revoked some of them in another tab meanwhile.
    if (approvals && backend === this.#backend) this.#host.approvals.replace(approvals);
    for (const thread of this.#threads.all) {
      if (!thread.isActive) continue;
      if (!thread.chat.busy) await this.#restorer.reload(thread);
      else if (thread.chat.status === 'awaiting-action') await this.#restorer.reclaim(thread);
    }
  }

  /** Follows a conversation of another tab, if nothing was started in this one. */
  #join(id: string): OpenThread | undefined {
    const thread = this.#current;
    if (!this.#backend || thread.status !== 'fresh' || !thread.isEmpty || thread.draft !== '') return undefined;
    if (this.#settings.threadId !== undefined && this.#settings.threadId !== thread.id) return undefined;
    this.#changeId(thread, id);
    this.#host.show(thread.chat, id);
    this.#host.composer().cancelSend();
    return thread;
  }

  #show(thread: OpenThread, { silent = false } = {}): void {
    const before = this.#current;
    this.#current = thread;
    thread.unread = 0;
    if (before !== thread) this.#closeIdle(before);
    this.#host.show(thread.chat, thread.id);
    const composer = this.#host.composer();
    composer.cancelSend();
    composer.setText(thread.draft);
    if (!silent && this.#backend && (before.isActive || thread.isActive))
      void this.#storage.run(() => this.#backend?.tab.set('current', thread.id));
  }

  /** Closes a background conversation: a stored one if it is idle; without a store only beyond the limits. */
  #closeIdle(thread: OpenThread): void {
    if (thread.chat.hasPending) return;
    if (thread.isEmpty) this.#release(thread);
    else if (this.#backend && thread.isActive && !thread.running)
      void this.#autosave.now(thread).then(() => {
        if (thread !== this.#current && !thread.running && thread.unread === 0 && !this.#storage.failed)
          this.#release(thread);
      });
    const { running, idle } = this.#threads.beyondLimits(this.#current);
    for (const other of running) other.chat.interrupt();
    for (const other of idle) this.#release(other);
  }

  #release(thread: OpenThread): void {
    this.#autosave.cancel(thread);
    this.#threads.release(thread);
    this.#tabs.release(thread);
  }

  /** Drops a deleted conversation: its reply ends, and pending writes are cancelled. */
  #drop(id: string, deletion: Deletion = {}): void {
    const thread = this.#threads.get(id);
    if (thread) this.#dropThread(thread, deletion);
  }

  #dropThread(thread: OpenThread, { byOthers = false, forGood = false, keepsLock = false }: Deletion = {}): void {
    thread.move('delete');
    const { id, backend } = thread;
    // The journal copy that this tab wrote when the page was left.
    void this.#storage.run(() => backend?.journal?.discard(id), { silent: true });
    this.#dropped.add(thread.chat);
    this.#autosave.cancel(thread);
    this.#threads.release(thread);
    if (!keepsLock) this.#tabs.release(thread);
    const isCurrent = thread === this.#current;
    if (isCurrent || byOthers) {
      const next = this.#adopt(this.#host.makeChat());
      if (isCurrent) {
        const { text } = this.#host.composer();
        if (byOthers) this.#drafts.setText(next, text);
        this.#show(next);
      }
      if (byOthers && moveUnsent(thread.chat, next.chat, thread.unsent))
        this.#host.fail(detailOf(movedElsewhereError()), 'conversation-deleted');
      else if (!isCurrent) this.#release(next);
    }
    thread.chat.interrupt({ forGood });
  }

  /** Releases the lock of a deleted conversation, unless a new one with its id, which the page has set, already runs. */
  #giveUp(id: string): void {
    if (!this.#threads.get(id)?.chat.busy) this.#tabs.giveUp(id);
  }

  /** Drops all conversations, because the user has deleted all data: here, or in another tab. */
  #empty(by: Deletion = {}): void {
    const deletion = { ...by, forGood: true };
    this.#host.approvals.dropAll();
    this.#host.composer().reset();
    for (const thread of this.#threads.all) {
      if (thread !== this.#current) this.#drop(thread.id, deletion);
    }
    this.#drop(this.#current.id, deletion);
    void this.#storage.run(() => this.#backend?.tab.clear(), { silent: true });
  }

  /** Writes what is unsaved, then closes all conversations, because the owner changed: the user, or the endpoint. */
  #leave(): void {
    for (const thread of this.#threads.all) {
      if (!thread.chat.hasPending) continue;
      thread.chat.failPending();
      thread.move('begin');
      thread.move('end');
      this.#autosave.soon(thread);
    }
    this.#flush();
    this.#host.composer().reset();
    for (const thread of this.#threads.all) {
      this.#threads.release(thread);
      thread.chat.interrupt();
    }
  }

  async #erase(id: string): Promise<void> {
    const backend = this.#backend;
    if (!backend) return;
    await this.#storage.run(async () => {
      await backend.store.remove(id);
      backend.journal?.discard(id);
      await Drafts.erase(id, backend);
      await backend.tab.set('current', this.#current.id);
    });
    this.#tabs.deleted(id);
  }
}

interface Deletion {
  /** The deletion happened in another tab, so that the user loses neither unsent messages of this tab nor the draft. */
  readonly byOthers?: boolean;
  /** The deletion can't be undone, so the server stops its reply. */
  readonly forGood?: boolean;
  /** Other tabs have to wait until it is deleted in the storage. */
  readonly keepsLock?: boolean;
}

const BY_OTHERS: Deletion = { byOthers: true };

const deletedElsewhereError = (): ChatError =>
  new ChatError('storage', 'The conversation was deleted, so the message was not sent.', { reason: 'storage' });

const movedElsewhereError = (): ChatError =>
  new ChatError('storage', 'The conversation was deleted elsewhere. What was not sent yet is in a new conversation.', {
    reason: 'conversation-deleted',
  });
