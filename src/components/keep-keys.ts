/**
 * What is typed in the widget is no shortcut of the page. Escape and Tab are no typing: a dialog of the page around the widget closes
 * by the one and keeps the focus with the other. (What the page listens to while capturing comes before us, and nothing helps that.)
 */
export function keepKeys(root: Node): void {
  for (const type of ['keydown', 'keyup', 'keypress']) root.addEventListener(type, keep);
}

function keep(event: Event): void {
  if (event instanceof KeyboardEvent && (event.key === 'Escape' || event.key === 'Tab')) return;
  const [target] = event.composedPath();
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) event.stopPropagation();
}
