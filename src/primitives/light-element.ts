import { LitElement } from 'lit';

/**
 * An element inside the widget: it draws into itself, so that the widget's sheets and the page's `::part()` reach everything
 * there is. (A base class, because a shadow root is what Lit makes by default and this is the one place that says otherwise.)
 */
export class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Draws what is to be drawn in here without waiting for anything, also in the elements of this kind that come with it. */
  drawNow(): void {
    if (this.isUpdatePending) this.performUpdate();
    for (const element of this.querySelectorAll('*')) if (element instanceof LightElement) element.drawNow();
  }
}
