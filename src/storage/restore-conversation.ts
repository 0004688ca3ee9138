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
  /** Whether it is the current conversation. */
  isCurrent(thread: OpenThread): boolean;
  /** Chooses the agent that has answered last. */
  continueWithAgent(thread: OpenThread): void;
  /** Whether another tab has deleted it, in which case it is dropped here too. */
  isDeleted(thread: OpenThread): Promise<boolean>;
  /** Whether it is still open. */
  isOpen(thread: OpenThread): boolean;
  /** Called when nothing is running in it. */
  becameIdle(thread: OpenThread): void;
}

/** Restores a conversation: its messages, drafts, and a reply that had not ended. */
export class ConversationRestorer {
  readonly #host: ConversationRestorerHost;

  constructor(host: ConversationRestorerHost) {
    this.#host = host;
  }

  /** Loads the stored conversation with this id. */
  async restore(thread: OpenThread, backend: StorageBackend): Promise<void> {
    const { id } = thread;
    const [read, draft] = await Promise.all([this.#read(id, backend), this.#host.drafts.read(thread, backend)]);
    // A conversation that was begun meanwhile is combined with the stored one before it is written, see `addStored()`.
    if (backend !== this.#host.backend() || thread.isDeleted || !thread.isEmpty || thread.chat.busy) return;
    // The conversation may have got another id meanwhile.
    if (read && id === thread.id) thread.isRead = true;
    const stored = read?.stored;
    const restored = stored && restoreThread(stored, Date.now());
    this.#returnToDraft(thread, restored?.unsent, draft);
    if (!stored || !restored) return;
    thread.updated = stored.updated;
    thread.move('restore');
    const isOwn = await this.#take(thread);
    if (isOwn === true) thread.unsent = restored.unsent.filter(hasFiles);
    if (isOwn !== undefined) this.#continueReply(thread, stored, { ...restored, isOwn });
  }

  /** Undefined if it could not be read, which is not the same as that nothing is stored. */
  #read(id: string, backend: StorageBackend): Promise<{ readonly stored: StoredThread | undefined } | undefined> {
    return this.#host.storage.run(async () => ({ stored: await readThread(id, backend) }), { reading: true });
  }

  /**
   * Reads the stored copy of a conversation that was begun before it could be read, and adds its messages as another branch,
   * like those of another tab. Without a current branch, the stored one is shown.
   *
   * @throws if it can't be read
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
    // No turn waits for the answers to questions of another branch: they are closed.
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

  /** Adds the messages that an earlier page had queued with files, as `failed`: the user can send them with their files. */
  addUnsentWithFiles(thread: OpenThread): void {
    const { unsent } = thread;
    if (unsent.length === 0 || thread.isElsewhere) return;
    thread.unsent = [];
    for (const message of unsent) thread.chat.append({ ...message, status: 'failed' });
  }

  /**
   * Adds the messages that had to wait for the storage when the page was left, as `failed`. Each has a note with its
   * text in the tab's storage, see `pending-text.ts`.
   */
  async addFromNotes(thread: OpenThread, { tab: notes }: StorageBackend): Promise<void> {
    const { chat } = thread;
    // After a running reply they would be in the wrong position. They are added after the next reload.
    if (chat.busy || chat.hasPending || thread.isElsewhere) return;
    const { path, hidden } = chat.store.state.thread;
    const known = new Set([...path, ...hidden].map(({ id }) => id));
    for (const name of notes.names(PENDING_TEXT_PREFIX)) {
      const id = name.slice(PENDING_TEXT_PREFIX.length);
      const text = await notes.get(name);
      if (typeof text === 'string' && !known.has(id)) {
        // Makes the conversation active, so that it is saved: nothing of an inactive one is stored.
        thread.move('restore');
        chat.append(completeMessage({ id, role: 'user', text, status: 'failed' }));
      }
      await notes.set(name, undefined);
    }
  }

  /**
   * Appends unsent texts to the draft of their conversation. The composer shows only that of the current one. A message
   * with files would lose them, see `addUnsentWithFiles()`.
   *
   * @param storedDraft - the draft, unless the user has begun another one meanwhile
   */
  #returnToDraft(thread: OpenThread, unsent: readonly ChatMessage[] = [], storedDraft = ''): void {
    const composer = this.#host.isCurrent(thread) ? this.#host.composer() : undefined;
    const draft = composer?.text || thread.draft || storedDraft;
    // A stored draft may contain them: it is written before the conversation is written without them.
    const texts = unsent.filter((message) => !hasFiles(message)).map(textOf);
    const missing = texts.filter((text) => text !== '' && !draft.includes(text));
    const text = [...(draft === '' ? [] : [draft]), ...missing].join('\n\n');
    if (missing.length > 0) this.#host.drafts.setText(thread, text);
    else thread.draft = text;
    if (composer && composer.text !== text) composer.setText(text);
  }

  /**
   * Acquires the conversation, so that its reply can continue in this tab.
   *
   * @returns whether this tab has it; undefined if its messages must not be replaced any more
   */
  async #take(thread: OpenThread): Promise<boolean | undefined> {
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
      // Stops following the other tab, which is not asked to stop. Its reply may continue here, so the promise of it stays open.
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
    // A reply that waits for the user runs here, too.
    thread.followed.settle(resumed ?? chat.parts.turns.done);
    if (resumed)
      void resumed.catch(() => {
        this.#host.becameIdle(thread);
      });
    else this.#host.becameIdle(thread);
  }

