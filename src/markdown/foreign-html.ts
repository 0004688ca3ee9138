import { ReactiveElement, nothing, render, type PropertyValues } from 'lit';
import { textOfHtml } from '../safety/html-tags.ts';
import type { MarkdownView } from './view.ts';

/**
 * A block of HTML that a model wrote, sanitised. Until the sanitiser has come, and where it can't be had, its words stand there
 * as text.
 */
export class AgentChatHtml extends ReactiveElement {
  static override properties = { source: { attribute: false }, view: { attribute: false } };
  declare source: string;
  declare view: MarkdownView;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('source') || changes.has('view')) void this.#show(this.source);
  }

  async #show(source: string): Promise<void> {
    if (!this.hasChildNodes()) this.textContent = textOfHtml(source);
    try {
      const { sanitizeHtml } = await import('../safety/sanitize.ts');
      if (source !== this.source) return;
      const { nodes, images } = sanitizeHtml(source);
      for (const { place, src, alt } of images) render(src ? this.view.image(src, alt) : nothing, place as HTMLElement);
      this.replaceChildren(nodes);
    } catch {
      this.textContent = textOfHtml(source);
    }
  }
}
