/** Where conversations are kept: what a page can bring itself. Source: the contract, `storage`. */
import type { ChatMessage } from '../../model/message.ts';

export type Awaitable<T> = T | Promise<T>;

/** One line of the list of conversations. */
export interface ThreadSummary {
  readonly id: string;
  /** The first words of the conversation, or the name that the reader has given it. */
  readonly title: string;
  /** Milliseconds since the epoch: the last change. */
  readonly updated: number;
}

/** A whole conversation as it is kept: plain JSON, without secrets, after `redact(text, 'store')`. */
export interface KeptThread extends ThreadSummary {
  readonly version: 1;
  /** The messages of all branches, chained by `parentId`. */
  readonly messages: readonly ChatMessage[];
  /** The id of the last message on show; absent where no message is. */
  readonly leaf?: string;
  /** The adapter that was found for the endpoint: a reply can be picked up only by the one that began it. */
  readonly protocol?: string;
  /** The agent's shared state, where its protocol has one. */
  readonly state?: unknown;
}

/**
 * A page's own place for conversations, such as its server. Each method may give a promise. What one throws, or rejects with, is
 * told once as an `agent-chat-error` of kind `storage`, and the chat goes on.
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
  /** All conversations of this reader, in any order. */
  list(): Awaitable<readonly ThreadSummary[]>;
  /** One of them; undefined or null where there is none of that id. */
  load(id: string): Awaitable<KeptThread | null | undefined>;
  /** Puts it in the place of the one of that id. Called twice a second at most while a reply grows. */
  save(thread: KeptThread): Awaitable<unknown>;
  rename(id: string, title: string): Awaitable<unknown>;
  remove(id: string): Awaitable<unknown>;
}

/** How conversations are kept. */
export interface StorageSettings {
  /** The page's own place, instead of the browser's. */
  readonly store?: ConversationStore | undefined;
  /** Tells two chats with the same endpoint apart. */
  readonly key?: string | undefined;
  /** Whose conversations these are. Another user stops the replies and begins with their own. */
  readonly user?: string | undefined;
  /** Days after which a conversation that nobody has touched is deleted. Under `local` 30 by default, else never. */
  readonly retention?: number | undefined;
}

/** How long conversations are kept: not at all, as long as the tab, or on this device. */
export type Persist = 'none' | 'session' | 'local';

/** The reader's text before it is sent, or any text before it is stored. */
export type Redact = (text: string, purpose: 'send' | 'store') => string;

/** A conversation of the list, with what becomes of it now. */
export interface ThreadInfo extends ThreadSummary {
  /** It is the one on show. */
  readonly current: boolean;
  /** A reply is under way in it. */
  readonly running: boolean;
  /** Replies that came since it was on show last. */
  readonly unread: number;
}
