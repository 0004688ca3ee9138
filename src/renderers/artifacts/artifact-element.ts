import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { markdown } from '../../markdown/markdown-directive.ts';
import type { Artifact } from '../../model/blocks.ts';
import type { Diagram } from '../../primitives/code/code-tools.ts';
import type { IconName } from '../../primitives/icon.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { LightElement } from '../../primitives/light-dom-element.ts';
import { downloadFile } from '../../primitives/download-file.ts';
import {
  isFramedKind,
  openSandboxedFrame,
  type SandboxedFrame,
  type ClosedFrame,
} from '../../safety/sandboxed-frame.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { diagramLoaderFor } from './load-diagram.ts';
import { asText } from '../core/block-extra.ts';
import { imageOf } from '../media/policy-image.ts';
import { languageName } from '../core/language-name.ts';
import { lazy } from '../core/lazy.ts';
import { OpenArtifactEvent } from './open-artifact-event.ts';
import type { ViewSettings } from '../core/renderer.ts';
import { shortText } from '../core/short-text.ts';

type View = 'closed' | 'preview' | 'source';

const MERMAID = 'mermaid';

const LANGUAGES: Readonly<Record<Artifact['type'], string>> = {
  'application/vnd.ant.code': '',
  'text/markdown': 'markdown',
  'text/html': 'html',
  'image/svg+xml': 'xml',
  'application/vnd.ant.mermaid': MERMAID,
  'application/vnd.ant.react': 'tsx',
};

const EXTENSIONS: Readonly<Record<Artifact['type'], string>> = {
  'application/vnd.ant.code': 'txt',
  'text/markdown': 'md',
  'text/html': 'html',
  'image/svg+xml': 'svg',
  'application/vnd.ant.mermaid': 'mmd',
  'application/vnd.ant.react': 'tsx',
};

/** Why there is no preview. */
const REASONS = {
  frame: 'artifact.no-preview',
  focus: 'artifact.took-focus',
  history: 'artifact.filled-history',
} as const;

const SYMBOLS: Readonly<Partial<Record<Artifact['type'], IconName>>> = { 'text/markdown': 'file', 'text/html': 'page' };

/** An artifact as a row. Opened, it shows a preview in a sandboxed frame, its source and a download. */
export class AgentChatArtifact extends LightElement {
  static override properties = {
    artifact: { attribute: false },
    source: { attribute: false },
    settings: { attribute: false },
    label: { attribute: false },
    hear: { attribute: false },
    whole: { attribute: false },
    growing: { attribute: false },
    view: { state: true },
    blocked: { state: true },
  };
  declare artifact: Artifact;
  declare source: string;
  declare settings: ViewSettings;
  /** The text below the title. Default: the type of the artifact. */
  declare label: string | undefined;
  /**
   * Receives messages from an app in the frame. `reply` sends a message to it, and is a new function for each run of the
   * app. Without this handler messages are ignored.
   */
  declare hear: ((message: unknown, reply: (message: object) => void) => void) | undefined;
  /** The artifact is shown expanded and alone, without a row that opens it. */
  declare whole: boolean;
  /**
   * Whether the source is still streaming. Until it is complete, the source of a page is shown, because the preview
   * would restart with every token.
   */
  declare growing: boolean;
  declare protected view: View;
  declare protected blocked: ClosedFrame | undefined;
  #frame: SandboxedFrame | undefined;
  #drawing: Diagram | undefined;

