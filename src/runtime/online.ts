/** What there is to do without a network: wait for it. Source: `security/README.md`, rule 17. */
import { ChatError } from '../errors.ts';

export const offline = (cause?: unknown): ChatError =>
  new ChatError('network', 'This device is offline.', { reason: 'offline', retryable: true, cause });

/** Resolves when there is a network; rejects with the signal's reason when that comes first. */
export function untilOnline(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const listening = new AbortController();
    const heard = (): void => {
      listening.abort();
      resolve();
    };
    const stop = (): void => {
      listening.abort();
      reject(signal?.reason instanceof Error ? signal.reason : new DOMException('Stopped', 'AbortError'));
    };
    if (signal?.aborted) stop();
    else if (navigator.onLine) heard();
    else {
      window.addEventListener('online', heard, { signal: listening.signal });
      signal?.addEventListener('abort', stop, { signal: listening.signal });
    }
  });
}
