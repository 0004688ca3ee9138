import { LitElement } from 'lit';

/** Re-renders every Lit element below `root`, whether or not its properties have changed. */
export function requestUpdateAll(root: ParentNode): void {
  for (const element of root.querySelectorAll('*')) if (element instanceof LitElement) element.requestUpdate();
}
