/** What is wrong with a place, as the page and the reader are told of it. */
import { ChatError } from '../../errors.ts';

/** Each has a sentence in the catalogue: `error.<problem>`. */
export type StorageProblem = 'storage-full' | 'storage-missing' | 'storage-failed';

/** Which of them an error is. */
export const problemOf = ({ reason }: ChatError): StorageProblem =>
  reason === 'storage-full' || reason === 'storage-missing' ? reason : 'storage-failed';

/** @param own - the place is the page's */
export function storageError(cause: unknown, own: boolean): ChatError {
  if (cause instanceof ChatError && cause.kind === 'storage') return cause;
  if (isFull(cause)) {
    return new ChatError(
      'storage',
      'There is no room left to keep the conversation. It goes on, and is gone with the page.',
      {
        reason: 'storage-full',
        cause,
      },
    );
  }
  return own
    ? new ChatError('storage', 'The page’s store could not be read or written. The conversation goes on without it.', {
        reason: 'storage-failed',
        retryable: true,
        cause,
      })
    : new ChatError('storage', 'The browser keeps nothing for this page. The conversation is gone with it.', {
        reason: 'storage-missing',
        cause,
      });
}

const isFull = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'name' in cause && cause.name === 'QuotaExceededError';
