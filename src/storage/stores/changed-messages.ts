/** Finds the records of a stored conversation that a save has to write. Each message is one record. */
import { enumerate } from '../../enumerate.ts';
import { ChatError } from '../../errors.ts';
import { messagesEqual } from '../../conversation/messages-equal.ts';
import type { ChatMessage } from '../../model/message.ts';

/** A stored message and its position. */
export interface MessageRow {
  readonly place: number;
  readonly message: ChatMessage;
}

interface WrittenRow extends MessageRow {
  /** Length of its JSON in UTF-16 code units. */
  readonly bytes: number;
}

/** The records of a conversation as this tab knows them. */
export interface KnownRecords {
  /** Revision of the last save or load. Another value means that another tab has saved since. */
  readonly revision: string | undefined;
  readonly rows: ReadonlyMap<string, WrittenRow>;
  /**
   * All message ids that this tab has stored, loaded or received. A record with another id belongs to another tab and
   * stays.
   */
  readonly seen: ReadonlySet<string>;
}

export interface Changes {
  readonly put: readonly (MessageRow & { readonly id: string })[];
  readonly remove: readonly string[];
  readonly rows: ReadonlyMap<string, WrittenRow>;
  /** Size of all messages together. */
  readonly bytes: number;
}

/**
 * Compares messages with the stored records.
 *
 * @param seen - see `KnownRecords`. Undefined: all other stored records are obsolete and are removed
 */
export function changedMessages(
  before: ReadonlyMap<string, MessageRow>,
  messages: readonly ChatMessage[],
  seen: ReadonlySet<string> | undefined,
): Changes {
  const rows = new Map<string, WrittenRow>();
  const put: (MessageRow & { readonly id: string })[] = [];
  let totalBytes = 0;
  for (const [place, message] of enumerate(messages)) {
    const previous = before.get(message.id);
    const isUnchanged =
      previous !== undefined && (previous.message === message || messagesEqual(previous.message, message));
    const bytes = isUnchanged && 'bytes' in previous ? (previous as WrittenRow).bytes : lengthOf(message);
    const row = { place, message, bytes };
    if (!isUnchanged || previous.place !== place) put.push({ ...row, id: message.id });
    rows.set(message.id, row);
    totalBytes += bytes;
  }
  const remove: string[] = [];
  for (const [id, { message }] of before) {
    if (rows.has(id)) continue;
    if (!seen || seen.has(id)) remove.push(id);
    else totalBytes += lengthOf(message);
  }
  return { put, remove, rows, bytes: totalBytes };
}

/**
 * The size of a conversation: its messages and the state that its agent has sent.
 *
 * @throws ChatError above the limit
 */
export function conversationSize({ bytes }: Changes, state: unknown, limit: number): number {
  const size = bytes + lengthOf(state);
  if (size <= limit) return size;
  throw new ChatError('storage', 'The conversation is too large to store.', { reason: 'storage-full' });
}

/** A damaged record may have no message. */
const lengthOf = (message: unknown): number => (JSON.stringify(message) as string | undefined)?.length ?? 0;

/** The messages in their order. Damaged rows are included; the caller validates them. */
export const inOrder = (rows: readonly MessageRow[]): readonly ChatMessage[] =>
  rows.toSorted((left, right) => left.place - right.place).map(({ message }) => message);
