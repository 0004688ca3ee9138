/**
 * Validates data from a store. It may come from the page's own store, from an older version of the widget or from a damaged
 * record, so it may have any shape.
 */
import { isRecord } from '../../model/json.ts';
import type { StoredThread, ThreadSummary } from './conversation-store.ts';

const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);
const numberOr = (value: unknown, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : fallback;

/** The valid entries of the list of conversations. Those without an id are omitted. */
export function readSummaries(list: unknown): readonly ThreadSummary[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    if (!isRecord(entry) || (typeof entry['id'] !== 'string' && typeof entry['id'] !== 'number')) return [];
    // A page's database may have numeric ids.
    return [{ id: String(entry['id']), title: textOr(entry['title'], ''), updated: numberOr(entry['updated'], 0) }];
  });
}

/** A stored conversation. Its messages are validated one by one when it is restored. */
export function readConversation(id: string, value: unknown): StoredThread | undefined {
  if (!isRecord(value)) return undefined;
  const { messages, leaf, protocol, state } = value;
  return {
    version: 1,
    id,
    title: textOr(value['title'], ''),
    updated: numberOr(value['updated'], 0),
    messages: Array.isArray(messages) ? (messages as StoredThread['messages']) : [],
    ...((typeof leaf === 'string' || typeof leaf === 'number') && { leaf: String(leaf) }),
    ...(typeof protocol === 'string' && { protocol }),
    ...(state !== undefined && { state }),
  };
}
