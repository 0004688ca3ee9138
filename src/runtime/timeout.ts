import { ChatError } from '../errors.ts';

/** A longer timer would fire immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A timer later than this was suspended: the page was frozen, or the device asleep. Hidden tabs delay timers by up to
 * one second.
 */
export const SUSPENDED_MS = 1500;

/** A clock with timers. */
export interface Clock {
  /** The current time in milliseconds, from any origin. */
  now(): number;
  /**
   * Calls back after a delay.
   * @returns a function that cancels the timer
   */
  after(milliseconds: number, callback: () => void): () => void;
}

export type TimeoutReason = 'no-answer' | 'stalled';

/** Returns when the agent last stopped waiting for the user, in the time of the clock; the current time while it waits. */
export type SilenceFrom = () => number;

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
 * Rejects with a `timeout` error after the given time. Time during which the page was frozen does not count: after a
 * freeze the timer restarts, because responses that arrived meanwhile are still waiting to be read. Nor does time during
 * which the agent waited for the user.
 *
 * The idle limit (`limits.idle`) is applied where a reply is read: `stream/read-response.ts` (HTTP) and `request/open-socket.ts`
 * (WebSocket). Side requests (`request/side-request.ts`) and ratings (`chat/send-feedback.ts`) use it as the limit for the
 * complete body, without this function. The limit until a response starts (`limits.firstByte`) is applied where a reply
 * is read too, and in `request/send-adapter-request.ts` and `request/poll.ts`.
 *
 * @param reason - of the error: nothing has arrived yet, or the reply has stopped to arrive
 */
export async function withTimeout<T>(
  promise: Promise<T>,
  milliseconds: number,
  reason: TimeoutReason,
  silenceFrom: SilenceFrom = () => -Infinity,
  clock = browserClock,
): Promise<T> {
  if (milliseconds > MAX_TIMER_MS) return promise;
  let stop: () => void = () => undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const wait = (time: number): void => {
      const due = clock.now() + time;
      stop = clock.after(time, () => {
        const now = clock.now();
        const left = now - due > SUSPENDED_MS ? milliseconds : silenceFrom() + milliseconds - now;
        if (left > 0) wait(left);
        else reject(timeoutError(milliseconds, reason));
      });
    };
    wait(milliseconds);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    stop();
  }
}

export function timeoutError(milliseconds: number, reason: TimeoutReason): ChatError {
  const seconds = Math.round(milliseconds / 1000);
  return new ChatError('timeout', `The agent has sent nothing for ${String(seconds)} s.`, {
    reason,
    values: { count: seconds },
    retryable: true,
  });
}

/** Resolves after the given milliseconds, at most 24 days. Rejects with the signal's reason if that is aborted first. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new DOMException('Stopped', 'AbortError'));
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(milliseconds, MAX_TIMER_MS),
    );
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
