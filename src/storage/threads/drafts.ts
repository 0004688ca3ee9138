/** The user's drafts: text in the composer, and unsent answers to questions. */
import { isRecord } from '../../model/json.ts';
import type { StorageRunner } from '../stores/try-storage.ts';
import type { createStorageSerializer } from '../../runtime/masking/serialize-messages.ts';
import type { OpenThread } from './open-thread.ts';
import type { StorageBackend } from '../stores/storage-backend.ts';

/** The names of the notes. */
const draftOf = (thread: string): string => `draft ${thread}`;
const answersOf = (thread: string): string => `answers ${thread}`;

export interface DraftsHost {
  readonly attempts: StorageRunner;
  place(): StorageBackend | undefined;
  forStoring(): ReturnType<typeof createStorageSerializer>;
}

export class Drafts {
  readonly #host: DraftsHost;

  constructor(host: DraftsHost) {
    this.#host = host;
  }

  /** Reads the drafts of a conversation. Answers are restored; the text is returned for the composer. */
  async read(live: OpenThread, { notes }: StorageBackend): Promise<string> {
    const { attempts } = this.#host;
    const [draft, answers] = await Promise.all([
      attempts.run(() => notes.get(draftOf(live.id)), { reading: true }),
      attempts.run(() => notes.get(answersOf(live.id)), { reading: true }),
    ]);
    if (isRecord(answers)) for (const [block, value] of Object.entries(answers)) live.answers.set(block, value);
    return typeof draft === 'string' ? draft : '';
  }

  /** Stores the text of the composer. */
  setText(live: OpenThread, text: string): void {
    if (live.draft === text) return;
    live.draft = text;
    const { attempts, forStoring, place } = this.#host;
    void attempts.run(() => place()?.notes.set(draftOf(live.id), text === '' ? undefined : forStoring().text(text)));
    void attempts.run(() => place()?.tab.set('current', live.id));
  }

  /** Stores an unsent answer; undefined deletes it. */
  answer({ answers, id }: OpenThread, blockId: string, value: unknown): void {
    if (value === undefined) answers.delete(blockId);
    else answers.set(blockId, value);
    const { attempts, forStoring, place } = this.#host;
    void attempts.run(() =>
      place()?.notes.set(
        answersOf(id),
        answers.size === 0
          ? undefined
          : Object.fromEntries([...answers].map(([block, answer]) => [block, forStoring().value(answer)])),
      ),
    );
  }

  /** Deletes the drafts of a deleted conversation. */
  static async erase(thread: string, { notes }: Pick<StorageBackend, 'notes'>): Promise<void> {
    await notes.set(draftOf(thread), undefined);
    await notes.set(answersOf(thread), undefined);
  }
}
