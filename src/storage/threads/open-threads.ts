/** The open conversations, current and in the background, by id. */
import type { Chat } from '../../runtime/chat/chat.ts';
import type { ChatState } from '../../runtime/chat/chat-state.ts';
import { newId } from '../../runtime/new-id.ts';
import { OpenThread } from './open-thread.ts';
import type { StorageBackend } from '../stores/storage-backend.ts';

/** Maximum number of open conversations without a store, and of replies running at the same time. */
const MAX_OPEN = 50;
const MAX_RUNNING = 8;

export class OpenThreads {
  readonly #byId = new Map<string, OpenThread>();
  readonly #changed: (thread: OpenThread, before: ChatState) => void;

  /** @param changed - called after each change of a conversation, with its previous state */
  constructor(changed: (thread: OpenThread, before: ChatState) => void) {
    this.#changed = changed;
  }

  get all(): readonly OpenThread[] {
    return [...this.#byId.values()];
  }

  get(id: string): OpenThread | undefined {
    return this.#byId.get(id);
  }

  has(thread: OpenThread): boolean {
    return this.#byId.get(thread.id) === thread;
  }

  of(chat: Chat): OpenThread | undefined {
    return this.all.find((thread) => thread.chat === chat);
  }

  /** @param id - default: a new id, because the page may know the previous conversation's id */
  adopt(chat: Chat, backend: StorageBackend | undefined, id?: string): OpenThread {
    const thread = new OpenThread(chat, id ?? newId(), this.#changed);
    thread.backend = backend;
    thread.isRead = id === undefined;
    this.#byId.set(thread.id, thread);
    return thread;
  }

  changeId(thread: OpenThread, id: string): void {
    this.#byId.delete(thread.id);
    thread.id = id;
    thread.isRead = false;
    thread.chat.storedId = id;
    this.#byId.set(id, thread);
  }

  /** Removes a conversation and ends its subscription. */
  release(thread: OpenThread): void {
    thread.end();
    if (this.has(thread)) this.#byId.delete(thread.id);
  }

  /**
   * The conversations beyond the limits, the oldest first: running replies to interrupt, and conversations to release.
   */
  beyondLimits(current: OpenThread): { readonly running: readonly OpenThread[]; readonly idle: readonly OpenThread[] } {
    const others = this.all.filter((other) => other !== current);
    const running = others.filter((other) => other.chat.busy);
    return {
      running: running.slice(0, Math.max(0, running.length - MAX_RUNNING)),
      idle: others.slice(0, Math.max(0, others.length - MAX_OPEN)),
    };
  }
}
