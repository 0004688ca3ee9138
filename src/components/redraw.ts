import { LitElement } from 'lit';

/** Draws every element in there again, whatever it thinks has not changed. */
export function redraw(root: ParentNode): void {
  for (const element of root.querySelectorAll('*')) if (element instanceof LitElement) element.requestUpdate();
}
