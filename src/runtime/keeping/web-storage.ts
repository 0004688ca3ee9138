/** The storage of one tab: conversations that survive a change of page, and small things that have to be read at once. */
import type { ConversationStore, KeptThread, ThreadSummary } from './conversation-store.ts';
import { overflowing } from './retention.ts';
import { OWN } from './stored-before.ts';

/** Browsers give an origin about 5 Mi UTF-16 code units; the page may want some of it. */
const LIMIT = 4 * 1024 * 1024;

type Area = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What the tab holds under one scope, by name. */
export class TabNotes {
  readonly #scope: string;

  constructor(scope: string) {
    this.#scope = scope;
  }

  get(name: string): unknown {
    const text = area().getItem(this.#key(name));
    if (text === null) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // Not ours, or not whole.
      return undefined;
    }
  }

  set(name: string, value: unknown): void {
    area().setItem(this.#key(name), JSON.stringify(value));
  }

  remove(name: string): void {
    area().removeItem(this.#key(name));
  }

  /** The names that begin so. */
  names(start = ''): readonly string[] {
    const prefix = this.#key(start);
    return Object.keys(area())
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(this.#key('').length));
  }

  clear(): void {
    for (const name of this.names()) this.remove(name);
  }

  #key(name: string): string {
    return `${OWN}${this.#scope} ${name}`;
  }
}

// (Asked each time: a page that may not have it throws at the name alone.)
const area = (): Area => sessionStorage;

/** Conversations of one tab. */
export class TabStore implements ConversationStore {
  readonly #notes: TabNotes;
  readonly #kind: string;

  /** @param kind - what they are named by, such as `thread` */
  constructor(scope: string, kind = 'thread') {
    this.#notes = new TabNotes(scope);
    this.#kind = `${kind} `;
  }

  list(): readonly ThreadSummary[] {
    return this.#notes.names(this.#kind).flatMap((name) => {
      const thread = this.load(name.slice(this.#kind.length));
      return thread ? [{ id: thread.id, title: thread.title, updated: thread.updated }] : [];
    });
  }

  load(id: string): KeptThread | undefined {
    return this.#notes.get(this.#kind + id) as KeptThread | undefined;
  }

  save(thread: KeptThread): void {
    try {
      this.#notes.set(this.#kind + thread.id, thread);
    } catch (error) {
      if (!this.#makeRoom(thread)) throw error;
      this.#notes.set(this.#kind + thread.id, thread);
    }
  }

  rename(id: string, title: string): void {
    const thread = this.load(id);
    if (thread) this.save({ ...thread, title });
  }

  remove(id: string): void {
    this.#notes.remove(this.#kind + id);
  }

  /** Older conversations go when ours are what fills the tab's storage. @returns whether there is more room now */
  #makeRoom(thread: KeptThread): boolean {
    const weighed = this.list().map(({ id, updated }) => ({
      id,
      updated,
      bytes: JSON.stringify(this.load(id)).length,
    }));
    const others = weighed.filter(({ id }) => id !== thread.id);
    const all = [...others, { id: thread.id, updated: thread.updated, bytes: JSON.stringify(thread).length }];
    const going = overflowing(all, LIMIT, thread.id);
    for (const id of going) this.remove(id);
    return going.length > 0;
  }
}
