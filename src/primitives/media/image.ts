import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { enImage } from '../../locales/english/en-image.ts';
import { addEnglish } from '../../locales/english/loaded-english.ts';
import type { Localize } from '../../locales/localize.ts';
import { LightElement } from '../light-dom-element.ts';
import { contentIcon } from '../content-icon.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import css from './image.css?inline';

const style = createStylesheet(css);

addEnglish(enImage);

/** An image is scaled down if it has this many times the displayed pixels. */
const OVERSIZE = 4;

const warnedHosts = new Set<string>();

/** A hint for page authors, once per host; users see the placeholder. */
function warnOnce(host: string): void {
  if (warnedHosts.has(host)) return;
  warnedHosts.add(host);
  console.info(`<agent-chat>: an image from ${host} was not loaded; ${imageHostsAttribute(host)} allows it.`);
}

/** Returns the attribute that would allow images of a host. */
export const imageHostsAttribute = (host: string): string => `image-hosts="${host === location.host ? 'self' : host}"`;

/**
 * An image, its placeholder until the user loads it, or the reason why it is refused; always in the same box. The
 * caller decides whether it may load (`renderers/media/policy-image.ts`).
 */
export class AgentChatImage extends LightElement {
  static override properties = {
    src: { attribute: false },
    alt: { attribute: false },
    host: { attribute: false },
    reason: { attribute: false },
    maxPixels: { attribute: false },
    report: { attribute: false },
    localize: { attribute: false },
    loaded: { state: true },
    problem: { state: true },
  };
  declare src: string;
  declare alt: string;
  /** The host that is contacted only when the user clicks; undefined loads immediately. */
  declare host: string | undefined;
  /** The reason why it is refused. */
  declare reason: string | undefined;
  declare maxPixels: number;
  /** Called if the decoder finds more pixels than allowed: the header of most formats does not say how many there are. */
  declare report: ((blocked: { sink: 'image'; url: string; reason: 'pixels' }) => void) | undefined;
  declare localize: Localize;
  declare protected loaded: boolean;
  declare protected problem: string | undefined;
  /** The `blob:` URL of the scaled-down copy. */
  #smaller: string | undefined;

  constructor() {
    super();
    this.alt = '';
    this.maxPixels = Number.POSITIVE_INFINITY;
    this.loaded = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStylesheet(this, style);
    // The element was moved or reinserted: the scaled copy was released when it was removed.
    const image = this.#smaller === undefined ? null : this.querySelector('img');
    this.#smaller = undefined;
    if (image) image.src = this.src;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.#smaller !== undefined) URL.revokeObjectURL(this.#smaller);
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.has('src') && changes.get('src') !== undefined) {
      this.loaded = false;
      this.problem = undefined;
    }
  }

  protected override render(): TemplateResult {
    const { localize, reason, problem, host } = this;
    if (reason !== undefined || problem !== undefined) return this.#renderBox(reason ?? problem ?? '');
    if (host !== undefined && !this.loaded) {
      warnOnce(host);
      return this.#renderBox(
        localize('image.host', { host }),
        html`<button class="button plain" type="button" @click=${this.#load}>${localize('image.load')}</button>`,
      );
    }
    const picture = html`<img
      class="picture"
      part="image"
      src=${this.src}
      alt=${this.alt}
      referrerpolicy="no-referrer"
      decoding="async"
      loading="lazy"
      @load=${this.#check}
      @error=${this.#fail}
    />`;
    // Inside a link, clicks belong to the link.
    if (this.parentElement?.closest('a, button')) return picture;
    const label = this.alt ? localize('image.enlarge-named', { name: this.alt }) : localize('image.enlarge');
    return html`<button class="enlarge" type="button" aria-label=${label} @click=${this.#enlarge}>${picture}</button>`;
  }

  #renderBox(text: string, action: unknown = nothing): TemplateResult {
    return html`<span class="blocked" part="image" role="group" aria-label=${this.localize('image.blocked')}>
      ${contentIcon('image-off')} ${this.alt ? html`<span>${this.alt}</span>` : nothing}
      <span class="muted">${text}</span>
      ${action}
    </span>`;
  }

  readonly #load = (event: Event): void => {
    // Inside a link, the button names the host of the image, not that of the link.
    event.preventDefault();
    this.loaded = true;
  };

  readonly #enlarge = async (): Promise<void> => {
    const root = this.getRootNode();
    if (!(root instanceof ShadowRoot) && !(root instanceof Document)) return;
    const { openLightbox } = await import('./lightbox.ts');
    // The conversation may have been closed meanwhile, such as that of another user.
    if (!this.isConnected) return;
    openLightbox(root instanceof Document ? root.body : root, this);
  };

  readonly #fail = (): void => {
    this.problem = this.localize('image.broken');
  };

  readonly #check = (event: Event): void => {
    const image = event.currentTarget as HTMLImageElement;
    if (image.naturalWidth * image.naturalHeight <= this.maxPixels) {
      void this.#shrink(image);
      return;
    }
    this.problem = this.localize('media.refused.pixels');
    this.report?.({ sink: 'image', url: this.src, reason: 'pixels' });
  };

  /** Replaces an image that is far larger than displayed by a scaled copy: decoded pixels take memory. */
  async #shrink(image: HTMLImageElement): Promise<void> {
    const width = Math.ceil(image.clientWidth * devicePixelRatio);
    const displayedPixels = width * Math.ceil(image.clientHeight * devicePixelRatio);
    if (this.#smaller !== undefined || width === 0 || !/^data:/i.test(this.src)) return;
    if (image.naturalWidth * image.naturalHeight < displayedPixels * OVERSIZE) return;
    try {
      const bitmap = await createImageBitmap(image, { resizeWidth: width * 2, resizeQuality: 'high' });
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
      bitmap.close();
      this.#smaller = URL.createObjectURL(await canvas.convertToBlob());
      image.src = this.#smaller;
    } catch {
      // The original is already shown.
    }
  }
}
