import { browserPace, type Pace } from '../runtime/pace.ts';

/** Milliseconds that a drawing may take without a rest behind it: it leaves the page the other half of its frame. */
const CHEAP_MS = 8;

export interface FramePace extends Pace {
  /** Calls back when the next frame is made; never while the tab is hidden. */
  frame(callback: () => void): unknown;
}

const browserFrames: FramePace = { ...browserPace(), frame: (callback) => requestAnimationFrame(callback) };

/**
 * Draws soon: once a frame at most, whatever the rate of events. Where a drawing is dear it rests for as long as the last one
 * took, so that half of the time stays for what the reader does. A hidden tab draws nothing.
 *
 * @returns what asks for a drawing
 */
export function drawSoon(draw: () => void, { frame, now, giveWay }: FramePace = browserFrames): () => void {
  let asked = false;
  let rested = 0;
  const run = (): void => {
    const begun = now();
    if (begun < rested) {
      frame(run);
      return;
    }
    asked = false;
    draw();
    // Its turn comes behind layout and paint, which are most of what it costs.
    void giveWay().then(() => {
      const end = now();
      rested = end - begun > CHEAP_MS ? end + (end - begun) : 0;
    });
  };
  return () => {
    if (asked) return;
    asked = true;
    frame(run);
  };
}
