/** The output: sends frames at the client's pace, until all are sent or the client has disconnected. */
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export interface Wire {
  /** Whether the client has disconnected or the answer is over. */
  readonly closed: boolean;
  /** Sends one frame and waits briefly. False once it is closed; it never throws. */
  send(frame: string | Uint8Array): Promise<boolean>;
  /** Waits for a number of paces; a pace is the time between two chunks of text. */
  wait(paces: number): Promise<void>;
  end(): Promise<void>;
}

export interface WireOptions {
  readonly response: ServerResponse;
  /** Milliseconds between two chunks of text; 0 sends as fast as the client reads. */
  readonly speed: number;
}

export function openWire({ response, speed }: WireOptions): Wire {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
  });
  const isClosed = (): boolean => gone.signal.aborted || response.destroyed || response.writableEnded;
  const pause = async (milliseconds: number): Promise<void> => {
    if (milliseconds <= 0 || isClosed()) return;
    // An abort ends the wait early; the caller then sees that the output is closed.
    await wait(milliseconds, undefined, { signal: gone.signal }).catch(() => undefined);
  };
  return {
    get closed() {
      return isClosed();
    },
    async send(frame) {
      if (isClosed()) return false;
      if (!response.write(frame)) await drained(response);
      await pause(speed);
      return !isClosed();
    },
    wait: (paces) => pause(paces * speed),
    end() {
      if (!isClosed()) response.end();
      return Promise.resolve();
    },
  };
}

/** Resolves when the client has received the data, or has disconnected. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.once('drain', go).once('close', go);
  });
