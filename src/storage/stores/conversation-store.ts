/** The store interface that a host page can implement, and the settings for storage. */
import type { ChatMessage } from '../../model/message.ts';

export type Awaitable<T> = T | Promise<T>;

/** An entry in the list of conversations. */
export interface ThreadSummary {
  readonly id: string;
  /** The first words of the conversation, or the name given by the user. */
  readonly title: string;
  /** Time of the last change, in milliseconds since the epoch. */
  readonly updated: number;
}

/** A stored conversation: plain JSON, without secrets, after `redact(text, 'store')`. */
export interface StoredThread extends ThreadSummary {
  readonly version: 1;
  /** The messages of all branches, linked by `parentId`. */
  readonly messages: readonly ChatMessage[];
  /** Id of the last message of the active branch. Absent if there are no messages. */
  readonly leaf?: string;
  /** Id of the adapter, detected or configured, that has read the last reply: only that one can resume it. */
  readonly protocol?: string;
  /** The agent's shared state, if its protocol has one. */
  readonly state?: unknown;
}

/**
 * A host page's own store for conversations, such as its server. Each method may return a promise. An error is reported
 * once as an `agent-chat-error` of kind `storage`, and the chat continues.
 *
 * @example
 * element.storage = {
 *   user: 'u-17',
 *   store: {
 *     list: () => api('GET', '/threads'),
 *     load: (id) => api('GET', `/threads/${id}`),
 *     save: (thread) => api('PUT', `/threads/${thread.id}`, thread),
 *     rename: (id, title) => api('PATCH', `/threads/${id}`, { title }),
 *     remove: (id) => api('DELETE', `/threads/${id}`),
 *   },
 * };
 */
export interface ConversationStore {
  /** Returns all conversations of this user, in any order. */
  list(): Awaitable<readonly ThreadSummary[]>;
  /** Returns one conversation; undefined or null if there is none with this id. */
  load(id: string): Awaitable<StoredThread | null | undefined>;
  /** Creates or replaces the conversation with this id. Called at most twice a second while a reply is streaming. */
  save(thread: StoredThread): Awaitable<unknown>;
  rename(id: string, title: string): Awaitable<unknown>;
  remove(id: string): Awaitable<unknown>;
}

/** Settings for the storage of conversations. */
export interface StorageSettings {
  /** The page's own store, instead of the browser's. */
  readonly store?: ConversationStore | undefined;
  /** Separates chats that use the same endpoint. */
  readonly key?: string | undefined;
  /**
   * Identifies the user who owns the conversations. A change stops all replies and loads the conversations of the new
   * user.
   */
  readonly user?: string | undefined;
  /** Days after the last change until a conversation is deleted. Default: 30 (`DEFAULT_RETENTION_DAYS`) with `local`, otherwise unlimited. */
  readonly retention?: number | undefined;
}

/** How long conversations are stored: not at all, as long as the tab, or on this device. */
export type Persist = 'none' | 'session' | 'local';

/** An entry in the list of conversations, with its current state. */
export interface ThreadInfo extends ThreadSummary {
  /** Whether it is the current conversation. */
  readonly current: boolean;
  /** Whether a reply is running in it. */
  readonly running: boolean;
  /** Number of replies since it was last shown. */
  readonly unread: number;
}
