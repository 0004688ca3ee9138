import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { enContent } from '../../locales/english/en-content.ts';
import { addEnglish, englishTexts } from '../../locales/english/loaded-english.ts';
import { makeLocalize } from '../../locales/text-and-date-formats.ts';
import { AppendOnlyText } from '../../markdown/append-only-text.ts';
import { markdown } from '../../markdown/markdown-directive.ts';
import type { MarkdownView } from '../../markdown/render/markdown-context.ts';
import { imageOf } from '../../renderers/media/policy-image.ts';
import { mediaLimits } from '../../safety/media-limits.ts';
import base from '../../theme/base.css?inline';
import element from './agent-chat-markdown.css?inline';
import prose from '../../theme/markdown.css?inline';
import { createStylesheet } from '../../theme/stylesheet.ts';
import tokens from '../../theme/tokens.css?inline';
import { validEnumValue, enumProperty, stringProperty } from '../shared/attribute-converters.ts';
import { resolveLocalize } from '../host/resolve-localize.ts';

const MATH = ['off', 'on'] as const;
addEnglish(enContent);
const english = { texts: englishTexts, localize: makeLocalize('en', { english: englishTexts }) };

/**
 * Renders Markdown, complete or streaming, without the rest of the chat. It renders at most once per animation frame, and not
 * while the page is hidden.
 *
 * Links open in a new tab; only `http(s)`, `mailto` and `tel` URLs become links. An image from the network loads after a press,
 * unless `image-hosts` lists its host.
 *
 * @example
 * const element = document.querySelector('agent-chat-markdown');
 * for await (const delta of stream) element.write(delta);
 * await element.end();
 *
 * @csspart content - The rendered text.
 * @csspart code-block - A code block.
 * @csspart code-copy - The copy button of a code block.
 * @csspart image - An image, or its placeholder.
 */
export class AgentChatMarkdown extends LitElement {
  static override styles = [tokens, base, prose, element].map(createStylesheet);
  static override properties = {
    text: { attribute: false, noAccessor: true },
    streaming: { type: Boolean, reflect: true },
    imageHosts: stringProperty('image-hosts'),
    locale: stringProperty('locale'),
    math: enumProperty('math', MATH),
  };
  /** Whether more text may follow; an incomplete end is then completed for display. `write()` sets it, `end()` resets it. */
  declare streaming: boolean;
  /** Hosts whose images load immediately, as in `image-hosts` of `<agent-chat>`. Default: none. */
  declare imageHosts: string | undefined;
  /** The language of the labels around the text (BCP 47). Default: the language of the page. */
  declare locale: string | undefined;
  /** `on` renders formulas between dollar signs or TeX delimiters. Default `off`. */
  declare math: (typeof MATH)[number];
  #text = new AppendOnlyText();
  #view: MarkdownView | undefined;
  /** Resolves when the complete text is rendered; a long text takes several frames. */
  #rendered: Promise<void> | undefined;
  #resolveRendered: (() => void) | undefined;
  /** Ends the wait for an animation frame. */
  #skipFrame: (() => void) | undefined;

  constructor() {
    super();
    this.streaming = false;
    this.math = 'off';
  }

  /** The complete text received so far. Assigning replaces it. */
  get text(): string {
    return this.#text.whole;
  }

  set text(text: string) {
    this.#text = new AppendOnlyText(text);
    this.requestUpdate('text');
  }

  /** Appends to the text. */
  write(delta: string): void {
    this.#text.append(delta);
    if (this.streaming && this.isUpdatePending) return;
    this.streaming = true;
    this.requestUpdate('text');
  }

  /** Ends the stream. Resolves when the complete text is rendered, also on a hidden page. */
  async end(): Promise<void> {
    this.streaming = false;
    this.#skipFrame?.();
    await this.updateComplete;
  }

  override requestUpdate(...change: Parameters<LitElement['requestUpdate']>): void {
    const [name] = change;
    if (name === 'imageHosts' || name === 'locale' || name === 'math') this.#view = undefined;
    super.requestUpdate(...change);
  }

  /** While streaming, the text received since the last frame is rendered with the next one. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.streaming && this.hasUpdated) await this.#nextFrame();
    this.#view ??= await this.#createView();
    await super.scheduleUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // Rendering continues when the element is back in the document. Pending promises resolve now.
    this.#markRendered();
  }

  protected override async getUpdateComplete(): Promise<boolean> {
    const isComplete = await super.getUpdateComplete();
    await this.#rendered;
    return isComplete;
  }

  protected override willUpdate(): void {
    this.#rendered ??= new Promise((resolve) => {
      this.#resolveRendered = resolve;
    });
  }

  readonly #markRendered = (): void => {
    this.#resolveRendered?.();
    this.#rendered = undefined;
  };

  async #nextFrame(): Promise<void> {
    await new Promise<void>((resolve) => {
      const frame = requestAnimationFrame(() => {
        resolve();
      });
      this.#skipFrame = () => {
        cancelAnimationFrame(frame);
        resolve();
      };
    });
    this.#skipFrame = undefined;
  }

  /** The view stays the same object until a setting changes; a new object re-renders all blocks. */
  async #createView(): Promise<MarkdownView> {
    const localize = await resolveLocalize(this, { locale: this.locale, strings: {} }, english);
    const imageHosts = this.imageHosts ?? '';
    const math = validEnumValue('math', this.math, MATH) === 'on';
    return { localize, math, image: (src, alt) => imageOf(src, alt, { localize, imageHosts, limits: mediaLimits }) };
  }

  protected override render(): TemplateResult {
    const { streaming } = this;
    return html`<div part="content" class="prose" aria-busy=${streaming ? 'true' : nothing}>
      ${this.#view ? markdown(this.#text, this.#view, { growing: streaming, drawn: this.#markRendered }) : nothing}
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-markdown': AgentChatMarkdown;
  }
}
