import { ReactiveElement, type PropertyValues } from 'lit';
import { limitAccents } from '../../limit-accents.ts';
import { loadOnce } from '../../load-once.ts';
import { textOfHtml } from '../../safety/read-html.ts';
import type { MarkdownView } from './markdown-context.ts';

/** Once it is loaded, a block is rendered in the frame in which it appears: a text may have thousands of them. */
const loadRenderer = loadOnce(() => import('./render-html.ts'));

/** A text up to this length is sanitized with every change; a longer one after it has grown by a fraction of its length… */
const ALWAYS_RENDERED_LENGTH = 8192;
const PART = 1 / 16;
/** …or after a pause of this many milliseconds, doubled each time, so that pauses do not cost more than the growth. */
const PAUSE_MS = 200;

/**
 * Sanitized HTML written by a model. It is shown as text until the sanitizer is loaded, or if it cannot be loaded.
 * Rendered nodes are kept while the text grows, so that what the user opened or selected stays.
 */
export class AgentChatHtml extends ReactiveElement {
  static override properties = { source: { attribute: false }, view: { attribute: false } };
  declare source: string;
  declare view: MarkdownView;
  /** Number of characters rendered. */
  #renderedLength = 0;
  #later: ReturnType<typeof setTimeout> | undefined;
  /** Number of renders during pauses since the last growth by a fraction. */
  #pauses = 0;
  /** Containers of images, which render themselves. */
  readonly #imageContainers = new WeakSet<Node>();

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#later);
  }

  protected override updated(changes: PropertyValues<this>): void {
    clearTimeout(this.#later);
    const more = this.source.length - this.#renderedLength;
    const hold =
      !changes.has('view') &&
      this.source.length > ALWAYS_RENDERED_LENGTH &&
      more >= 0 &&
      more < this.source.length * PART;
    if (hold) {
      this.#later = setTimeout(
        () => {
          this.#pauses++;
          void this.#show(this.source);
        },
        PAUSE_MS * 2 ** this.#pauses,
      );
      return;
    }
    this.#pauses = 0;
    void this.#show(this.source);
  }

  async #show(source: string): Promise<void> {
    if (!this.hasChildNodes()) this.textContent = limitAccents(textOfHtml(source));
    try {
      const { frameWithTime, renderHtml } = await loadRenderer();
      await frameWithTime();
      if (source !== this.source) return;
      this.#renderedLength = source.length;
      renderHtml(this, source, this.view, this.#imageContainers);
    } catch {
      this.textContent = limitAccents(textOfHtml(source));
    }
  }
}
