/** The conversations that are there, on show or behind it, by their ids. */
import type { Chat } from '../chat.ts';
import type { ChatState } from '../chat-state.ts';
import { newId } from '../new-id.ts';
import { LiveThread } from './live-thread.ts';
import type { Place } from './place.ts';

/** So many conversations without a store are remembered, and so many replies run at once. */
const MOST_LIVE = 50;
const MOST_RUNNING = 8;

export class LiveThreads {
  readonly #byId = new Map<string, LiveThread>();
  readonly #changed: (live: LiveThread, before: ChatState) => void;

  /** @param changed - told of each change of one of them with the state before it */
  constructor(changed: (live: LiveThread, before: ChatState) => void) {
    this.#changed = changed;
  }

  get all(): readonly LiveThread[] {
    return [...this.#byId.values()];
  }

  get(id: string): LiveThread | undefined {
    return this.#byId.get(id);
  }

  has(live: LiveThread): boolean {
    return this.#byId.get(live.id) === live;
  }

  of(chat: Chat): LiveThread | undefined {
    return this.all.find((live) => live.chat === chat);
  }

  /** @param id - another one than that of the conversation before, which the page may have been told of */
  adopt(chat: Chat, place: Place | undefined, id = newId()): LiveThread {
    const live = new LiveThread(chat, id, this.#changed);
    live.place = place;
    this.#byId.set(live.id, live);
    return live;
  }

  rename(live: LiveThread, id: string): void {
    this.#byId.delete(live.id);
    live.id = id;
    live.chat.keptAs = id;
    this.#byId.set(id, live);
  }

  /** Its changes are nobody's any more. */
  letGo(live: LiveThread): void {
    live.end();
    if (this.has(live)) this.#byId.delete(live.id);
  }

  /** What is too much behind the one on show, the oldest first: replies that run, and conversations. */
  tooMany(current: LiveThread): { readonly running: readonly LiveThread[]; readonly live: readonly LiveThread[] } {
    const others = this.all.filter((other) => other !== current);
    const running = others.filter((other) => other.chat.busy);
    return {
      running: running.slice(0, Math.max(0, running.length - MOST_RUNNING)),
      live: others.slice(0, Math.max(0, others.length - MOST_LIVE)),
    };
  }
}
