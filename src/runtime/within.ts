import { ChatError } from '../errors.ts';

/** A timer that is set for longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A promise with a time limit, past which it is a `timeout` error. `begun`: the reply has begun already. */
export async function within<T>(promise: Promise<T>, milliseconds: number, begun: boolean): Promise<T> {
  if (milliseconds > LONGEST_TIMER_MS) return promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const seconds = Math.round(milliseconds / 1000);
      reject(
        new ChatError('timeout', `The agent has said nothing for ${String(seconds)} s.`, {
          reason: begun ? 'stalled' : 'no-answer',
          values: { count: seconds },
          retryable: true,
        }),
      );
    }, milliseconds);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves after so many milliseconds; rejects with the signal's reason when that comes first. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new DOMException('Stopped', 'AbortError'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
