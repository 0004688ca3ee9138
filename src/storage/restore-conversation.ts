import { closeMessage } from '../conversation/close-run.ts';
import { normalizeHistory } from '../conversation/normalize-history.ts';
import type { RunOutcome } from '../conversation/run.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/message-text.ts';
import type { StorageRunner } from './stores/try-storage.ts';
import type { TabSync } from './tabs/tab-sync.ts';
import { mergeAsBranches } from './tabs/thread-reports.ts';
import { completeMessage } from '../runtime/chat/user-message.ts';
import { newId } from '../runtime/new-id.ts';
import type { StoredThread } from './stores/conversation-store.ts';
import type { StorageSerializer } from '../runtime/masking/redact-for-storage.ts';
import type { ComposerDraft } from './settings/manager-host.ts';
import { restoreThread, type RestoredThread } from './records/restore-thread.ts';
import { newerCopy } from './records/serialize-thread.ts';
import type { OpenThread } from './threads/open-thread.ts';
import type { StorageBackend } from './stores/storage-backend.ts';
import { readThread } from './records/read-thread.ts';
import type { Drafts } from './threads/drafts.ts';
import { PENDING_TEXT_PREFIX } from './records/pending-text.ts';
import { toStoredThread } from './threads/write-thread.ts';

export interface ConversationRestorerHost {
  readonly storage: StorageRunner;
  readonly drafts: Drafts;
  readonly tabs: TabSync;
  backend(): StorageBackend | undefined;
  serializer(): StorageSerializer;
  composer(): ComposerDraft;
  /** Whether the widget shows this conversation. */
  isCurrent(thread: OpenThread): boolean;
  /** Selects the agent that has answered last in the conversation, unless one is selected already. */
  continueWithAgent(thread: OpenThread): void;
  /** Whether another tab has deleted the conversation. If so, it is closed in this tab too. */
  isDeleted(thread: OpenThread): Promise<boolean>;
  /** Whether the conversation is still open in this tab. */
  isOpen(thread: OpenThread): boolean;
  /** Called when no reply is running in the restored conversation. */
  becameIdle(thread: OpenThread): void;
}

/** Restores an open conversation from the storage: its messages, its drafts, and a reply that had not ended. */
export class ConversationRestorer {
  readonly #host: ConversationRestorerHost;

  constructor(host: ConversationRestorerHost) {
    this.#host = host;
  }

