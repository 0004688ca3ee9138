import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { icon } from './icon.ts';
import { LightElement } from './light-element.ts';

/** A picture is drawn smaller when it has this many times the pixels that are shown. */
const OVERSIZE = 4;

const told = new Set<string>();

/** For whoever builds the page, once for each host: the reader has the placeholder. */
function tellOnce(host: string): void {
  if (told.has(host)) return;
  told.add(host);
  console.info(`<agent-chat>: a picture from ${host} waits to be asked for; ${settingFor(host)} loads it at once.`);
}

/** The attribute that would load pictures of a host at once. */
export const settingFor = (host: string): string => `image-hosts="${host === location.host ? 'self' : host}"`;

/**
 * A picture, the placeholder of one that waits to be asked for, or the reason why it is not shown: always the same box.
 * Whether it may load is decided before; this element only does it.
 */
export class AgentChatImage extends LightElement {
  static override properties = {
    src: { attribute: false },
    alt: { attribute: false },
    host: { attribute: false },
    reason: { attribute: false },
    maxPixels: { attribute: false },
    localize: { attribute: false },
    loaded: { state: true },
    problem: { state: true },
  };
  declare src: string;
  declare alt: string;
  /** The host that is asked only when the reader presses; undefined loads at once. */
  declare host: string | undefined;
  /** Why it is refused. */
  declare reason: string | undefined;
  declare maxPixels: number;
  declare localize: Localize;
  declare protected loaded: boolean;
  declare protected problem: string | undefined;
  #smaller: string | undefined;

  constructor() {
    super();
    this.alt = '';
    this.maxPixels = Number.POSITIVE_INFINITY;
    this.loaded = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Moved in the page, or back in it: the smaller one went when it left.
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
    if (reason !== undefined || problem !== undefined) return this.#box(reason ?? problem ?? '');
    if (host !== undefined && !this.loaded) {
      tellOnce(host);
      return this.#box(
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
    // In a link it is the link that is pressed.
    if (this.parentElement?.closest('a, button')) return picture;
    const label = this.alt ? localize('image.enlarge-named', { name: this.alt }) : localize('image.enlarge');
    return html`<button class="enlarge" type="button" aria-label=${label} @click=${this.#enlarge}>${picture}</button>`;
  }

  #box(words: string, action: unknown = nothing): TemplateResult {
    return html`<span class="blocked" part="image" role="group" aria-label=${this.localize('image.blocked')}>
      ${icon('image-off')} ${this.alt ? html`<span>${this.alt}</span>` : nothing}
      <span class="muted">${words}</span>
      ${action}
    </span>`;
  }

  readonly #load = (): void => {
    this.loaded = true;
  };

  readonly #enlarge = async (): Promise<void> => {
    const root = this.getRootNode();
    if (!(root instanceof ShadowRoot) && !(root instanceof Document)) return;
    const { openLightbox } = await import('./lightbox.ts');
    openLightbox(root instanceof Document ? root.body : root, this);
  };

  readonly #fail = (): void => {
    this.problem = this.localize('image.broken');
  };

  readonly #check = (event: Event): void => {
    const image = event.currentTarget as HTMLImageElement;
    if (image.naturalWidth * image.naturalHeight > this.maxPixels) this.problem = this.localize('media.refused.pixels');
    else void this.#shrink(image);
  };

  /** A picture far larger than its place is kept as a smaller one: memory is decoded pixels. */
  async #shrink(image: HTMLImageElement): Promise<void> {
    const width = Math.ceil(image.clientWidth * devicePixelRatio);
    const shown = width * Math.ceil(image.clientHeight * devicePixelRatio);
    if (this.#smaller !== undefined || width === 0 || !this.src.startsWith('data:')) return;
    if (image.naturalWidth * image.naturalHeight < shown * OVERSIZE) return;
    try {
      const bitmap = await createImageBitmap(image, { resizeWidth: width * 2, resizeQuality: 'high' });
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
      bitmap.close();
      this.#smaller = URL.createObjectURL(await canvas.convertToBlob());
      image.src = this.#smaller;
    } catch {
      // The large one is shown already.
    }
  }
}
