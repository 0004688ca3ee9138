/** For this long, in milliseconds, the texts of one frame are rendered in it: those of an ordinary conversation that is restored. */
const MOST_MS = 100;

let begun: number | undefined;

const reset = (): void => {
  begun = undefined;
};

/**
 * Whether the texts of this frame take so long that the next one has to wait for another frame. Each text renders its beginning
 * at once, and a page or a file may bring hundreds of texts in one task.
 */
export function isLate(): boolean {
  if (begun === undefined) {
    begun = performance.now();
    requestAnimationFrame(reset);
  }
  return performance.now() - begun > MOST_MS;
}