  /** Loads the stored copy of a conversation that has no messages yet. */
  async restore(thread: OpenThread, backend: StorageBackend): Promise<void> {
    const { id } = thread;
    const [read, draft] = await Promise.all([this.#read(id, backend), this.#host.drafts.read(thread, backend)]);
    // If the user has sent a message meanwhile, both copies are combined before the next write, see `addStored()`.
    if (backend !== this.#host.backend() || thread.isDeleted || !thread.isEmpty || thread.chat.busy) return;
    // The conversation may have received another id meanwhile.
    if (read && id === thread.id) thread.isRead = true;
    const stored = read?.stored;
    const restored = stored && restoreThread(stored, Date.now());
    this.#returnToDraft(thread, restored?.unsent, draft);
    if (!stored || !restored) return;
    thread.updated = stored.updated;
    thread.move('restore');
    const isOwn = await this.#acquire(thread);
    if (isOwn === true) thread.unsent = restored.unsent.filter(hasFiles);
    if (isOwn !== undefined) this.#continueReply(thread, stored, { ...restored, isOwn });
  }

  /** Resolves with undefined if reading fails, and with `{stored: undefined}` if nothing is stored. */
  #read(id: string, backend: StorageBackend): Promise<{ readonly stored: StoredThread | undefined } | undefined> {
    return this.#host.storage.run(async () => ({ stored: await readThread(id, backend) }), { reading: true });
  }

  /**
   * Reads the stored copy of a conversation to which the user has added messages before it could be read. The stored messages become
   * another branch, as messages of another tab do. If the conversation has no messages, the stored ones are shown.
   *
   * @throws if the stored copy can't be read
   */
  async addStored(thread: OpenThread, backend: StorageBackend): Promise<void> {
    const { id } = thread;
    const stored = await readThread(id, backend);
    if (id !== thread.id || backend !== thread.backend || thread.isDeleted) return;
    thread.isRead = true;
    if (!stored) return;
    const context = { now: Date.now(), newId };
    const restored = restoreThread(stored, context.now);
    const { path, hidden } = normalizeHistory(restored, context);
    // No turn waits for an answer in another branch, so the open questions there are closed.
    const other = { path: path.map((message) => closeMessage(message, INTERRUPTED, context)), hidden };
    thread.apply(() => {
      const { state } = thread.chat.store;
      const own = state.thread;
      thread.chat.store.set({
        ...state,
        thread: own.path.length > 0 ? mergeAsBranches(own, other, thread.reported) : other,
        protocol: state.protocol ?? stored.protocol,
        agentState: state.agentState ?? stored.state,
      });
    });
    if (thread.name === '') thread.adoptTitle(stored.title);
    thread.unsent = restored.unsent.filter(hasFiles);
    if (restored.unsent.length > 0) this.#returnToDraft(thread, restored.unsent);
  }

  /**
   * Appends the messages with files that were still queued when the page was closed. Their status is `failed`, so that the user can send
   * them again. (Queued texts return to the draft instead, which can't contain files.)
   */
  addUnsentWithFiles(thread: OpenThread): void {
    const { unsent } = thread;
    if (unsent.length === 0 || thread.isElsewhere) return;
    thread.unsent = [];
    for (const message of unsent) thread.chat.append({ ...message, status: 'failed' });
  }

  /**
   * Appends the messages that were still waiting for the storage when the page was left. Their status is `failed`. The tab's storage
   * has a note with the text of each, see `pending-text.ts`.
   */
  async addPendingTexts(thread: OpenThread, { tab: notes }: StorageBackend): Promise<void> {
    const { chat } = thread;
    // After a running reply they would be in the wrong position. The notes stay, and are added after the next reload of the page.
    if (chat.busy || chat.hasPending || thread.isElsewhere) return;
    const { path, hidden } = chat.store.state.thread;
    const known = new Set([...path, ...hidden].map(({ id }) => id));
    for (const name of notes.names(PENDING_TEXT_PREFIX)) {
      const id = name.slice(PENDING_TEXT_PREFIX.length);
      const text = await notes.get(name);
      if (typeof text === 'string' && !known.has(id)) {
        // Makes the conversation active, because inactive conversations are not saved.
        thread.move('restore');
        chat.append(completeMessage({ id, role: 'user', text, status: 'failed' }));
      }
      await notes.set(name, undefined);
    }
  }

  /**
   * Appends the text of unsent messages to the draft of their conversation, and shows the draft if the conversation is current. Messages
   * with files are excluded, because a draft can't contain files, see `addUnsentWithFiles()`.
   *
   * @param storedDraft - used unless the user has begun another draft meanwhile
   */
  #returnToDraft(thread: OpenThread, unsent: readonly ChatMessage[] = [], storedDraft = ''): void {
    const composer = this.#host.isCurrent(thread) ? this.#host.composer() : undefined;
    const draft = composer?.text || thread.draft || storedDraft;
    // The stored draft may already contain the text: it is saved before the conversation is saved without the message.
    const texts = unsent.filter((message) => !hasFiles(message)).map(textOf);
    const missing = texts.filter((text) => text !== '' && !draft.includes(text));
    const text = [...(draft === '' ? [] : [draft]), ...missing].join('\n\n');
    if (missing.length > 0) this.#host.drafts.setText(thread, text);
    else thread.draft = text;
    if (composer && composer.text !== text) composer.setText(text);
  }

  /**
   * Acquires the lock of the conversation, so that its reply can continue in this tab.
   *
   * @returns whether this tab has the lock; undefined if the messages must not be replaced by the stored ones any more
   */
  async #acquire(thread: OpenThread): Promise<boolean | undefined> {
    const isOwn = await this.#host.tabs.take(thread);
    // Another tab may have reported its running reply meanwhile, and replacing the conversation would stop it.
    return !this.#host.isOpen(thread) || isBusy(thread) || thread.isElsewhere ? undefined : isOwn;
  }

