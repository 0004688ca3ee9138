/**
 * The key that sends the text, in the composer and in the message editor. With `auto` it is Enter, except on touch devices.
 */
export type SubmitKey = 'auto' | 'enter' | 'mod-enter';

/** Whether Enter inserts a line break: with `mod-enter`, and with `auto` on touch devices. */
export const enterBreaksLine = (submitKey: SubmitKey): boolean =>
  submitKey === 'mod-enter' || (submitKey === 'auto' && matchMedia('(pointer: coarse)').matches);

/**
 * Whether an input method (IME) is composing; Enter then confirms a word. Safari ends the composition before it dispatches the key
 * event and marks it only with the legacy key code 229.
 */
export const isComposing = (event: KeyboardEvent): boolean =>
  event.isComposing || (event as { readonly keyCode: number }).keyCode === 229;

/**
 * Whether a key sends the text. Ctrl or ⌘ + Enter always does; Enter alone does unless it inserts a line break. With Shift,
 * neither does.
 */
export function isSendKey(event: KeyboardEvent, submitKey: SubmitKey): boolean {
  if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return false;
  return event.ctrlKey || event.metaKey || !enterBreaksLine(submitKey);
}
