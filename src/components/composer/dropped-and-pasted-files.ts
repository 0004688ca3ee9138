/** Files that are dropped on the widget or pasted into its composer become attachments. */

/** What `handleFileDrop` needs from the widget. */
export interface DropTarget {
  /** Returns the composer; undefined while no files may be attached. */
  composer(): { addFiles(files: readonly File[]): Promise<void> } | undefined;
  /** Returns the text that is shown over the chat while the user drags files. */
  label(): string;
}

/** Returns the pasted files. None if the clipboard also has text, because word processors add an image of the copied text. */
export function pastedFiles({ clipboardData }: ClipboardEvent): readonly File[] {
  return clipboardData && !clipboardData.types.includes('text/plain') ? [...clipboardData.files] : [];
}

/**
 * Attaches files that are dropped on `root`. While files may be attached, the browser does not open them. While files are
 * dragged over `root`, its attribute `data-drop` contains the text that `panel/panel.css` shows over the chat.
 */
export function handleFileDrop(root: HTMLElement, { composer, label }: DropTarget): void {
  const acceptDrop = (event: DragEvent): boolean => {
    const accepted = event.dataTransfer?.types.includes('Files') === true && composer() !== undefined;
    if (accepted) event.preventDefault();
    return accepted;
  };
  root.addEventListener('dragover', (event) => {
    if (acceptDrop(event)) root.setAttribute('data-drop', label());
  });
  root.addEventListener('dragleave', (event) => {
    if (!(event.relatedTarget instanceof Node) || !root.contains(event.relatedTarget))
      root.removeAttribute('data-drop');
  });
  root.addEventListener('drop', (event) => {
    root.removeAttribute('data-drop');
    if (acceptDrop(event)) void composer()?.addFiles([...(event.dataTransfer?.files ?? [])]);
  });
}
