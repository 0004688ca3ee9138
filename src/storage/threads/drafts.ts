/** The user's drafts: text in the composer, and unsent answers to questions. */
import { isRecord } from '../../model/json.ts';
import type { StorageRunner } from '../stores/try-storage.ts';
import type { StorageSerializer } from '../../runtime/masking/redact-for-storage.ts';
import type { OpenThread } from './open-thread.ts';
import type { StorageBackend } from '../stores/storage-backend.ts';

/** The names of the notes. `stores/delete-expired.ts` deletes them by these names, and `USER_TEXT_NOTES` matches them. */
const draftOf = (thread: string): string => `draft ${thread}`;
const answersOf = (thread: string): string => `answers ${thread}`;

export interface DraftsHost {
  readonly storage: StorageRunner;
  backend(): StorageBackend | undefined;
  serializer(): StorageSerializer;
}

export class Drafts {
  readonly #host: DraftsHost;

  constructor(host: DraftsHost) {
    this.#host = host;
  }

  /** Reads the drafts of a conversation. Answers are restored; the text is returned for the composer. */
  async read(thread: OpenThread, { notes }: StorageBackend): Promise<string> {
    const { storage } = this.#host;
    const [draft, answers] = await Promise.all([
      storage.run(() => notes.get(draftOf(thread.id)), { reading: true }),
      storage.run(() => notes.get(answersOf(thread.id)), { reading: true }),
    ]);
    if (isRecord(answers)) for (const [block, value] of Object.entries(answers)) thread.answers.set(block, value);
    return typeof draft === 'string' ? draft : '';
  }

  /** Stores the text of the conversation's composer. */
  setText(thread: OpenThread, text: string): void {
    if (thread.draft === text) return;
    thread.draft = text;
    const { storage, serializer, backend } = this.#host;
    void storage.run(() => backend()?.notes.set(draftOf(thread.id), text === '' ? undefined : serializer().text(text)));
  }

  /** Stores an unsent answer; undefined deletes it. */
  answer({ answers, id }: OpenThread, blockId: string, value: unknown): void {
    if (value === undefined) answers.delete(blockId);
    else answers.set(blockId, value);
    const { storage, serializer, backend } = this.#host;
    void storage.run(() =>
      backend()?.notes.set(
        answersOf(id),
        answers.size === 0
          ? undefined
          : Object.fromEntries([...answers].map(([block, answer]) => [block, serializer().value(answer)])),
      ),
    );
  }

  /** Deletes the drafts of a deleted conversation. */
  static async erase(thread: string, { notes }: Pick<StorageBackend, 'notes'>): Promise<void> {
    await notes.set(draftOf(thread), undefined);
    await notes.set(answersOf(thread), undefined);
  }
}
