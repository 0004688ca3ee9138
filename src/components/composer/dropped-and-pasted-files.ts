/** Accepts files that are dropped on the widget or pasted into its composer as attachments. */
export interface DropTarget {
  /** Returns the composer; undefined while no files may be attached. */
  composer(): { addFiles(files: readonly File[]): Promise<void> } | undefined;
  /** Returns the text shown over the widget while dragging. */
  label(): string;
}

/** Returns pasted files. A word processor adds an image of the text that was copied: then only the text is pasted. */
export function pastedFiles({ clipboardData }: ClipboardEvent): readonly File[] {
  return clipboardData && !clipboardData.types.includes('text/plain') ? [...clipboardData.files] : [];
}

/**
 * Handles files that are dropped on `root`; the browser does not open them instead of the page. While dragging, `data-drop` of `root` has
 * the text to show.
 */
export function handleFileDrop(root: HTMLElement, { composer, label }: DropTarget): void {
  const acceptsDrop = (event: DragEvent): boolean => {
    const accepted = event.dataTransfer?.types.includes('Files') === true && composer() !== undefined;
    if (accepted) event.preventDefault();
    return accepted;
  };
  root.addEventListener('dragover', (event) => {
    if (acceptsDrop(event)) root.setAttribute('data-drop', label());
  });
  root.addEventListener('dragleave', (event) => {
    if (!(event.relatedTarget instanceof Node) || !root.contains(event.relatedTarget))
      root.removeAttribute('data-drop');
  });
  root.addEventListener('drop', (event) => {
    root.removeAttribute('data-drop');
    if (acceptsDrop(event)) void composer()?.addFiles([...(event.dataTransfer?.files ?? [])]);
  });
}
