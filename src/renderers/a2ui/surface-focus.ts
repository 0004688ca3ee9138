/**
 * Keeps the focus and the selection of a control while it is moved. A browser takes the focus from an element that is removed,
 * also if it is inserted again in the same task.
 */
export function keepFocus(host: HTMLElement, render: () => void): void {
  const root = host.getRootNode();
  const control = root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
  if (!(control instanceof HTMLElement) || !host.contains(control)) {
    render();
    return;
  }
  const isField = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
  const selection = isField && ([control.selectionStart, control.selectionEnd, control.selectionDirection] as const);
  render();
  if (!host.contains(control) || control.matches(':focus')) return;
  control.focus({ preventScroll: true });
  // An input that is not a text, such as a checkbox, has no selection.
  if (selection && selection[0] !== null)
    control.setSelectionRange(selection[0], selection[1], selection[2] ?? undefined);
}
