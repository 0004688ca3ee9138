import { ChatError } from '../errors.ts';

/** A timer that is set for longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A timer that is later than this was held back: the page was frozen, or the machine asleep. Hidden tabs have them a second late. */
const HELD_BACK_MS = 1500;

/** What tells the time, and when it is over. */
export interface Clock {
  /** Milliseconds, since whenever. */
  now(): number;
  /** Calls back after so many milliseconds. @returns what takes that back */
  after(milliseconds: number, callback: () => void): () => void;
}

const browserClock: Clock = {
  now: () => performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
};

/**
 * A promise with a time limit, past which it is a `timeout` error. `begun`: the reply has begun already. Time in which nobody
 * could listen does not count: after a freeze the whole limit is given again, since what came meanwhile is still to be heard.
 */
export async function within<T>(
  promise: Promise<T>,
  milliseconds: number,
  begun: boolean,
  clock = browserClock,
): Promise<T> {
  if (milliseconds > LONGEST_TIMER_MS) return promise;
  let stop: () => void = () => undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const wait = (): void => {
      const due = clock.now() + milliseconds;
      stop = clock.after(milliseconds, () => {
        if (clock.now() - due > HELD_BACK_MS) wait();
        else reject(silence(milliseconds, begun));
      });
    };
    wait();
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    stop();
  }
}

function silence(milliseconds: number, begun: boolean): ChatError {
  const seconds = Math.round(milliseconds / 1000);
  return new ChatError('timeout', `The agent has said nothing for ${String(seconds)} s.`, {
    reason: begun ? 'stalled' : 'no-answer',
    values: { count: seconds },
    retryable: true,
  });
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