  /** Shows a restored conversation, and continues its reply here or follows the tab that runs it. */
  #continueReply(
    thread: OpenThread,
    stored: StoredThread,
    { path, hidden, isInterrupted, isOwn }: RestoredThread & { readonly isOwn: boolean },
  ): void {
    const { chat } = thread;
    const lastReply = path.findLast(({ role }) => role === 'assistant');
    thread.lastAgent = lastReply?.agentId;
    if (this.#host.isCurrent(thread)) this.#host.continueWithAgent(thread);
    thread.apply(() => {
      if (stored.protocol !== undefined) {
        chat.setKnownProtocol(stored.protocol, lastReply);
      }
      // Stops showing the reply of the other tab, but does not stop it there. As it may continue here, its promise stays pending.
      chat.stopFollowing({ mayContinue: true });
      // A question is answered only in the tab that holds the conversation. Otherwise it could be answered twice.
      chat.replace({ path, hidden }, isOwn ? undefined : this.#host.tabs.remote(thread));
      const { state, protocol } = stored;
      chat.store.set({ ...chat.store.state, protocol, agentState: state });
    });
    thread.adoptTitle(stored.title);
    thread.reported = { messages: new Set([...chat.thread.path, ...chat.thread.hidden]), order: undefined };
    if (!isOwn) {
      this.#host.tabs.ask(thread);
      if (!isInterrupted && !thread.running) thread.followed.settle();
      return;
    }
    this.#host.tabs.restored(thread);
    const resumed = isInterrupted ? chat.resume({ quietly: true }) : undefined;
    // A reply that waits for an answer of the user counts as running, too.
    thread.followed.settle(resumed ?? chat.parts.turns.done);
    if (resumed)
      void resumed.catch(() => {
        this.#host.becameIdle(thread);
      });
    else this.#host.becameIdle(thread);
  }

  /**
   * Acquires the lock again for a question that stayed open while the page was left or the element was removed, because the lock was
   * released then. If another tab holds the lock now, or has changed the conversation, the turn ends in this tab, and the
   * conversation is read again.
   */
  async reclaim(thread: OpenThread): Promise<void> {
    const { backend, chat } = thread;
    if (!backend || (await this.#host.isDeleted(thread))) return;
    const isOwn = await this.#host.tabs.take(thread);
    // Read only after that, because another tab releases the lock after its last write.
    const stored = (await this.#read(thread.id, backend))?.stored;
    if (thread.isDeleted || (isOwn && !(stored && stored.updated > thread.updated))) return;
    thread.apply(() => {
      chat.parts.turns.stop(INTERRUPTED);
    });
    await this.reload(thread);
  }

  /**
   * Reads an open conversation again: when the page is restored or the element is connected again, when the tab with the running reply
   * was closed, or when a report of another tab refers to missing messages. The newer copy is used. That may be the one of this tab, if
   * the tab with the reply has reported messages that it could not save.
   */
  async reload(thread: OpenThread): Promise<void> {
    const { backend } = thread;
    if (!backend || (await this.#host.isDeleted(thread))) return;
    // Other tabs may have changed it. If reading fails here, the conversation is read before the next write.
    thread.isRead = false;
    const read = await this.#read(thread.id, backend);
    if (thread.isDeleted || isBusy(thread)) return;
    const isOwn = await this.#acquire(thread);
    if (isOwn === undefined) return;
    if (read) thread.isRead = true;
    const { pending } = thread.chat.store.state;
    const stored = read?.stored && withoutMessages(read.stored, pending);
    const own = withoutMessages(toStoredThread(thread, this.#host.serializer()), pending);
    const newest = stored ? newerCopy(stored, own) : own;
    const restored = restoreThread(newest, Date.now());
    const unsentInOlder = stored ? restoreThread(newest === stored ? own : stored, Date.now()).unsent : [];
    const unsent = unsentMessages([...restored.unsent, ...unsentInOlder], { thread, restored, isOwn });
    thread.unsent = unsent.filter(hasFiles);
    this.#continueReply(thread, newest, { ...restored, isOwn });
    this.#returnToDraft(thread, unsent);
  }
}

/**
 * Returns the queued messages that no tab will send, without duplicates. This tab empties its queue when the page is left and when the
 * conversation is replaced. Excludes messages that wait for the storage or for consent (`pending`), because they are still sent, and
 * the queued messages of another tab as long as that tab has the lock.
 */
function unsentMessages(
  messages: readonly ChatMessage[],
  {
    thread,
    restored,
    isOwn,
  }: { readonly thread: OpenThread; readonly restored: RestoredThread; readonly isOwn: boolean },
): readonly ChatMessage[] {
  // Of a message of this tab, the original is used: in the stored copy, secrets are masked.
  const own = new Map(
    [...thread.chat.thread.path, ...thread.chat.thread.hidden].map((message) => [message.id, message]),
  );
  const present = new Set([...restored.path, ...restored.hidden].map(({ id }) => id));
  const pending = new Set(thread.chat.store.state.pending.map(({ id }) => id));
  const unsent = new Map(messages.map((message) => [message.id, own.get(message.id) ?? message]));
  return [...unsent.values()].filter(({ id }) => !present.has(id) && !pending.has(id) && (isOwn || own.has(id)));
}

/**
 * Removes the messages that wait for the storage or for consent from a copy of the conversation. They are appended when they are sent,
 * and would then be in it twice.
 */
function withoutMessages(stored: StoredThread, pending: readonly ChatMessage[]): StoredThread {
  if (pending.length === 0) return stored;
  const { leaf: storedLeaf, ...rest } = stored;
  const ids = new Set(pending.map(({ id }) => id));
  const parents = new Map(stored.messages.map(({ id, parentId }) => [id, parentId]));
  let leaf = storedLeaf;
  // Visits each id once, because the parents of a damaged copy may form a cycle.
  for (const unvisited = new Set(ids); leaf !== undefined && unvisited.delete(leaf);) leaf = parents.get(leaf);
  return { ...rest, messages: stored.messages.filter(({ id }) => !ids.has(id)), ...(leaf !== undefined && { leaf }) };
}

const hasFiles = ({ blocks }: ChatMessage): boolean => blocks.some(({ type }) => type !== 'content');

const INTERRUPTED: RunOutcome = { status: 'interrupted', finish: 'error' };

/**
 * Whether a reply has begun in this tab, which makes the stored copy outdated. A message that waits for consent or the storage does not
 * count: it is no part of the conversation yet, and is sent after the conversation is restored.
 */
const isBusy = ({ chat }: OpenThread): boolean => chat.busy;
