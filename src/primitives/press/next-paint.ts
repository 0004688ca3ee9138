/** When something can be seen: that is later than it is rendered, and much later if the page is busy before the next frame. */
export interface Paint {
  /** In the time of `performance.now()` and `event.timeStamp`. `Infinity` until it is painted: a hidden page paints nothing. */
  readonly time: number;
  /** Gives how long after the beginning of its frame, when animations start, it was painted (ms). */
  readonly done: Promise<number>;
}

let next: Paint | undefined;

/** The painting of what is rendered now. It is the same object for all that is painted with the same frame. */
export function nextPaint(): Paint {
  if (next) return next;
  const paint = {
    time: Infinity,
    done: new Promise<number>((resolve) => {
      requestAnimationFrame((start) => {
        next = undefined;
        // A browser paints before the next task.
        setTimeout(() => {
          paint.time = performance.now();
          resolve(paint.time - start);
        });
      });
    }),
  };
  return (next = paint);
}
