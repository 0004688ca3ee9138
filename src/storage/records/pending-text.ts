/**
 * Stores text that waits for the storage synchronously in the tab: a reload must not lose it, and the code that stores
 * conversations may not be loaded yet. `docs/decisions/sending.md` gives the reasons.
 */
import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/message-text.ts';
import { maskKeysInProse } from '../../safety/mask-secrets.ts';
import type { PersistenceSettings } from '../settings/storage-settings.ts';
import { storageScope } from '../settings/storage-scope.ts';
import { STORAGE_PREFIX } from '../stores/has-stored-data.ts';

/** Prefix of the note names. The id of the message follows. */
export const PENDING_TEXT_PREFIX = 'waiting ';

export class PendingTextNotes {
  #messages: readonly ChatMessage[] = [];
  /** The keys of the notes: when a note is removed, the settings may belong to another user. */
  readonly #keys = new Map<string, string>();

  /** Writes a note for each waiting message and removes those of the others. */
  update(waiting: readonly ChatMessage[], settings: () => PersistenceSettings): void {
    if (waiting === this.#messages) return;
    this.#messages = waiting;
    const ids = new Set(waiting.map(({ id }) => id));
    try {
      for (const [id, key] of this.#keys) if (!ids.has(id)) this.#remove(id, key);
      for (const message of waiting) this.#write(message, settings());
    } catch {
      // The tab's storage may be unavailable or full, or `redact` has thrown. The message then waits without a note.
    }
  }

  #write(message: ChatMessage, { persist, endpoint, storage, redact }: PersistenceSettings): void {
    const text = message.role === 'user' ? textOf(message) : '';
    // The text of a press in a surface has what the user has entered in other forms: `model/exchange/press-redaction.ts`.
    if (persist === 'none' || text === '' || (redact && message.metadata?.['data'])) return;
    const stored: unknown = redact ? redact(text, 'store') : text;
    if (typeof stored !== 'string') return;
    const key =
      this.#keys.get(message.id) ??
      `${STORAGE_PREFIX}${storageScope(endpoint, storage)} ${PENDING_TEXT_PREFIX}${message.id}`;
    this.#keys.set(message.id, key);
    sessionStorage.setItem(key, JSON.stringify({ value: maskKeysInProse(stored), updated: message.timestamp }));
  }

  #remove(id: string, key: string): void {
    this.#keys.delete(id);
    sessionStorage.removeItem(key);
  }
}
