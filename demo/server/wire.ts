/** The way out: frames at the reader's pace, until they are all sent or nobody listens any more. */
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export interface Wire {
  /** Nobody listens any more, or the answer is over. */
  readonly closed: boolean;
  /** Sends one frame and takes a breath. False once it is closed; it never throws. */
  send(frame: string | Uint8Array): Promise<boolean>;
  /** Waits for so many paces; a pace is the time between two pieces of text. */
  wait(paces: number): Promise<void>;
  end(): Promise<void>;
}

export interface WireOptions {
  readonly response: ServerResponse;
  /** Milliseconds between two pieces of text; 0 sends as fast as the reader takes it. */
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
    // Aborted, it is over sooner, and whoever comes next sees that nobody listens.
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

/** Resolves when the reader has taken what was written, or is gone. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.once('drain', go).once('close', go);
  });
