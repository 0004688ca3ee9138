/** So that a burst leaves the page its turns: typing, scrolling and drawing come between its pieces. */

/** Milliseconds of work in one go: half of what a frame has, since the frame has to be drawn too. */
const TURN_MS = 8;
/** So many are handed on at once, at most: what they make of themselves can't be interrupted. */
const PIECE = 256;

export interface Pace {
  /** Milliseconds. */
  now(): number;
  /** Resolves when the page has had its turn. */
  giveWay(): Promise<void>;
  /** Nobody will ask for a turn any more. */
  end?(): void;
}

/** The batches in pieces, with turns for the page between those that whoever reads them works on for long. */
export const paced = <T>(batches: AsyncIterable<readonly T[]>, pace = turnPerFrame()): AsyncGenerator<readonly T[]> =>
  inTurns(inPieces(batches), pace);

/** What comes as it is, with turns for the page where whoever reads it works for long: also on what it makes nothing of. */
export async function* inTurns<T>(items: AsyncIterable<T>, pace: Pace = browserPace()): AsyncGenerator<T> {
  let worked = 0;
  try {
    for await (const item of items) {
      const begun = pace.now();
      yield item;
      worked += pace.now() - begun;
      if (worked < TURN_MS) continue;
      await pace.giveWay();
      worked = 0;
    }
  } finally {
    pace.end?.();
  }
}

async function* inPieces<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[]> {
  for await (const batch of batches) {
    if (batch.length <= PIECE) yield batch;
    else for (let start = 0; start < batch.length; start += PIECE) yield batch.slice(start, start + PIECE);
  }
}

/**
 * A message to ourselves is a task like the page's own. Timers are held back, in a hidden tab for a second. One channel for all
 * turns of a stream: to make one takes longer than what was worked on. It is closed with the stream, since an open one keeps
 * Node from ending.
 */
export function browserPace(): Pace {
  let channel: MessageChannel | undefined;
  const waiting: (() => void)[] = [];
  return {
    now: () => performance.now(),
    giveWay() {
      if (!channel) {
        channel = new MessageChannel();
        channel.port1.onmessage = () => waiting.shift()?.();
      }
      const { port2 } = channel;
      return new Promise<void>((resolve) => {
        waiting.push(resolve);
        port2.postMessage(undefined);
      });
    },
    end() {
      channel?.port1.close();
    },
  };
}

/** A tab that says it can be seen may still make no frames: behind a window, or in a frame that is out of view. */
const FRAME_MS = 100;

export interface Frames {
  /** Whether frames are made. */
  seen(): boolean;
  next(callback: () => void): unknown;
}

const browserFrames: Frames = {
  // Node has no document.
  seen: () => typeof document === 'object' && !document.hidden,
  next: (callback) => requestAnimationFrame(callback),
};

/**
 * Gives way until the next frame is drawn. With turns as close as the page lets them, what is read while a dear drawing rests
 * makes the next one dearer: an endless stream had frames of 44 ms. With one for each frame they stay in proportion.
 */
export function turnPerFrame(frames = browserFrames): Pace {
  const messages = browserPace();
  return {
    ...messages,
    async giveWay() {
      if (frames.seen()) await nextFrame(frames);
      // A callback for a frame is called before the frame is drawn.
      await messages.giveWay();
    },
  };
}

const nextFrame = (frames: Frames): Promise<void> =>
  new Promise((resolve) => {
    const late = setTimeout(resolve, FRAME_MS);
    frames.next(() => {
      clearTimeout(late);
      resolve();
    });
  });
