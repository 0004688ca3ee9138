/**
 * Stops key events of text fields at the shadow root, so that typing triggers no shortcuts of the page. Escape and Tab pass: a dialog
 * of the page around the widget closes with Escape and traps the focus with Tab. Capturing listeners of the page still run first.
 */
export function containKeyEvents(root: Node): void {
  for (const type of ['keydown', 'keyup', 'keypress']) root.addEventListener(type, stopTyping);
}

function stopTyping(event: Event): void {
  if (event instanceof KeyboardEvent && (event.key === 'Escape' || event.key === 'Tab')) return;
  const [target] = event.composedPath();
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) event.stopPropagation();
}
