/** Yields to the main thread while a burst is processed, so that typing, scrolling and rendering can run in between. */

import { taskScheduler, type YieldScheduler } from './task-scheduler.ts';

/** Time slice of work in milliseconds: half a frame, because the frame has to be rendered too. */
const SLICE_MS = 8;
/** Maximum number of items per batch: the consumer's work on a batch can't be interrupted. */
const MAX_BATCH = 256;
/** Length of items, in UTF-16 code units, from which a batch is long. */
const LONG = 65_536;

/**
 * Splits batches and yields to the page when the consumer has worked on them for long. While its work is slow, such as
 * each change of a large state, batches are smaller, down to one item. The same holds after long items, which may cause that.
 */
export async function* yieldToMain<T>(
  batches: AsyncIterable<readonly T[]>,
  pace: YieldScheduler = frameScheduler(),
  lengthOf: (item: T) => number = () => 0,
): AsyncGenerator<readonly T[]> {
  let size = MAX_BATCH;
  let worked = 0;
  try {
    for await (const batch of batches) {
      for (let start = 0; start < batch.length;) {
        const { part, isLong } = nextPart(batch.slice(start, start + size), lengthOf);
        const begun = pace.now();
        yield part;
        const took = pace.now() - begun;
        if (isLong) size = 1;
        else size = took > SLICE_MS ? Math.ceil((part.length * SLICE_MS) / took) : Math.min(2 * size, MAX_BATCH);
        start += part.length;
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

/** The first items up to the one with which they reach the length `LONG`, or all. */
function nextPart<T>(items: readonly T[], lengthOf: (item: T) => number): { part: readonly T[]; isLong: boolean } {
  let length = 0;
  const end = items.findIndex((item) => (length += lengthOf(item)) >= LONG);
  return { part: end < 0 ? items : items.slice(0, end + 1), isLong: end >= 0 };
}

/** Number of bytes that are passed on at a time. One read may have all of a body. */
const SLICE_BYTES = 32 * 1024;

/** Passes bytes on in slices and yields to the page when the consumer has worked for long, even on bytes that it ignores. */
export async function* yieldBetweenSlices(
  chunks: AsyncIterable<Uint8Array>,
  pace: YieldScheduler = taskScheduler(),
): AsyncGenerator<Uint8Array> {
  let worked = 0;
  try {
    for await (const chunk of chunks) {
      for (let start = 0; start < chunk.byteLength; start += SLICE_BYTES) {
        const begun = pace.now();
        yield chunk.subarray(start, start + SLICE_BYTES);
        worked += pace.now() - begun;
        if (worked < SLICE_MS) continue;
        await pace.giveWay();
        worked = 0;
      }
    }
  } finally {
    pace.dispose?.();
  }
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
