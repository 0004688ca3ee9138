/**
 * The keyboard shortcuts of the whole widget. `components/header/shortcuts-dialog.ts` lists them for the user. An element that handles
 * Escape itself, such as a menu, stops the event, because Escape would otherwise also stop the reply.
 */

/**
 * Performs the action of a shortcut. Any other key keeps its effect.
 *
 * @param header - handles its own shortcuts. `handleKey` returns whether the key was one
 * @param find - opens the widget's search. Without it, the browser's own search opens
 * @param leave - stops the running reply, or else closes the panel. Returns whether one of them was possible
 */
export function handleShortcut(
  event: KeyboardEvent,
  header: { handleKey(event: KeyboardEvent): boolean },
  find: (() => void) | false | undefined,
  leave: () => boolean,
): void {
  if (event.isComposing || event.defaultPrevented) return;
  if (event.key === 'Escape') {
    if (!leave()) return;
    event.stopPropagation();
  } else if (find && event.key === 'f' && (event.ctrlKey || event.metaKey)) find();
  else if (!header.handleKey(event)) return;
  event.preventDefault();
}
