/** Files that are dragged over the widget: they fall into the composer, and never replace the page. */
import type { AgentChatComposer } from './composer.ts';

export interface DropTarget {
  /** Where they go; undefined while no files may be attached. */
  composer(): AgentChatComposer | undefined;
  /** What is written over the widget meanwhile. */
  words(): string;
}

/** Takes what is dropped on `root`, which says so in `data-drop` while something is held over it. */
export function dropFiles(root: HTMLElement, { composer, words }: DropTarget): void {
  const over = (event: DragEvent): boolean => {
    const takes = event.dataTransfer?.types.includes('Files') === true && composer() !== undefined;
    if (takes) event.preventDefault();
    return takes;
  };
  root.addEventListener('dragover', (event) => {
    if (over(event)) root.setAttribute('data-drop', words());
  });
  root.addEventListener('dragleave', (event) => {
    if (!(event.relatedTarget instanceof Node) || !root.contains(event.relatedTarget))
      root.removeAttribute('data-drop');
  });
  root.addEventListener('drop', (event) => {
    root.removeAttribute('data-drop');
    if (over(event)) void composer()?.addFiles([...(event.dataTransfer?.files ?? [])]);
  });
}
