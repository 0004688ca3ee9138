/** How long presses are ignored (ms): longer than somebody needs to see what is under the pointer now. */
const MOVED_MS = 500;

/**
 * Ignores presses for a moment, and again after each that it has ignored. The document in a frame knows when it is
 * pressed: by its size, it could move a button of the widget under the pointer, for a press that is meant for the
 * document. The keyboard presses what has the focus, wherever it is.
 *
 * @param isMoved - whether an element may have moved; `path` leads from it to the window
 */
export function ignorePresses(
  root: EventTarget,
  isMoved: (target: Element, path: readonly EventTarget[]) => boolean,
): void {
  root.addEventListener(
    'click',
    (event) => {
      const path = event.composedPath();
      const [target] = path;
      const isByKeyboard = (event as MouseEvent).detail === 0;
      if (isByKeyboard || !(target instanceof Element) || !isMoved(target, path)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      ignorePresses(root, isMoved);
    },
    { capture: true, signal: AbortSignal.timeout(MOVED_MS) },
  );
}
