/**
 * Calls `changed` when the colours around an element change for any reason: the system's colour scheme, an attribute, a
 * theme, a class. There is no event for it, so a CSS transition on the element (in the card styles) reports it.
 */
export function watchColors(element: HTMLElement, changed: () => void): void {
  let frame = 0;
  element.addEventListener('transitionend', ({ target }) => {
    if (target !== element) return;
    // Each changed property ends its own transition.
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      if (element.isConnected) changed();
    });
  });
}
