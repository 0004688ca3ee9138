import { textOf } from '../model/message-text.ts';
import type { StorageRunner } from './stores/try-storage.ts';
import type { TabSync } from './tabs/tab-sync.ts';
import type { KeptThread } from './stores/conversation-store.ts';
import type { createStorageSerializer } from '../runtime/masking/serialize-messages.ts';
import type { DraftPlace } from './settings/manager-host.ts';
import { longerCopy, restoreThread, type RestoredThread } from './records/stored-thread.ts';
import type { OpenThread } from './threads/open-thread.ts';
import type { StorageBackend } from './stores/storage-backend.ts';
import { readThread } from './records/read-thread.ts';
import type { Drafts } from './threads/drafts.ts';
import { PENDING_TEXT_PREFIX } from './records/pending-text.ts';
import { toStoredThread } from './threads/write-thread.ts';

export interface ComingBackHost {
  readonly attempts: StorageRunner;
  readonly unsent: Drafts;
  readonly company: TabSync;
  place(): StorageBackend | undefined;
  forStoring(): ReturnType<typeof createStorageSerializer>;
  composer(): DraftPlace;
  /** Whether it is the current conversation. */
  isCurrent(live: OpenThread): boolean;
  /** Whether another tab has deleted it, in which case it is dropped here too. */
  isDeleted(live: OpenThread): Promise<boolean>;
  /** Whether it is still open. */
  isThere(live: OpenThread): boolean;
  /** Called when nothing is running in it. */
  settled(live: OpenThread): void;
}

/** Restores a conversation: its messages, drafts, and a reply that had not ended. */
export class ConversationRestorer {
  readonly #host: ComingBackHost;

  constructor(host: ComingBackHost) {
    this.#host = host;
  }

  /** Loads the stored conversation with this id. */
  async fill(live: OpenThread, place: StorageBackend): Promise<void> {
    const [kept, texts] = await Promise.all([
      this.#host.attempts.run(() => readThread(live.id, place), { reading: true }),
      this.#host.unsent.read(live, place),
    ]);
    if (place !== this.#host.place() || live.isDeleted || !live.isEmpty || live.chat.busy) return;
    if (!kept) {
      this.#putBack(live, [texts]);
      return;
    }
    live.updated = kept.updated;
    live.move('restore');
    const revived = restoreThread(kept, Date.now());
    this.#putBack(live, [texts, revived.unsent]);
    await this.#continueReply(live, kept, revived);
  }

  /** Adds messages that were waiting for the storage when the page was left, and were not sent. */
  async addWaiting(live: OpenThread, { tab }: StorageBackend): Promise<void> {
    const { chat } = live;
    // After a running reply they would be in the wrong position. They are added after the next reload.
    if (chat.busy || chat.hasPending || live.isElsewhere) return;
    const { path, hidden } = chat.store.state.thread;
    const known = new Set([...path, ...hidden].map(({ id }) => id));
    for (const name of tab.names(PENDING_TEXT_PREFIX)) {
      const id = name.slice(PENDING_TEXT_PREFIX.length);
      const text = await tab.get(name);
      if (typeof text === 'string' && !known.has(id)) {
        // From here on it is stored like a conversation that was read.
        live.move('restore');
        chat.addMessage({ id, role: 'user', text, status: 'failed' });
      }
      await tab.set(name, undefined);
    }
  }

  /** Puts unsent text back into the composer. */
  #putBack(live: OpenThread, texts: readonly string[]): void {
    const text = texts.filter((part) => part !== '').join('\n\n');
    if (text === '') return;
    live.draft = text;
    if (this.#host.isCurrent(live) && this.#host.composer().text === '') this.#host.composer().setText(text);
  }

  /** Continues the reply here, or follows the tab that runs it. */
  async #continueReply(
    live: OpenThread,
    kept: KeptThread,
    { path, hidden, isInterrupted }: RestoredThread,
    isBusy = ({ chat }: OpenThread): boolean => chat.busy,
  ): Promise<void> {
    const { chat } = live;
    const mine = await this.#host.company.take(live);
    // Another tab may have reported its running reply meanwhile, and replacing the conversation would stop it.
    if (!this.#host.isThere(live) || isBusy(live) || live.isElsewhere) return;
    live.apply(() => {
      if (kept.protocol !== undefined) chat.setKnownProtocol(kept.protocol);
      chat.replace({ path, hidden });
      const { state, protocol } = kept;
      chat.store.set({ ...chat.store.state, protocol, agentState: state });
    });
    live.takeTitle(kept.title);
    live.reported = { messages: new Set([...chat.thread.path, ...chat.thread.hidden]), order: undefined };
    if (!mine) this.#host.company.ask(live);
    else if (isInterrupted) {
      void chat.resume({ quietly: true }).catch(() => {
        this.#host.settled(live);
      });
    } else this.#host.settled(live);
  }

  /** Reads a conversation again that another tab, or this page before it was restored, left unfinished. */
  async reload(live: OpenThread): Promise<void> {
    const { backend } = live;
    if (!backend || (await this.#host.isDeleted(live))) return;
    const stored = await this.#host.attempts.run(() => readThread(live.id, backend), { reading: true });
    if (live.isDeleted || isGoingOn(live)) return;
    const queued = live.chat.store.state.queue.map(textOf);
    const here = toStoredThread(live, this.#host.forStoring());
    const kept = stored ? longerCopy(stored, here) : here;
    const revived = restoreThread(kept, Date.now());
    this.#putBack(live, [this.#host.composer().text, ...queued]);
    await this.#continueReply(live, kept, revived, isGoingOn);
  }
}

/** Whether the user has sent something meanwhile, which makes the stored state outdated. */
const isGoingOn = ({ chat }: OpenThread): boolean => chat.busy || chat.hasPending;
