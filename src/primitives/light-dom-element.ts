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
    // Each element once: it also visits what an element before it has just rendered.
    const walker = document.createTreeWalker(this, NodeFilter.SHOW_ELEMENT);
    while (walker.nextNode()) {
      const element = walker.currentNode;
      if (element instanceof LightElement && element.isUpdatePending) element.performUpdate();
    }
  }
}