  /**
   * Acquires the lock again for a question that stayed open while the page was left, when the lock was released. If another tab holds
   * the lock now, or has changed the conversation, the turn ends here, and the conversation is read again.
   */
  async reclaim(thread: OpenThread): Promise<void> {
    const { backend, chat } = thread;
    if (!backend || (await this.#host.isDeleted(thread))) return;
    const isOwn = await this.#host.tabs.take(thread);
    // Read after that: the other tab releases the lock after its last write.
    const stored = (await this.#read(thread.id, backend))?.stored;
    if (thread.isDeleted || (isOwn && !(stored && stored.updated > thread.updated))) return;
    thread.apply(() => {
      chat.parts.turns.stop(INTERRUPTED);
    });
    await this.reload(thread);
  }

  /**
   * Reads an open conversation again: after the page or the element has come back, after the tab with the running reply
   * was closed, or when a report refers to missing messages. This tab may have newer messages than the storage, if the tab with
   * the reply has reported them but could not save them: the newer copy is used.
   */
  async reload(thread: OpenThread): Promise<void> {
    const { backend } = thread;
    if (!backend || (await this.#host.isDeleted(thread))) return;
    // Other tabs may have changed it. What is not read here is read before the next write.
    thread.isRead = false;
    const read = await this.#read(thread.id, backend);
    if (thread.isDeleted || isBusy(thread)) return;
    const isOwn = await this.#take(thread);
    if (isOwn === undefined) return;
    if (read) thread.isRead = true;
    const { pending } = thread.chat.store.state;
    const stored = read?.stored && withoutMessages(read.stored, pending);
    const here = withoutMessages(toStoredThread(thread, this.#host.serializer()), pending);
    const newest = stored ? newerCopy(stored, here) : here;
    const restored = restoreThread(newest, Date.now());
    const more = stored ? restoreThread(newest === stored ? here : stored, Date.now()).unsent : [];
    const unsent = unsentMessages([...restored.unsent, ...more], { thread, restored, isOwn });
    thread.unsent = unsent.filter(hasFiles);
    this.#continueReply(thread, newest, { ...restored, isOwn });
    this.#returnToDraft(thread, unsent);
  }
}

/**
 * The queued messages that nobody sends any more, once each. Those of this tab are withdrawn when the page is left, and when
 * the conversation is replaced; those that wait for the storage or for consent (`pending`) are still sent. Those of another tab only count if that tab is gone.
 */
function unsentMessages(
  messages: readonly ChatMessage[],
  {
    thread,
    restored,
    isOwn,
  }: { readonly thread: OpenThread; readonly restored: RestoredThread; readonly isOwn: boolean },
): readonly ChatMessage[] {
  // Messages of this tab return as the user wrote them: the stored form lacks secrets.
  const own = new Map(
    [...thread.chat.thread.path, ...thread.chat.thread.hidden].map((message) => [message.id, message]),
  );
  const present = new Set([...restored.path, ...restored.hidden].map(({ id }) => id));
  const pending = new Set(thread.chat.store.state.pending.map(({ id }) => id));
  const unsent = new Map(messages.map((message) => [message.id, own.get(message.id) ?? message]));
  return [...unsent.values()].filter(({ id }) => !present.has(id) && !pending.has(id) && (isOwn || own.has(id)));
}

/**
 * A stored conversation without the messages that wait for the storage or for consent: they are sent after it, and would be in it
 * twice.
 */
function withoutMessages(stored: StoredThread, pending: readonly ChatMessage[]): StoredThread {
  if (pending.length === 0) return stored;
  const { leaf: last, ...rest } = stored;
  const ids = new Set(pending.map(({ id }) => id));
  const parents = new Map(stored.messages.map(({ id, parentId }) => [id, parentId]));
  let leaf = last;
  // Each once: in a damaged storage, the messages may follow each other in a circle.
  for (const left = new Set(ids); leaf !== undefined && left.delete(leaf);) leaf = parents.get(leaf);
  return { ...rest, messages: stored.messages.filter(({ id }) => !ids.has(id)), ...(leaf !== undefined && { leaf }) };
}

const hasFiles = ({ blocks }: ChatMessage): boolean => blocks.some(({ type }) => type !== 'content');

const INTERRUPTED: RunOutcome = { status: 'interrupted', finish: 'error' };

/**
 * Whether a reply has begun here, which makes the stored state outdated. A message that waits for consent or storage does not:
 * it is no part of the conversation yet, and is sent after it.
 */
const isBusy = ({ chat }: OpenThread): boolean => chat.busy;
