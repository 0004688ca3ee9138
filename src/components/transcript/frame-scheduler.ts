import { taskScheduler, type YieldScheduler } from '../../runtime/stream/yield-to-main.ts';

/** Milliseconds that a render may take without a pause after it: half of a 60 Hz frame. */
const CHEAP_MS = 8;

export interface FrameScheduler extends YieldScheduler {
  /** Calls back in the next animation frame; never while the tab is hidden. */
  requestFrame(callback: () => void): unknown;
}

const browserFrames: FrameScheduler = {
  ...taskScheduler(),
  requestFrame: (callback) => requestAnimationFrame(callback),
};

/**
 * Schedules a render: at most one per frame, whatever the rate of events. Slow renders take at most half of the time, so
 * that the rest is left for input: after one it waits as long as that render took, less the time for which it had nothing
 * to render before. So the first word of an answer does not wait. A hidden tab renders nothing.
 *
 * @returns a function that requests a render
 */
export function makeRenderScheduler(
  draw: () => void,
  { requestFrame, now, giveWay }: FrameScheduler = browserFrames,
): () => void {
  let requested = false;
  let resumeAt = 0;
  const run = (): void => {
    const start = now();
    if (start < resumeAt) {
      requestFrame(run);
      return;
    }
    requested = false;
    const idle = start - resumeAt;
    draw();
    // This continues after layout and paint, which are most of the cost of a render.
    void giveWay().then(() => {
      const end = now();
      const cost = end - start;
      resumeAt = end + (cost > CHEAP_MS ? Math.max(0, cost - idle) : 0);
    });
  };
  return () => {
    if (requested) return;
    requested = true;
    requestFrame(run);
  };
}
