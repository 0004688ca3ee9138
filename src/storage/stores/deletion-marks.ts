/**
 * Deletion marks. A tab that was frozen, in the back/forward cache or without messages still has a deleted conversation
 * in memory. It checks the mark before it writes, restores or sends, and then deletes its copy too.
 *
 * A mark is a new token for each deletion, not a time. A clock that is set back can neither hide a deletion nor delete
 * a conversation that was started after it.
 */
import { fnvHash } from '../../model/text/fnv-hash.ts';
import { newId } from '../../runtime/new-id.ts';
import { isExpiring } from './draft-record.ts';

/** The marks that apply to one conversation: that of the whole scope, and its own. */
export interface Deletions {
  readonly all?: string;
  readonly own?: string;
}

/** Whether a conversation was deleted after `known` was read. An expired mark has no effect. */
export const isDeleted = (known: Deletions, now: Deletions): boolean =>
  (now.all !== undefined && now.all !== known.all) || (now.own !== undefined && now.own !== known.own);

export const newMark = (): string => newId();

/** Days that a mark is stored: longer than a tab stays suspended. */
export const MARK_DAYS = 90;

/** Reads two stored marks. */
export function deletionsOf(all: unknown, own: unknown): Deletions {
  const [everything, one] = [all, own].map((mark) => (isExpiring(mark) ? mark.value : undefined));
  return {
    ...(typeof everything === 'string' && { all: everything }),
    ...(typeof one === 'string' && { own: one }),
  };
}

/** The scope that holds the marks of all scopes. */
export const DELETION_SCOPE = 'deleted';

/**
 * The name of a mark: a hash, because marks outlive the data and must not reveal the user or URL. FNV-1a, twice 32
 * bits.
 */
export function markName(scope: string, id?: string): string {
  const text = JSON.stringify([scope, id ?? null]);
  return [0x811c9dc5, 0x9747b28c].map((seed) => fnvHash(text, seed)).join('-');
}
