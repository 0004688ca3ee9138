/** So far a press may wander and be a press still. */
const SLACK_PX = 4;

export interface Drag {
  /** The pointer is so far from where it was pressed. */
  move(right: number, down: number): void;
  /** It was let go. `cancelled`: the reader, or the system, has thought better of it. */
  end(cancelled: boolean): void;
}

/** Follows the pointer from this press until it is let go. Escape ends it, too. */
export function follow(press: PointerEvent, element: HTMLElement, drag: Drag): void {
  const { pointerId, clientX, clientY } = press;
  let begun = false;
  const stop = new AbortController();
  const finish = (cancelled: boolean): void => {
    stop.abort();
    if (begun) drag.end(cancelled);
  };
  const { signal } = stop;
  element.addEventListener(
    'pointermove',
    (event) => {
      if (event.pointerId !== pointerId) return;
      const [right, down] = [event.clientX - clientX, event.clientY - clientY];
      if (!begun && Math.hypot(right, down) < SLACK_PX) return;
      // Not before: a captured pointer's click is the element's, and no longer that of the button below it.
      if (!begun) element.setPointerCapture(pointerId);
      begun = true;
      drag.move(right, down);
    },
    { signal },
  );
  element.addEventListener(
    'pointerup',
    () => {
      finish(false);
    },
    { signal },
  );
  element.addEventListener(
    'pointercancel',
    () => {
      finish(true);
    },
    { signal },
  );
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !begun) return;
      event.preventDefault();
      event.stopPropagation();
      finish(true);
    },
    { signal, capture: true },
  );
}
