/** A conversation that is there, on show or behind it: its reply goes on while the reader is elsewhere. */
import type { ChatMessage } from '../../model/message.ts';
import type { Chat } from '../chat.ts';
import type { ChatState } from '../chat-state.ts';
import type { ThreadSummary } from './conversation-store.ts';
import { titleOf } from './kept-thread.ts';
import type { Place } from './place.ts';

export class LiveThread {
  id: string;
  readonly chat: Chat;
  /** The name that it was given, or has had. */
  title = '';
  updated = Date.now();
  /** The reader has done something in it: before that nothing is written. */
  acted = false;
  draft = '';
  /** Answers that the reader has begun, by the ids of the blocks that ask. */
  readonly answers = new Map<string, unknown>();
  unread = 0;
  /** What the other tabs know of it. */
  told: ReadonlySet<ChatMessage> = new Set();
  /** Another tab has its reply under way. */
  elsewhere = false;
  /** What changes is none of this tab's doing. */
  following = false;
  /** Where it is kept. */
  place: Place | undefined;
  /** It is not to be written any more. */
  deleted = false;
  /** Nobody has asked for it: a conversation that another tab begins may stand here. */
  fresh = false;
  readonly #end: () => void;
  #before: ChatState;

  /** @param changed - told of each change with the state before it */
  constructor(chat: Chat, id: string, changed: (live: LiveThread, before: ChatState) => void) {
    this.chat = chat;
    this.id = id;
    chat.keptAs = id;
    this.#before = chat.store.state;
    this.#end = chat.store.subscribe(() => {
      const before = this.#before;
      this.#before = chat.store.state;
      changed(this, before);
    });
  }

  get isEmpty(): boolean {
    return this.chat.messages.length === 0;
  }

  /** A reply is under way, here or in another tab. */
  get running(): boolean {
    return this.chat.store.state.stage !== 'none';
  }

  get summary(): ThreadSummary {
    return { id: this.id, title: this.title || titleOf(this.chat.messages), updated: this.updated };
  }

  end(): void {
    this.#end();
  }
}
