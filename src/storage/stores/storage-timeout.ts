/**
 * A time limit for reads of the storage and for locks. Each caller remembers that it was exceeded: the reads in
 * `conversations-controller.ts`, the locks in `tab-channel.ts`. So each of the two delays one message only, until it responds again. The
 * limit does not apply to the wait for a reply that runs in another tab.
 */
import { ChatError } from '../../errors.ts';

/** In milliseconds. A database that another tab has locked may never respond. */
const STORAGE_MS = 4000;

/** @throws ChatError of kind `storage` if the promise takes longer than `STORAGE_MS` */
export async function withStorageTimeout<Result>(promise: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new ChatError('storage', 'The storage does not respond.', { reason: 'storage-failed', retryable: true }));
    }, STORAGE_MS);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
