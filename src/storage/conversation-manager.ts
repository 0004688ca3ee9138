/**
 * Manages the conversations of a widget. Each is a chat of its own, saved while it grows and restored after a reload,
 * in every tab. `docs/decisions/keeping.md` gives the reasons.
 */
import { sentSecrets } from '../safety/sent-secrets.ts';
import { ChatError } from '../errors.ts';
import type { Chat } from '../runtime/chat/chat.ts';
import type { ChatState } from '../runtime/chat/chat-state.ts';
import { readApprovals } from './records/read-approvals.ts';
import { StorageRunner } from './stores/try-storage.ts';
import { ConversationRestorer } from './restore-conversation.ts';
import { TabSync } from './tabs/tab-sync.ts';
import type { ThreadInfo } from './stores/conversation-store.ts';
import { isDeleted } from './stores/deletion-marks.ts';
import { nothingReported } from './threads/reported-state.ts';
import { createStorageSerializer } from '../runtime/masking/serialize-messages.ts';
import type { ConversationManagerHost } from './settings/manager-host.ts';
import {
  isAnotherOwner,
  storageLocation,
  type KeepSettings,
  type Owner,
  type StorageLocation,
} from './settings/storage-settings.ts';
import type { OpenThread } from './threads/open-thread.ts';
import { OpenThreads } from './threads/open-threads.ts';
import { createStorageBackend, type StorageBackend } from './stores/storage-backend.ts';
import { lastOpenThreadId, readThread } from './records/read-thread.ts';
import { Autosave } from './threads/autosave.ts';
import { listThreads } from './threads/list-threads.ts';
import { Drafts } from './threads/drafts.ts';
import { toStoredThread, writeThread } from './threads/write-thread.ts';

