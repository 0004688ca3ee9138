/**
 * The keyboard shortcuts of the whole widget. `components/header/shortcuts-dialog.ts` lists them for the user. An element that handles
 * Escape itself, such as a menu, stops the event, because Escape would otherwise also stop the reply.
 */

export interface ShortcutActions {
  /** Opens the widget's search. @returns whether it could: if not, the browser's own search opens */
  search(): boolean;
  /** Handles a shortcut of the header. @returns whether the key was one */
  headerKey(event: KeyboardEvent): boolean;
  /** Stops the running reply, or else closes the panel. @returns whether one of them was possible */
  stopOrClose(): boolean;
}

/** Performs the action of a shortcut. Any other key keeps its effect. */
export function handleShortcut(event: KeyboardEvent, { search, headerKey, stopOrClose }: ShortcutActions): void {
  if (event.isComposing || event.defaultPrevented) return;
  if ((event.key === 'f' && (event.ctrlKey || event.metaKey) && search()) || headerKey(event)) event.preventDefault();
  else if (event.key === 'Escape' && stopOrClose()) {
    event.preventDefault();
    event.stopPropagation();
  }
}
