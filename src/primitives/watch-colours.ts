/**
 * Calls `changed` when the colours of the page around an element have become others, by whatever means: the reader's system, an
 * attribute, a theme, a class of the page. No event says so, but a transition ends. (The sheet of cards gives it to the element.)
 */
export function watchColours(element: HTMLElement, changed: () => void): void {
  let frame = 0;
  element.addEventListener('transitionend', ({ target }) => {
    if (target !== element) return;
    // Each property that has changed ends its own.
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      if (element.isConnected) changed();
    });
  });
}