  constructor() {
    super();
    this.whole = false;
    this.growing = false;
    this.view = 'closed';
    this.blocked = undefined;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#close();
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.has('source')) {
      this.blocked = undefined;
      this.#drawing = undefined;
    }
    if (this.whole && this.view === 'closed') this.view = this.#hasPreview ? 'preview' : 'source';
  }

  protected override render(): TemplateResult {
    if (this.whole) return this.#opened();
    const { localize } = this.settings;
    const { title, type } = this.artifact;
    // An unknown type, for example of a later version, is shown as source under its own name.
    const kind = `artifact.type.${type}`;
    const open = this.view !== 'closed';
    return html`<button
        type="button"
        class="card object"
        aria-expanded=${open ? 'true' : 'false'}
        @click=${this.#toggle}
      >
        <span class="tile">${lazyIcon(SYMBOLS[type] ?? 'page')}</span>
        <span class="grow"
          ><b class="clip" dir="auto">${shortText(title)}</b
          ><span class="meta clip"
            >${withoutInvisible(this.label ?? '') || (localize.has(kind) ? localize(kind) : withoutInvisible(asText(type)))}</span
          ></span
        >
        ${lazyIcon(open ? 'chevron-down' : 'chevron-right', 'small')}
      </button>
      ${open || this.#keepsState ? this.#opened() : nothing}`;
  }

  /** A running app keeps its state while it is collapsed. */
  get #keepsState(): boolean {
    return this.hear !== undefined && this.#frame !== undefined;
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('source')) this.#close();
    const frame = this.querySelector('.artifact-frame');
    if (!frame) this.#close();
    else if (!this.#frame) this.#open(frame);
  }

  #opened(): TemplateResult {
    const { localize } = this.settings;
    const tab = (view: View, label: string): TemplateResult =>
      html`<button
        type="button"
        class="button ghost"
        aria-pressed=${this.view === view ? 'true' : 'false'}
        @click=${() => {
          this.view = view;
        }}
      >
        ${label}
      </button>`;
    return html`<section
      class="card artifact"
      ?hidden=${this.view === 'closed'}
      part="artifact"
      role="group"
      aria-label=${shortText(this.artifact.title)}
    >
      <div class="bar">
        ${this.#hasPreview ? tab('preview', localize('artifact.open')) : nothing}${tab('source', localize('artifact.source'))}
        <span class="grow"></span>
        <agent-chat-copy
          .value=${this.source}
          .label=${localize('code.copy')}
          .done=${localize('code.copied')}
        ></agent-chat-copy>
        ${this.whole || this.hear ? nothing : this.#enlarge()}
        <button
          type="button"
          class="icon-button"
          aria-label=${localize('artifact.download')}
          title=${localize('artifact.download')}
          @click=${this.#save}
        >
          ${lazyIcon('download', 'small')}
        </button>
      </div>
      ${this.#showsPreview ? this.#preview() : this.#sourceView()}
    </section>`;
  }

  get #showsPreview(): boolean {
    return (this.view === 'preview' || (this.view === 'closed' && this.#keepsState)) && !this.#awaitsSource;
  }

  #enlarge(): TemplateResult {
    const label = this.settings.localize('artifact.enlarge');
    return html`<button
      type="button"
      class="icon-button"
      aria-label=${label}
      title=${label}
      @click=${() => {
        if (this.#showAtLarge('over')) this.view = 'closed';
      }}
    >
      ${lazyIcon('expand', 'small')}
    </button>`;
  }

  /** Requests the expanded view. Returns whether a listener handles it. */
  #showAtLarge(where: 'beside' | 'over'): boolean {
    return !this.dispatchEvent(new OpenArtifactEvent(this.artifact.identifier, where));
  }

  get #awaitsSource(): boolean {
    return this.growing && (isFramedKind(this.artifact.type) || this.#isDiagram);
  }

  get #hasPreview(): boolean {
    const { type } = this.artifact;
    return type === 'text/markdown' || ((isFramedKind(type) || this.#isDiagram) && this.settings.artifacts === 'frame');
  }

  get #isDiagram(): boolean {
    return this.artifact.type === 'application/vnd.ant.mermaid';
  }

  #preview(): TemplateResult {
    const { localize, math } = this.settings;
    if (this.artifact.type !== 'text/markdown') {
      return this.blocked
        ? html`<p class="muted">${localize(this.#isDiagram ? 'diagram.failed' : REASONS[this.blocked])}</p>
            ${this.#sourceView()}`
        : html`<div class="artifact-frame">${this.#isDiagram ? this.#diagram() : nothing}</div>`;
    }
    const view = { localize, math, image: (src: string, alt: string) => imageOf(src, alt, this.settings) };
    return html`<div class="prose">${markdown(this.source, view)}</div>`;
  }

  #diagram(): unknown {
    const load = diagramLoaderFor(MERMAID, this.settings.artifacts);
    // The same object across updates, because a new one would cause a re-render.
    this.#drawing ??= {
      source: this.source,
      localize: this.settings.localize,
      drawn: () => undefined,
      failed: () => {
        this.blocked = 'frame';
      },
    };
    return load ? lazy(load, this.#drawing) : nothing;
  }

  #sourceView(): TemplateResult {
    const { type, language } = this.artifact;
    const typeLanguage = Object.hasOwn(LANGUAGES, type) ? LANGUAGES[type] : '';
    return html`<agent-chat-code
      .code=${this.source}
      .language=${typeLanguage || languageName(language)}
      .localize=${this.settings.localize}
    ></agent-chat-code>`;
  }

  readonly #toggle = (): void => {
    if (this.view === 'closed' && !this.hear && this.#showAtLarge('beside')) return;
    this.view = this.view === 'closed' ? (this.#hasPreview ? 'preview' : 'source') : 'closed';
  };

  #open(container: Element): void {
    const { type, title } = this.artifact;
    if (!isFramedKind(type)) return;
    const label = this.settings.localize('artifact.frame', { title: withoutInvisible(title) });
    const { hear } = this;
    const reply = (message: object): void => {
      frame?.postMessage(message);
    };
    const frame = openSandboxedFrame(
      {
        kind: type,
        source: this.source,
        title: label,
        ...(hear && {
          hear: (message: unknown) => {
            hear(message, reply);
          },
        }),
      },
      (reason) => {
        this.#close();
        this.#showBlocked(reason);
      },
    );
    this.#frame = frame;
    if (this.#frame) container.append(this.#frame.element);
    else this.#showBlocked('frame');
  }

  #showBlocked(reason: ClosedFrame): void {
    this.blocked = reason;
    this.settings.report?.({ sink: 'frame', reason });
  }

  #close(): void {
    this.#frame?.close();
    this.#frame = undefined;
  }

  readonly #save = (): void => {
    const { title, type } = this.artifact;
    const name = withoutInvisible(title)
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '');
    downloadFile(this.source, `${name || 'artifact'}.${Object.hasOwn(EXTENSIONS, type) ? EXTENSIONS[type] : 'txt'}`);
  };
}
