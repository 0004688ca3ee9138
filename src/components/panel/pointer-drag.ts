import { zoomOf } from '../shared/css-zoom.ts';

/** Pointer movement below this distance is a click, not a drag. */
const DRAG_THRESHOLD_PX = 4;

export interface DragHandlers {
  /** Called with the distance from the starting point, in CSS pixels of the element. */
  move(right: number, down: number): void;
  /** Called at the end of the drag, but not after a click. `cancelled`: the user or the system has cancelled it. */
  end(cancelled: boolean): void;
}

/** Tracks the pointer from a press until it is released. Escape cancels the drag. */
export function trackDrag(press: PointerEvent, element: HTMLElement, handlers: DragHandlers): void {
  const { pointerId, clientX, clientY } = press;
  let dragging = false;
  const listeners = new AbortController();
  const finish = (cancelled: boolean): void => {
    listeners.abort();
    if (dragging) handlers.end(cancelled);
  };
  const { signal } = listeners;
  element.addEventListener(
    'pointermove',
    (event) => {
      if (event.pointerId !== pointerId) return;
      const [right, down] = [event.clientX - clientX, event.clientY - clientY];
      if (!dragging && Math.hypot(right, down) < DRAG_THRESHOLD_PX) return;
      // Not captured earlier: with a captured pointer, a click would go to `element` instead of the button under the pointer.
      if (!dragging) element.setPointerCapture(pointerId);
      dragging = true;
      const zoom = zoomOf(element);
      handlers.move(right / zoom, down / zoom);
    },
    { signal },
  );
  element.addEventListener(
    'pointerup',
    (event) => {
      if (event.pointerId === pointerId) finish(false);
    },
    { signal },
  );
  element.addEventListener(
    'pointercancel',
    (event) => {
      if (event.pointerId === pointerId) finish(true);
    },
    { signal },
  );
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !dragging) return;
      event.preventDefault();
      event.stopPropagation();
      finish(true);
    },
    { signal, capture: true },
  );
}
