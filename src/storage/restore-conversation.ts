import { textOf } from '../model/message-text.ts';
import type { StorageRunner } from './stores/try-storage.ts';
import type { TabSync } from './tabs/tab-sync.ts';
import type { StoredThread } from './stores/conversation-store.ts';
import type { StorageSerializer } from '../runtime/masking/serialize-messages.ts';
import type { ComposerDraft } from './settings/manager-host.ts';
import { restoreThread, type RestoredThread } from './records/restore-thread.ts';
import { longerCopy } from './records/serialize-thread.ts';
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
    const [stored, texts] = await Promise.all([
      this.#host.storage.run(() => readThread(thread.id, backend), { reading: true }),
      this.#host.drafts.read(thread, backend),
    ]);
    if (backend !== this.#host.backend() || thread.isDeleted || !thread.isEmpty || thread.chat.busy) return;
    if (!stored) {
      this.#putBack(thread, [texts]);
      return;
    }
    thread.updated = stored.updated;
    thread.move('restore');
    const restored = restoreThread(stored, Date.now());
    this.#putBack(thread, [texts, restored.unsent]);
    await this.#continueReply(thread, stored, restored);
  }

  /** Adds messages that were waiting for the storage when the page was left, and were not sent. */
  async addWaiting(thread: OpenThread, { tab }: StorageBackend): Promise<void> {
    const { chat } = thread;
    // After a running reply they would be in the wrong position. They are added after the next reload.
    if (chat.busy || chat.hasPending || thread.isElsewhere) return;
    const { path, hidden } = chat.store.state.thread;
    const known = new Set([...path, ...hidden].map(({ id }) => id));
    for (const name of tab.names(PENDING_TEXT_PREFIX)) {
      const id = name.slice(PENDING_TEXT_PREFIX.length);
      const text = await tab.get(name);
      if (typeof text === 'string' && !known.has(id)) {
        // From here on it is stored like a conversation that was read.
        thread.move('restore');
        chat.addMessage({ id, role: 'user', text, status: 'failed' });
      }
      await tab.set(name, undefined);
    }
  }

  /** Puts unsent text back into the composer. */
  #putBack(thread: OpenThread, texts: readonly string[]): void {
    const text = texts.filter((part) => part !== '').join('\n\n');
    if (text === '') return;
    thread.draft = text;
    if (this.#host.isCurrent(thread) && this.#host.composer().text === '') this.#host.composer().setText(text);
  }

  /** Continues the reply here, or follows the tab that runs it. */
  async #continueReply(
    thread: OpenThread,
    stored: StoredThread,
    { path, hidden, isInterrupted }: RestoredThread,
    isBusy = ({ chat }: OpenThread): boolean => chat.busy,
  ): Promise<void> {
    const { chat } = thread;
    const mine = await this.#host.tabs.take(thread);
    // Another tab may have reported its running reply meanwhile, and replacing the conversation would stop it.
    if (!this.#host.isOpen(thread) || isBusy(thread) || thread.isElsewhere) return;
    const lastReply = path.findLast(({ role }) => role === 'assistant');
    thread.lastAgent = lastReply?.agentId;
    if (this.#host.isCurrent(thread)) this.#host.continueWithAgent(thread);
    thread.apply(() => {
      if (stored.protocol !== undefined) {
        chat.setKnownProtocol(stored.protocol, lastReply);
      }
      // A question is answered only in the tab that holds the conversation, or twice.
      chat.replace({ path, hidden }, mine ? undefined : this.#host.tabs.remote(thread));
      const { state, protocol } = stored;
      chat.store.set({ ...chat.store.state, protocol, agentState: state });
    });
    thread.adoptTitle(stored.title);
    thread.reported = { messages: new Set([...chat.thread.path, ...chat.thread.hidden]), order: undefined };
    if (!mine) {
      this.#host.tabs.ask(thread);
      return;
    }
    this.#host.tabs.restored(thread);
    if (isInterrupted) {
      void chat.resume({ quietly: true }).catch(() => {
        this.#host.becameIdle(thread);
      });
    } else this.#host.becameIdle(thread);
  }

  /** Reads a conversation again that another tab, or this page before it was restored, left unfinished. */
  async reload(thread: OpenThread): Promise<void> {
    const { backend } = thread;
    if (!backend || (await this.#host.isDeleted(thread))) return;
    const stored = await this.#host.storage.run(() => readThread(thread.id, backend), { reading: true });
    if (thread.isDeleted || isSending(thread)) return;
    const queued = thread.chat.store.state.queue.map(textOf);
    const here = toStoredThread(thread, this.#host.serializer());
    const newest = stored ? longerCopy(stored, here) : here;
    const restored = restoreThread(newest, Date.now());
    this.#putBack(thread, [this.#host.composer().text, ...queued]);
    await this.#continueReply(thread, newest, restored, isSending);
  }
}

/** Whether the user has sent something meanwhile, which makes the stored state outdated. */
const isSending = ({ chat }: OpenThread): boolean => chat.busy || chat.hasPending;
