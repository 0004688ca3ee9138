import { LitElement } from 'lit';

/**
 * Base class of elements inside the widget. They render into themselves, so that the widget's styles and the page's
 * `::part()` apply everywhere. Lit creates a shadow root by default; only this class overrides that.
 */
export class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Renders pending updates synchronously, including those of nested elements of this kind. */
  renderNow(): void {
    if (this.isUpdatePending) this.performUpdate();
    for (const element of this.querySelectorAll('*')) if (element instanceof LightElement) element.renderNow();
  }
}
