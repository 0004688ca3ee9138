/** Yields to the main thread while a burst is processed, so that typing, scrolling and rendering can run in between. */

/** Time slice of work in milliseconds: half a frame, because the frame has to be rendered too. */
const SLICE_MS = 8;
/** Maximum number of items per batch: the consumer's work on a batch can't be interrupted. */
const MAX_BATCH = 256;
/** Length of items, in UTF-16 code units, from which a batch is long. */
const LONG = 65_536;

export interface YieldScheduler {
  /** The current time in milliseconds. */
  now(): number;
  /** Resolves after the page could run its own tasks. */
  giveWay(): Promise<void>;
  /** Releases resources. */
  dispose?(): void;
}

/**
 * Splits batches and yields to the page when the consumer has worked on them for long. While its work is slow, such as
 * each change of a large state, batches are smaller, down to one item. The same holds after long items, which may cause that.
 */
export async function* yieldPerFrame<T>(
  batches: AsyncIterable<readonly T[]>,
  pace: YieldScheduler = frameScheduler(),
  lengthOf: (item: T) => number = () => 0,
): AsyncGenerator<readonly T[]> {
  let size = MAX_BATCH;
  let worked = 0;
  try {
    for await (const batch of batches) {
      for (let start = 0; start < batch.length;) {
        const { end, isLong } = endOfPart(batch, { start, size, lengthOf });
        const begun = pace.now();
        yield batch.slice(start, end);
        const took = pace.now() - begun;
        if (isLong) size = 1;
        else size = took > SLICE_MS ? Math.ceil(((end - start) * SLICE_MS) / took) : Math.min(2 * size, MAX_BATCH);
        start = end;
        worked += took;
        if (worked < SLICE_MS) continue;
        await pace.giveWay();
        worked = 0;
      }
    }
  } finally {
    pace.dispose?.();
  }
}

interface Part<T> {
  readonly start: number;
  readonly size: number;
  lengthOf(item: T): number;
}

/** The end of the next part: after `size` items, or after those that are long together. */
function endOfPart<T>(batch: readonly T[], { start, size, lengthOf }: Part<T>): { end: number; isLong: boolean } {
  let length = 0;
  let end = start;
  while (end < batch.length && end - start < size && length < LONG) {
    const item = batch[end];
    if (item !== undefined) length += lengthOf(item);
    end++;
  }
  return { end, isLong: length >= LONG };
}

/** Passes items through and yields to the page when the consumer has worked for long, even on items that it ignores. */
export async function* yieldBetween<T>(
  items: AsyncIterable<T>,
  pace: YieldScheduler = taskScheduler(),
): AsyncGenerator<T> {
  let worked = 0;
  try {
    for await (const item of items) {
      const begun = pace.now();
      yield item;
      worked += pace.now() - begun;
      if (worked < SLICE_MS) continue;
      await pace.giveWay();
      worked = 0;
    }
  } finally {
    pace.dispose?.();
  }
}

/**
 * Yields with a `MessageChannel`, whose messages are tasks like the page's own. Timers are throttled, in a hidden tab
 * to one a second. One channel serves the whole stream, because creating one takes longer than the work. It is closed
 * with the stream, since an open channel keeps Node from exiting.
 */
export function taskScheduler(): YieldScheduler {
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
    dispose() {
      channel?.port1.close();
    },
  };
}

/** Timeout (ms) for a frame: a visible tab may still render none, behind a window or in an off-screen iframe. */
const FRAME_MS = 100;

export interface FrameSource {
  /** Whether the page renders frames. */
  seen(): boolean;
  next(callback: () => void): unknown;
}

const browserFrames: FrameSource = {
  // Node has no document.
  seen: () => typeof document === 'object' && !document.hidden,
  next: (callback) => requestAnimationFrame(callback),
};

/**
 * Yields until the next frame is rendered. If it yielded per task, reading while rendering is throttled would make the
 * next render more expensive: an endless stream had frames of 44 ms. One slice per frame keeps the two in proportion.
 */
export function frameScheduler(frames = browserFrames): YieldScheduler {
  const messages = taskScheduler();
  return {
    ...messages,
    async giveWay() {
      if (frames.seen()) await nextFrame(frames);
      // A frame callback runs before the frame is rendered.
      await messages.giveWay();
    },
  };
}

const nextFrame = (frames: FrameSource): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, FRAME_MS);
    frames.next(() => {
      clearTimeout(timer);
      resolve();
    });
  });
