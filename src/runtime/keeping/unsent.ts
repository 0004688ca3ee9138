/** What a reader has begun and not sent: words in the composer, and answers to what is asked. */
import { isRecord } from '../../model/json.ts';
import type { Attempts } from './attempts.ts';
import type { createForStoring } from './for-storing.ts';
import type { LiveThread } from './live-thread.ts';
import type { Place } from './place.ts';

/** The names under which they are kept. */
const draftOf = (thread: string): string => `draft ${thread}`;
const answersOf = (thread: string): string => `answers ${thread}`;

export interface UnsentHost {
  readonly attempts: Attempts;
  place(): Place | undefined;
  forStoring(): ReturnType<typeof createForStoring>;
}

export class Unsent {
  readonly #host: UnsentHost;

  constructor(host: UnsentHost) {
    this.#host = host;
  }

  /** What was begun in a conversation. Its answers are there again with this, its words are for the composer. */
  async read(live: LiveThread, { notes }: Place): Promise<string> {
    const { attempts } = this.#host;
    const [draft, answers] = await Promise.all([
      attempts.run(() => notes.get(draftOf(live.id)), { reading: true }),
      attempts.run(() => notes.get(answersOf(live.id)), { reading: true }),
    ]);
    if (isRecord(answers)) for (const [block, value] of Object.entries(answers)) live.answers.set(block, value);
    return typeof draft === 'string' ? draft : '';
  }

  /** What stands in the composer has changed. */
  type(live: LiveThread, text: string): void {
    if (live.draft === text) return;
    live.draft = text;
    const { attempts, forStoring, place } = this.#host;
    void attempts.run(() => place()?.notes.set(draftOf(live.id), text === '' ? undefined : forStoring().text(text)));
    void attempts.run(() => place()?.tab.set('current', live.id));
  }

  /** An answer has changed; undefined forgets it. */
  answer({ answers, id }: LiveThread, blockId: string, value: unknown): void {
    if (value === undefined) answers.delete(blockId);
    else answers.set(blockId, value);
    const { attempts, forStoring, place } = this.#host;
    void attempts.run(() =>
      place()?.notes.set(
        answersOf(id),
        answers.size === 0 ? undefined : forStoring().value(Object.fromEntries(answers)),
      ),
    );
  }

  /** The conversation is deleted. */
  static async erase(thread: string, { notes }: Place): Promise<void> {
    await notes.set(draftOf(thread), undefined);
    await notes.set(answersOf(thread), undefined);
  }
}
