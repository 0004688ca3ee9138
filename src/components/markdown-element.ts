import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { enContent } from '../locales/en-content.ts';
import { makeLocalize } from '../locales/make-localize.ts';
import { AppendedText } from '../markdown/appended-text.ts';
import { markdown } from '../markdown/markdown.ts';
import type { MarkdownView } from '../markdown/view.ts';
import { imageOf } from '../renderers/image-of.ts';
import { mediaLimits } from '../safety/media-policy.ts';
import base from '../theme/base.css?inline';
import element from '../theme/markdown.css?inline';
import prose from '../theme/prose.css?inline';
import { sheet } from '../theme/sheet.ts';
import tokens from '../theme/tokens.css?inline';
import { known, oneOf, word } from './attributes.ts';
import { findLocalize } from './find-localize.ts';

const MATH = ['off', 'on'] as const;
const english = { words: enContent, localize: makeLocalize('en', { english: enContent }) };

/**
 * Markdown that may still be growing, without the rest of the chat. It draws once a frame at most, and not at all while the
 * page is hidden.
 *
 * Links open in a tab of their own, and only those of the web, of mail and of the telephone are links. A picture from the
 * network waits to be asked for unless `image-hosts` lists its host.
 *
 * @example
 * const element = document.querySelector('agent-chat-markdown');
 * for await (const delta of stream) element.write(delta);
 * await element.end();
 *
 * @csspart content - The text.
 * @csspart code-block - A block of code.
 * @csspart code-copy - The button that copies it.
 * @csspart image - A picture, or what stands in its place.
 */
export class AgentChatMarkdown extends LitElement {
  static override styles = [tokens, base, prose, element].map(sheet);
  static override properties = {
    text: { attribute: false, noAccessor: true },
    streaming: { type: Boolean, reflect: true },
    imageHosts: word('image-hosts'),
    locale: word('locale'),
    math: oneOf('math', MATH),
  };
  /** More may come, so the end is shown as it will probably be. `write` sets it, `end` takes it back. */
  declare streaming: boolean;
  /** Hosts whose pictures load at once, as in the `image-hosts` of `<agent-chat>`: none by default. */
  declare imageHosts: string | undefined;
  /** The language of the words around the text; by default that of the page. */
  declare locale: string | undefined;
  /** `on`: formulas between dollars or TeX's own marks are drawn. */
  declare math: (typeof MATH)[number];
  #text = new AppendedText();
  #view: MarkdownView | undefined;
  /** Ends the wait for a frame. */
  #wake: (() => void) | undefined;

  constructor() {
    super();
    this.streaming = false;
    this.math = 'off';
  }

  /** The whole text as far as it is known. */
  get text(): string {
    return this.#text.whole;
  }

  set text(text: string) {
    this.#text = new AppendedText(text);
    this.requestUpdate('text');
  }

  /** Appends to the text. */
  write(delta: string): void {
    this.#text.append(delta);
    if (this.streaming && this.isUpdatePending) return;
    this.streaming = true;
    this.requestUpdate('text');
  }

  /** Nothing more will come. Resolves when the whole text is on the page; a hidden page waits for no frame either. */
  async end(): Promise<void> {
    this.streaming = false;
    this.#wake?.();
    await this.updateComplete;
  }

  override requestUpdate(...change: Parameters<LitElement['requestUpdate']>): void {
    const [name] = change;
    if (name === 'imageHosts' || name === 'locale' || name === 'math') this.#view = undefined;
    super.requestUpdate(...change);
  }

  /** While it grows, what has come since the last frame is drawn with the next one. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.streaming && this.hasUpdated) await this.#frame();
    this.#view ??= await this.#makeView();
    await super.scheduleUpdate();
  }

  async #frame(): Promise<void> {
    await new Promise<void>((resolve) => {
      const frame = requestAnimationFrame(() => {
        resolve();
      });
      this.#wake = () => {
        cancelAnimationFrame(frame);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  /** What the blocks are told stays the same object as long as it says the same, or all of them would be drawn again. */
  async #makeView(): Promise<MarkdownView> {
    const localize = await findLocalize(this, { locale: this.locale, strings: {} }, english);
    const imageHosts = this.imageHosts ?? '';
    const math = known('math', this.math, MATH) === 'on';
    return { localize, math, image: (src, alt) => imageOf(src, alt, { localize, imageHosts, limits: mediaLimits }) };
  }

  protected override render(): TemplateResult {
    const { streaming } = this;
    return html`<div
      part="content"
      class="prose ${streaming ? 'growing' : ''}"
      aria-busy=${streaming ? 'true' : nothing}
    >
      ${this.#view ? markdown(this.#text, this.#view, { growing: streaming }) : nothing}
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-markdown': AgentChatMarkdown;
  }
}
