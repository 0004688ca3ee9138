import { textOf } from '../../model/text-of.ts';
import type { Attempts } from './attempts.ts';
import type { Company } from './company.ts';
import type { KeptThread } from './conversation-store.ts';
import type { createForStoring } from './for-storing.ts';
import type { DraftPlace } from './keeper-host.ts';
import { fuller, revive, type Revived } from './kept-thread.ts';
import type { LiveThread } from './live-thread.ts';
import type { Place } from './place.ts';
import { readThread } from './read-thread.ts';
import type { Unsent } from './unsent.ts';
import { keptOf } from './write-thread.ts';

export interface ComingBackHost {
  readonly attempts: Attempts;
  readonly unsent: Unsent;
  readonly company: Company;
  place(): Place | undefined;
  forStoring(): ReturnType<typeof createForStoring>;
  composer(): DraftPlace;
  /** It is on show. */
  isCurrent(live: LiveThread): boolean;
  /** It has not been deleted or let go meanwhile. */
  isThere(live: LiveThread): boolean;
  /** Nothing goes on in it. */
  settled(live: LiveThread): void;
}

/** What was kept is there again: the messages, what was not sent, and a reply that had not ended. */
export class ComingBack {
  readonly #host: ComingBackHost;

  constructor(host: ComingBackHost) {
    this.#host = host;
  }

  /** Puts what is kept under its id into a conversation. */
  async fill(live: LiveThread, place: Place): Promise<void> {
    const [kept, words] = await Promise.all([
      this.#host.attempts.run(() => readThread(live.id, place), { reading: true }),
      this.#host.unsent.read(live, place),
    ]);
    if (place !== this.#host.place() || !live.isEmpty || live.chat.busy) return;
    if (!kept) {
      this.#putBack(live, [words]);
      return;
    }
    live.title = kept.title;
    live.updated = kept.updated;
    live.acted = true;
    const revived = revive(kept, Date.now());
    this.#putBack(live, [words, revived.unsent]);
    await this.#goOn(live, kept, revived);
  }

  /** Words that were not sent are in the composer again. */
  #putBack(live: LiveThread, words: readonly string[]): void {
    const text = words.filter((part) => part !== '').join('\n\n');
    if (text === '') return;
    live.draft = text;
    if (this.#host.isCurrent(live) && this.#host.composer().text === '') this.#host.composer().setText(text);
  }

  /** A conversation goes on where it was: here, or in the tab that has its reply under way. */
  async #goOn(live: LiveThread, kept: KeptThread, { path, hidden, broken }: Revived): Promise<void> {
    const { chat } = live;
    const mine = await this.#host.company.take(live);
    if (!this.#host.isThere(live) || chat.busy) return;
    live.following = true;
    if (kept.protocol !== undefined) chat.recall(kept.protocol);
    chat.replace({ path, hidden });
    const { state, protocol } = kept;
    chat.store.set({ ...chat.store.state, protocol, agentState: state });
    live.told = new Set([...chat.thread.path, ...chat.thread.hidden]);
    live.following = false;
    if (!mine) this.#host.company.ask(live);
    else if (broken) {
      void chat.resume({ quietly: true }).catch(() => {
        this.#host.settled(live);
      });
    } else this.#host.settled(live);
  }

  /** What was left in the middle, by another tab or by this page before it came back. */
  async reload(live: LiveThread): Promise<void> {
    const { place } = live;
    if (!place) return;
    place.changedElsewhere(live.id);
    const stored = await this.#host.attempts.run(() => readThread(live.id, place), { reading: true });
    if (live.deleted || live.chat.busy) return;
    const queued = live.chat.store.state.queue.map(textOf);
    const here = keptOf(live, this.#host.forStoring());
    const kept = stored ? fuller(stored, here) : here;
    const revived = revive(kept, Date.now());
    this.#putBack(live, [this.#host.composer().text, ...queued]);
    await this.#goOn(live, kept, revived);
  }
}
