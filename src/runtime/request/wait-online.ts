/** Waits for the network. */
import { ChatError } from '../../errors.ts';

export const offlineError = (cause?: unknown): ChatError =>
  new ChatError('network', 'This device is offline.', { reason: 'offline', retryable: true, cause });

/** Resolves when the browser is online. Rejects with the signal's reason if that is aborted first. */
export function untilOnline(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const listening = new AbortController();
    const resolveOnline = (): void => {
      listening.abort();
      resolve();
    };
    const rejectAborted = (): void => {
      listening.abort();
      reject(signal?.reason instanceof Error ? signal.reason : new DOMException('Stopped', 'AbortError'));
    };
    if (signal?.aborted) rejectAborted();
    else if (navigator.onLine) resolveOnline();
    else {
      window.addEventListener('online', resolveOnline, { signal: listening.signal });
      signal?.addEventListener('abort', rejectAborted, { signal: listening.signal });
    }
  });
}