export class Keeper {
  readonly #host: ConversationManagerHost;
  readonly #threads = new OpenThreads((live, before) => {
    this.#changed(live, before);
  });
  readonly #storage = new StorageRunner({
    isOwn: () => this.#host.settings().storage?.store !== undefined,
    fail: (detail, problem) => {
      this.#host.fail(detail, problem);
    },
  });
  readonly #drafts = new Drafts({
    attempts: this.#storage,
    place: () => this.#place,
    forStoring: () => this.#forStoring,
  });
  readonly #autosave = new Autosave((live) => this.#write(live));
  readonly #tabs: TabSync;
  readonly #restorer: ConversationRestorer;
  #current: OpenThread;
  #place: StorageBackend | undefined;
  /** The owner of the open conversations, and the location of their store. */
  #owner: Owner;
  #location = '';
  #forStoring: ReturnType<typeof createStorageSerializer>;
  #restoring: Promise<void> = Promise.resolve();
  /** The page is or was left: state changes are ignored. */
  #hasLeft = false;
  #isDisconnected = false;
  /** Chats of deleted conversations, which must not send anything. */
  readonly #dropped = new WeakSet<Chat>();

  constructor(host: ConversationManagerHost, chat: Chat) {
    this.#host = host;
    this.#tabs = new TabSync({
      all: () => this.#threads.all,
      thread: (id) => this.#threads.get(id) ?? this.#join(id),
      reload: (live) => this.#restorer.reload(live),
      removed: (id) => {
        this.#drop(id, BY_OTHERS);
      },
      forgotten: () => {
        this.#empty(BY_OTHERS);
        // Data that another tab deleted may also be in this tab's storage.
        const place = this.#place;
        if (place && !place.shared) void this.#storage.run(() => place.deleteAll(), { silent: true });
      },
    });
    this.#restorer = new ConversationRestorer({
      attempts: this.#storage,
      unsent: this.#drafts,
      company: this.#tabs,
      place: () => this.#place,
      forStoring: () => this.#forStoring,
      composer: () => host.composer(),
      isCurrent: (live) => live === this.#current,
      isDeleted: (live) => this.#dropDeleted(live),
      isThere: (live) => this.#threads.has(live),
      settled: (live) => {
        this.#settled(live);
      },
    });
    host.approvals.subscribe((list) => {
      void this.#storage.run(() => this.#place?.notes.set('approvals', list));
    });
    this.#forStoring = this.#newForStoring();
    this.#owner = this.#settings.owner;
    this.#current = this.#adopt(chat, chat.threadId);
    this.#takeOver(this.#current);
    this.update();
  }

  /** Adopts the state of a conversation that started before storage was set up. */
  #takeOver(live: OpenThread): void {
    const { since, stage } = live.chat.store.state;
    if (since > 0) live.move('begin');
    else if (this.#settings.threadId === undefined) live.makeFresh();
    if (stage === 'none') live.move('end');
  }

  /** Resolves when the stored conversation is restored. */
  get ready(): Promise<unknown> {
    return this.#restoring.then(() => this.#dropDeleted(this.#current));
  }

  /** Applies changed settings. */
  update(): void {
    const { owner, storeKey: where } = this.#settings;
    let { threadId } = this.#settings;
    const another = isAnotherOwner(this.#owner, owner);
    this.#owner = owner;
    if (another) {
      // That id belongs to the previous conversation, unless the page has just set another one.
      if (threadId === this.#current.id) threadId = undefined;
      this.#leave();
      this.#show(this.#adopt(this.#host.makeChat()), { silent: true });
      if (threadId === undefined) this.#current.makeFresh();
    }
    if (where !== this.#location) {
      if (another) this.#host.approvals.dropAll();
      this.#location = where;
      this.#settle(threadId);
    } else if (threadId !== undefined && threadId !== this.#current.id) void this.open(threadId);
  }

  get #settings(): KeepSettings & StorageLocation {
    const settings = this.#host.settings();
    return { ...settings, ...storageLocation(settings) };
  }

  /** Switches to another store and restores from it. */
  #settle(threadId: string | undefined): void {
    const { persist, storage, scope } = this.#settings;
    this.#autosave.flush();
    this.#place?.close();
    this.#tabs.close();
    this.#storage.reset();
    this.#forStoring = this.#newForStoring();
    const place = createStorageBackend({ persist, storage, scope });
    this.#place = place;
    for (const live of this.#threads.all) {
      live.backend = place;
      this.#readDeletions(live);
      // A conversation that started before continues in the new store.
      if (live.isActive && !live.isEmpty) this.#autosave.soon(live);
    }
    this.#tabs.open(place ? { scope, shared: place.shared } : undefined);
    this.#restoring = place ? this.#restoreAll(place, threadId).catch(() => undefined) : Promise.resolve();
  }

  async #restoreAll(place: StorageBackend, threadId: string | undefined): Promise<void> {
    await this.#restore(place, threadId);
    if (place === this.#place) await this.#restorer.addWaiting(this.#current, place);
  }

  async #restore(place: StorageBackend, threadId: string | undefined): Promise<void> {
    const live = this.#current;
    void this.#storage.run(() => place.store.deleteExpired(), { reading: true });
    const stored = readApprovals(await this.#storage.run(() => place.notes.get('approvals'), { reading: true }));
    if (place === this.#place) this.#host.approvals.restore(stored);
    const id = threadId ?? (await lastOpenThreadId(place, this.#storage));
    if (place !== this.#place || live !== this.#current) return;
    if (id === undefined) {
      this.#host.show(live.chat, live.id);
      return;
    }
    live.move('claim');
    // Messages that the page set, or the user sent meanwhile, are not replaced.
    if (!live.isEmpty || live.chat.busy) return;
    this.#rename(live, id);
    await this.#restorer.fill(live, place);
    if (live === this.#current) this.#host.show(live.chat, live.id);
  }

  #adopt(chat: Chat, id?: string): OpenThread {
    const live = this.#threads.adopt(chat, this.#place, id);
    this.#readDeletions(live);
    return live;
  }

  #rename(live: OpenThread, id: string): void {
    this.#threads.rename(live, id);
    this.#readDeletions(live);
  }

  /** Reads the deletion marks: earlier deletions do not concern this conversation, later ones do. */
  #readDeletions(live: OpenThread): void {
    const { id, backend } = live;
    live.knownDeletions = undefined;
    live.deletionsRead = this.#storage
      .run(() => backend?.store.deletions(id), { reading: true, silent: true })
      .then((deletions) => {
        if (id === live.id && backend === live.backend) live.knownDeletions = deletions;
      });
  }

  /**
   * Drops the copy of a conversation that another tab has deleted.
   * @returns whether it was deleted
   */
  async #dropDeleted(live: OpenThread): Promise<boolean> {
    const { backend } = live;
    if (!backend || live.isDeleted || live.isEmpty) return live.isDeleted;
    await live.deletionsRead;
    const now = await this.#storage.run(() => backend.store.deletions(live.id), { reading: true, silent: true });
    if (!live.knownDeletions || !now || !isDeleted(live.knownDeletions, now)) return false;
    this.#dropThread(live, BY_OTHERS);
    return true;
  }

  #changed(live: OpenThread, before: ChatState): void {
    const { state } = live.chat.store;
    if (this.#hasLeft) return;
    if (
      state.thread === before.thread &&
      state.run === before.run &&
      state.queue === before.queue &&
      state.stage === before.stage
    )
      return;
    const ended = state.stage !== before.stage && (state.stage === 'none' || state.stage === 'parked');
    live.updated = Date.now();
    live.move(state.stage === 'none' ? 'end' : 'begin');
    if (ended && state.stage === 'none' && live !== this.#current) live.unread++;
    this.#tabs.changed(live, ended);
    if (live.isActive && live.backend) {
      if (!ended) this.#autosave.soon(live);
      else {
        void this.#autosave.now(live).then(() => {
          this.#settled(live);
        });
      }
    } else if (ended) this.#settled(live);
  }

  /** Releases the conversation after its last write, so that another tab may start a reply. */
  #settled(live: OpenThread): void {
    if (!live.running && !live.chat.busy) this.#tabs.release(live);
    if (this.#isDisconnected) this.#restIfIdle();
  }

  /** Called when the element was removed. When its replies have ended, everything is released. */
  disconnect(): void {
    this.#isDisconnected = true;
    this.#restIfIdle();
  }

  #restIfIdle(): void {
    const isBusy = ({ chat }: OpenThread): boolean => chat.busy && chat.status !== 'awaiting-action';
    if (!this.#hasLeft && !this.#threads.all.some(isBusy)) this.saveBeforeUnload({ mayComeBack: true });
  }

  /** Resolves when this tab holds the lock for sending; undefined if no other tab can hold it. */
  acquire(chat: Chat): Promise<unknown> | undefined {
    if (this.#dropped.has(chat)) return Promise.reject(deletedElsewhere());
    const live = this.#threads.of(chat);
    if (!live?.backend) return undefined;
    return this.#dropDeleted(live).then((deleted) => {
      if (deleted) throw deletedElsewhere();
      return this.#tabs.acquireWhenFree(live);
    });
  }

  async #write(live: OpenThread): Promise<void> {
    const { backend } = live;
    if (!backend || live.isDeleted) return;
    await this.#storage.run(async () => {
      // First, because the page may be closed before the conversation is written.
      if (live === this.#current) await backend.tab.set('current', live.id);
    });
    const written = await this.#storage.run(() => writeThread(live, backend, this.#forStoring));
    if (written === false) this.#dropThread(live, BY_OTHERS);
    else this.#tabs.written(live);
  }

  #newForStoring(): ReturnType<typeof createStorageSerializer> {
    return createStorageSerializer({ redact: () => this.#host.settings().redact, sent: sentSecrets });
  }

  /** Stores the text of the composer. */
  setDraft(text: string): void {
    this.#drafts.setText(this.#current, text);
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
    const stored = (await this.#storage.run(() => this.#place?.store.list())) ?? [];
    return listThreads(stored, { live: this.#threads.all, current: this.#current });
  }

  /** Starts an empty conversation. The previous one and its reply continue. */
  create(): string {
    const live = this.#adopt(this.#host.makeChat());
    const { protocol } = this.#current.chat.store.state;
    if (protocol !== undefined) live.chat.setKnownProtocol(protocol);
    this.#show(live);
    return live.id;
  }

  async open(id: string): Promise<void> {
    await this.#restoring;
    if (id === this.#current.id) return;
    const opened = this.#threads.get(id);
    if (opened) {
      this.#show(opened);
      return;
    }
    const live = this.#adopt(this.#host.makeChat(), id);
    this.#show(live);
    const place = this.#place;
    if (place) await this.#restorer.fill(live, place);
  }

  async rename(id: string, title: string): Promise<void> {
    const live = this.#threads.get(id);
    if (live) live.name = title;
    await this.#storage.run(() => this.#place?.store.rename(id, this.#forStoring.text(title)));
  }

  /**
   * Deletes a conversation in all stores and tabs.
   * @returns a function that restores it if it was stored
   */
  async remove(id: string): Promise<() => Promise<void>> {
    const place = this.#place;
    const live = this.#threads.get(id);
    const current = live === this.#current;
    const stored = live
      ? toStoredThread(live, this.#forStoring)
      : place && (await this.#storage.run(() => readThread(id, place), { reading: true }));
    this.#drop(id);
    await this.#erase(id);
    return async () => {
      // Not after a change of user or store.
      if (!place || !stored || stored.messages.length === 0 || place !== this.#place) return;
      await this.#storage.run(() => place.store.putBack(stored));
      if (current) await this.open(id);
    };
  }

  /** Empties the current conversation and deletes its stored data. */
  clear(): void {
    const live = this.#current;
    const before = live.id;
    this.#autosave.cancel(live);
    live.apply(() => {
      live.chat.empty();
    });
    this.#tabs.giveUp(before);
    this.#rename(live, live.chat.threadId);
    live.move('clear');
    Object.assign(live, { name: '', draft: '', told: nothingReported });
    live.answers.clear();
    this.#host.show(live.chat, live.id);
    void this.#erase(before);
  }

  /** Deletes all stored data of this endpoint and user, in all tabs. */
  async forget(): Promise<void> {
    this.#empty();
    const place = this.#place;
    if (place) await this.#storage.run(() => place.deleteAll());
    // Only after the deletion: a conversation started in another tab must know the mark, or it would count as deleted.
    this.#tabs.allDeleted();
    for (const live of this.#threads.all) this.#readDeletions(live);
  }

  /** Saves everything synchronously, because the page may be closed. */
  saveBeforeUnload({ mayComeBack }: { readonly mayComeBack: boolean }): void {
    this.#tabs.flushReports(this.#threads.all);
    const waiting = this.#autosave.flush();
    const journal = this.#place?.journal;
    for (const live of waiting) {
      // A database may not finish in time. A full journal is not reported to the user.
      if (journal && !live.isEmpty)
        void this.#storage.run(() => journal.save(toStoredThread(live, this.#forStoring), live.knownDeletions), {
          reading: true,
          silent: true,
        });
    }
    this.#place?.store.expectMissedDeletion();
    if (!mayComeBack) return;
    this.#hasLeft = true;
    for (const live of this.#threads.all)
      if (live.chat.busy && live.chat.status !== 'awaiting-action') live.chat.interrupt();
    this.#tabs.close();
    this.#place?.close();
  }

  /** Resumes after the page was restored from the back/forward cache. */
  async resumeFromCache(): Promise<void> {
    this.#isDisconnected = false;
    if (!this.#hasLeft) return;
    this.#hasLeft = false;
    const { scope } = this.#settings;
    const place = this.#place;
    place?.reopen();
    this.#tabs.open(place ? { scope, shared: place.shared } : undefined);
    if (!place) return;
    this.#restoring = this.#reloadAll().catch(() => undefined);
    await this.#restoring;
  }

  async #reloadAll(): Promise<void> {
    for (const live of this.#threads.all) if (live.isActive && !live.chat.busy) await this.#restorer.reload(live);
  }

  /** Follows a conversation of another tab, if nothing was started in this one. */
  #join(id: string): OpenThread | undefined {
    const live = this.#current;
    if (!this.#place || live.status !== 'fresh' || !live.isEmpty || live.draft !== '') return undefined;
    if (this.#settings.threadId !== undefined && this.#settings.threadId !== live.id) return undefined;
    this.#rename(live, id);
    this.#host.show(live.chat, id);
    return live;
  }

  #show(live: OpenThread, { silent = false } = {}): void {
    const before = this.#current;
    this.#current = live;
    live.unread = 0;
    if (before !== live) this.#closeIdle(before);
    this.#host.show(live.chat, live.id);
    this.#host.composer().setText(live.draft);
    if (!silent && this.#place && (before.isActive || live.isActive))
      void this.#storage.run(() => this.#place?.tab.set('current', live.id));
  }

  /** Closes a background conversation: a stored one if it is idle; without a store only beyond the limits. */
  #closeIdle(live: OpenThread): void {
    if (live.chat.hasPending) return;
    if (live.isEmpty) this.#release(live);
    else if (this.#place && live.isActive && !live.running)
      void this.#autosave.now(live).then(() => {
        if (live !== this.#current && !live.running && live.unread === 0 && !this.#storage.failed) this.#release(live);
      });
    const { running, live: idle } = this.#threads.beyondLimits(this.#current);
    for (const other of running) other.chat.interrupt();
    for (const other of idle) this.#release(other);
  }

  #release(live: OpenThread): void {
    this.#autosave.cancel(live);
    this.#threads.release(live);
    this.#tabs.release(live);
  }

  /** Drops a deleted conversation: its reply ends, and pending writes are cancelled. */
  #drop(id: string, deletion: Deletion = {}): void {
    const live = this.#threads.get(id);
    if (live) this.#dropThread(live, deletion);
  }

  #dropThread(live: OpenThread, { byOthers = false }: Deletion = {}): void {
    live.move('delete');
    const { id, backend } = live;
    // The journal copy that this tab wrote when the page was left.
    void this.#storage.run(() => backend?.journal?.discard(id), { silent: true });
    this.#dropped.add(live.chat);
    this.#release(live);
    if (live === this.#current) {
      this.#show(this.#adopt(this.#host.makeChat()));
      if (byOthers) live.chat.movePending(this.#current.chat);
    }
    live.chat.interrupt();
  }

  #empty(deletion: Deletion = {}): void {
    this.#host.approvals.dropAll();
    this.#host.composer().reset();
    for (const live of this.#threads.all) {
      if (live !== this.#current) this.#drop(live.id, deletion);
    }
    this.#drop(this.#current.id, deletion);
    void this.#storage.run(() => this.#place?.tab.clear(), { silent: true });
  }

  /** Ends all replies and removes all data from memory, because the user changed. */
  #leave(): void {
    for (const live of this.#threads.all) {
      if (!live.chat.hasPending) continue;
      live.chat.failPending();
      live.move('begin');
      live.move('end');
      this.#autosave.soon(live);
    }
    this.#autosave.flush();
    this.#host.composer().reset();
    for (const live of this.#threads.all) {
      this.#threads.release(live);
      live.chat.interrupt();
    }
  }

  async #erase(id: string): Promise<void> {
    const place = this.#place;
    if (!place) return;
    await this.#storage.run(async () => {
      await place.store.remove(id);
      place.journal?.discard(id);
      await Drafts.erase(id, place);
      await place.tab.set('current', this.#current.id);
    });
    this.#tabs.removed(id);
  }
}

interface Deletion {
  /** The deletion happened in another tab, so messages that the user has just sent here are not lost. */
  readonly byOthers?: boolean;
}

const BY_OTHERS: Deletion = { byOthers: true };

const deletedElsewhere = (): ChatError =>
  new ChatError('storage', 'The conversation was deleted, so the message was not sent.', { reason: 'storage' });
