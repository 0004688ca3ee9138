/** Storage errors: the message is for the page; the user reads `error.<problem>` of the locale. */
import { ChatError } from '../../errors.ts';

/** Each has a text in the locale: `error.<problem>`. */
export type StorageProblem =
  /** Also a conversation above our own limit. */
  | 'storage-full'
  | 'storage-missing'
  | 'storage-newer'
  | 'storage-failed'
  /** Another tab has deleted the conversation. Its unsent messages are in a new one. */
  | 'conversation-deleted';

/** The problem that an error stands for. */
export const problemOf = ({ reason }: ChatError): StorageProblem =>
  PROBLEMS.find((problem) => problem === reason) ?? 'storage-failed';

const PROBLEMS: readonly StorageProblem[] = ['storage-full', 'storage-missing', 'storage-newer'];

/** @param own - whether the store is the page's */
export function storageError(cause: unknown, own: boolean): ChatError {
  if (cause instanceof ChatError && (cause.kind === 'storage' || cause.reason === 'page-function')) return cause;
  if (isFull(cause)) {
    return new ChatError(
      'storage',
      'The storage is full. The conversation continues, but is lost when the page closes.',
      {
        reason: 'storage-full',
        cause,
      },
    );
  }
  if (isNamed(cause, 'VersionError')) {
    return new ChatError(
      'storage',
      'The conversations were stored by a newer version of this chat. Reload the page to read them.',
      { reason: 'storage-newer', cause },
    );
  }
  if (!own && isMissing(cause)) {
    return new ChatError(
      'storage',
      'This browser denies storage to this page. The conversation is lost when the page closes.',
      {
        reason: 'storage-missing',
        cause,
      },
    );
  }
  return own
    ? new ChatError(
        'storage',
        'The page’s store could not be read or written. The conversation continues without it.',
        {
          reason: 'storage-failed',
          retryable: true,
          cause,
        },
      )
    : new ChatError(
        'storage',
        'The browser’s storage could not be read or written. The conversation continues without it.',
        {
          reason: 'storage-failed',
          retryable: true,
          cause,
        },
      );
}

const isNamed = (cause: unknown, name: string): boolean =>
  typeof cause === 'object' && cause !== null && 'name' in cause && cause.name === name;

const isFull = (cause: unknown): boolean => isNamed(cause, 'QuotaExceededError');

/**
 * Whether the browser has no storage or denies it to the page. Private windows of some browsers throw
 * `InvalidStateError`.
 */
const isMissing = (cause: unknown): boolean =>
  !hasStorage() || isNamed(cause, 'SecurityError') || isNamed(cause, 'InvalidStateError');

function hasStorage(): boolean {
  try {
    // If the page has no access, the property access itself throws.
    return Boolean(globalThis.indexedDB) && Boolean(globalThis.sessionStorage);
  } catch {
    return false;
  }
}
