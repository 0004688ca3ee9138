/** Accepts files dropped on the widget as attachments. The browser does not open them instead of the page. For pasted files, see `composer.ts`. */
import type { AgentChatComposer } from './composer.ts';

export interface DropTarget {
  /** Returns the composer; undefined while no files may be attached. */
  composer(): AgentChatComposer | undefined;
  /** Returns the text shown over the widget while dragging. */
  label(): string;
}

/** Handles files that are dropped on `root`. While dragging, `data-drop` of `root` has the text to show. */
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
