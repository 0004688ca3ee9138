import { ReactiveElement, nothing, render, type PropertyValues } from 'lit';
import { changeText } from '../primitives/growing-text.ts';
import { textOfHtml } from '../safety/html-tags.ts';
import type { ForeignImage } from '../safety/sanitize.ts';
import type { MarkdownView } from './view.ts';

/** A text that is no longer than this is sanitised whenever it has grown; a longer one when it has grown by a part of itself… */
const ALWAYS = 8192;
const PART = 1 / 16;
/** …or has not for so many milliseconds, and twice as many each time: pauses are not to cost more than the growth does. */
const PAUSE_MS = 200;

/**
 * A block of HTML that a model wrote, sanitised. Until the sanitiser has come, and where it can't be had, its words stand there
 * as text. What is drawn stays while the text grows: what a reader has opened or selected in it is theirs.
 */
export class AgentChatHtml extends ReactiveElement {
  static override properties = { source: { attribute: false }, view: { attribute: false } };
  declare source: string;
  declare view: MarkdownView;
  /** How much of the text is drawn. */
  #drawn = 0;
  #later: ReturnType<typeof setTimeout> | undefined;
  /** How often it was drawn in a pause since it has grown by a part of itself. */
  #pauses = 0;
  /** Where pictures stand, which draw themselves. */
  readonly #places = new WeakSet<Node>();

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#later);
  }

  protected override updated(changes: PropertyValues<this>): void {
    clearTimeout(this.#later);
    const more = this.source.length - this.#drawn;
    const hold = !changes.has('view') && this.source.length > ALWAYS && more >= 0 && more < this.source.length * PART;
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
    if (!this.hasChildNodes()) this.textContent = textOfHtml(source);
    try {
      const { sanitizeHtml } = await import('../safety/sanitize.ts');
      if (source !== this.source) return;
      this.#drawn = source.length;
      const { nodes, images } = sanitizeHtml(source);
      const pictures = new Map<Node, ForeignImage>(images.map((image) => [image.place, image]));
      this.#become(this, nodes, pictures);
      for (const [place, { src, alt }] of pictures) {
        this.#places.add(place);
        render(src ? this.view.image(src, alt) : nothing, place as HTMLElement);
      }
    } catch {
      this.textContent = textOfHtml(source);
    }
  }

  /** Gives a node the children of another one. Those that are alike stay the nodes that they were. */
  #become(place: Node, wanted: Node, pictures: Map<Node, ForeignImage>): void {
    let have = place.firstChild;
    for (const want of [...wanted.childNodes]) {
      if (!have) {
        place.appendChild(want);
        continue;
      }
      const next = have.nextSibling;
      const picture = pictures.get(want);
      const isAlike = have.nodeName === want.nodeName && this.#places.has(have) === (picture !== undefined);
      if (!isAlike) place.replaceChild(want, have);
      else if (picture) {
        pictures.delete(want);
        pictures.set(have, picture);
      } else if (have instanceof Text && want instanceof Text) changeText(have, have.data, want.data);
      else if (have instanceof Element && want instanceof Element) {
        copyAttributes(have, want);
        this.#become(have, want, pictures);
      }
      have = next;
    }
    while (have) {
      const next = have.nextSibling;
      place.removeChild(have);
      have = next;
    }
  }
}

/** Whether it is open is the reader's from then on. */
function copyAttributes(have: Element, want: Element): void {
  for (const { name } of [...have.attributes])
    if (name !== 'open' && !want.hasAttribute(name)) have.removeAttribute(name);
  for (const { name, value } of want.attributes)
    if (name !== 'open' && have.getAttribute(name) !== value) have.setAttribute(name, value);
}
