import { taskScheduler, type YieldScheduler } from '../../runtime/stream/task-scheduler.ts';

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
 * Schedules a render: at most one per frame, whatever the rate of events. After a slow render it waits as long as that render
 * took, so that half of the time is left for input; but not if there had been nothing to render for as long before, as before
 * the first word of an answer. A hidden tab renders nothing.
 *
 * @returns a function that requests a render
 */
export function makeRenderScheduler(
  draw: () => void,
  { requestFrame, now, giveWay }: FrameScheduler = browserFrames,
): () => void {
  let requestedAt: number | undefined;
  let drawnAt = 0;
  let resumeAt = 0;
  const run = (): void => {
    const start = now();
    if (start < resumeAt) {
      requestFrame(run);
      return;
    }
    const idleTime = (requestedAt ?? start) - drawnAt;
    requestedAt = undefined;
    draw();
    // This continues after layout and paint, which are most of the cost of a render.
    void giveWay().then(() => {
      drawnAt = now();
      const cost = drawnAt - start;
      resumeAt = cost > CHEAP_MS && cost > idleTime ? drawnAt + cost : 0;
    });
  };
  return () => {
    if (requestedAt !== undefined) return;
    requestedAt = now();
    requestFrame(run);
  };
}
