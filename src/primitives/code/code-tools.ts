import { html, nothing, render, svg, type PropertyValues, type TemplateResult } from 'lit';
import { enCodeTools } from '../../locales/english/en-code-tools.ts';
import { addEnglish } from '../../locales/english/loaded-english.ts';
import type { Localize } from '../../locales/localize.ts';
import css from './code-tools.css?inline';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';
import { fileNameOf } from './file-name.ts';
import { isDiff, createGutterRows } from './line-gutter.ts';
import { showHiddenInCode } from './show-hidden.ts';
import { defineOnce } from '../define-once.ts';
import { icon } from '../icon.ts';
import { renderIcon } from '../content-icon.ts';
import { LightElement } from '../light-dom-element.ts';
import { downloadFile } from '../download-file.ts';

/** A diagram whose source is the code. */
export interface Diagram {
  readonly source: string;
  readonly localize: Localize;
  /** Called when the diagram is shown, so that its source can be hidden. */
  drawn(): void;
  /** Called when the diagram cannot be rendered. */
  failed(): void;
}
export type LoadDiagram = () => Promise<(drawing: Diagram) => unknown>;

/** Longer diffs (lines) are coloured only after the user has turned on line numbers. */
const TINTED_LINES = 2000;
/** After this many lines (`LINES` in `append-lines.ts`) the browser may skip layout, so that the width of all lines is unknown. */
const LAID_OUT_LINES = 64;

const WRAP = svg`<path d="M3.5 5h13M3.5 10h10.25a2.75 2.75 0 0 1 0 5.5H10.5M12.25 13.5l-2 2 2 2M3.5 15h3.25"/>`;
const NUMBERS = svg`<path d="M9 5h7.5M9 10h7.5M9 15h7.5M3.5 3.75l1.25-.5v4M3.5 12.9c.2-.5.65-.75 1.15-.75.65 0 1.1.4 1.1 1 0 1.1-2.25 1.7-2.25 3.1h2.35"/>`;
const DIAGRAM = svg`<rect x="2.75" y="3.25" width="6" height="4.5" rx="1.25"/><rect x="11.25" y="12.25" width="6" height="4.5" rx="1.25"/><path d="M5.75 7.75v4.5a2.25 2.25 0 0 0 2.25 2.25h3.25"/>`;

addEnglish(enCodeTools);
const sheetOfTools = createStylesheet(css);

const toolsOf = new WeakMap<Element, AgentChatCodeTools>();
/**
 * One observer for all blocks: it reports them together, before any of them changes the page. A block that measures
 * itself lays out the page again: 2,500 short blocks took 3.3 s.
 */
const sizeObserver = new ResizeObserver((entries) => {
  for (const { target } of entries) toolsOf.get(target)?.measure();
});

/** The tools of a complete code block besides copying; shown in the block's header. */
export class AgentChatCodeTools extends LightElement {
  static override properties = {
    code: { attribute: false },
    language: { attribute: false },
    filename: { attribute: false },
    complete: { attribute: false },
    localize: { attribute: false },
    loadDiagram: { attribute: false },
    wide: { state: true },
    wrapped: { state: true },
    numbered: { state: true },
    drawn: { state: true },
  };
  declare code: string;
  declare language: string;
  declare filename: string | undefined;
  declare complete: boolean;
  declare localize: Localize;
  declare loadDiagram: LoadDiagram | undefined;
  /** Some lines are longer than the block is wide. */
  declare protected wide: boolean;
  declare protected wrapped: boolean;
  declare protected numbered: boolean;
  /** Whether the diagram is shown instead of its source; `soon` while it is loading. */
  declare protected drawn: 'no' | 'soon' | 'yes' | 'failed';
  #rows: HTMLElement | undefined;
  /** Contains the diagram, its skeleton or its error. */
  #canvas: HTMLElement | undefined;
  #observed: HTMLElement | undefined;

  constructor() {
    super();
    this.code = '';
    this.language = '';
    this.complete = false;
    this.wide = false;
    this.wrapped = false;
    this.numbered = false;
    this.drawn = 'no';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observeSize();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopObserving();
  }

  protected override render(): unknown {
    const { localize } = this;
    if (!this.complete) return nothing;
    const isSource = this.drawn !== 'yes';
    const wrap = isSource && (this.wide || this.wrapped);
    const number = isSource && this.code.trimEnd().includes('\n');
    return html`${this.loadDiagram ? this.#drawButton() : nothing}
    ${wrap ? button(renderIcon(WRAP), localize('code.wrap'), this.#wrap, this.wrapped) : nothing}
    ${number ? button(renderIcon(NUMBERS), localize('code.numbers'), this.#number, this.numbered) : nothing}
    ${button(icon('download', 'small'), localize('code.download'), this.#save)}`;
  }

  protected override updated(changes: PropertyValues): void {
    const figure = this.closest('figure');
    figure?.classList.toggle('wrapped', this.wrapped);
    figure?.classList.toggle('numbered', this.numbered);
    if (changes.has('code') || changes.has('language') || changes.has('complete') || changes.has('numbered'))
      this.#drawRows();
    if (changes.has('code') || changes.has('complete') || changes.has('wrapped')) this.#observeSize();
    // The diagram no longer matches its source.
    if (changes.has('code') && this.drawn !== 'no') this.drawn = 'no';
    void this.#draw();
  }

  get #pre(): HTMLElement | null | undefined {
    return this.closest('figure')?.querySelector('pre');
  }

  readonly #wrap = (): void => {
    this.wrapped = !this.wrapped;
  };

  readonly #number = (): void => {
    this.numbered = !this.numbered;
  };

  readonly #save = (): void => {
    downloadFile(this.code, fileNameOf(this));
  };

  #drawButton(): TemplateResult {
    const isWanted = this.drawn === 'soon' || this.drawn === 'yes';
    return html`<button
      type="button"
      class="button ghost code-copy"
      part="toolbar-button"
      @click=${() => {
        this.drawn = isWanted ? 'no' : 'soon';
      }}
    >
      ${renderIcon(DIAGRAM)}${this.localize(isWanted ? 'diagram.source' : 'diagram.show')}
    </button>`;
  }

  /** An observed element is reported once after the next layout, and then whenever its size changes. */
  #observeSize(): void {
    this.#stopObserving();
    const pre = this.#pre;
    if (!pre || !this.isConnected) return;
    this.#observed = pre;
    toolsOf.set(pre, this);
    sizeObserver.observe(pre);
  }

  #stopObserving(): void {
    if (this.#observed) sizeObserver.unobserve(this.#observed);
    this.#observed = undefined;
  }

  /** Called after a layout. */
  measure(): void {
    const pre = this.#observed;
    if (!pre || this.wrapped || pre.hidden) return;
    this.wide = pre.scrollWidth > pre.clientWidth || this.code.split('\n', LAID_OUT_LINES + 1).length > LAID_OUT_LINES;
  }

  /** The rows are behind the code, whose nodes do not change, so that a selection stays. */
  #drawRows(): void {
    const pre = this.#pre;
    const tinted = isDiff(this.language) && this.code.split('\n', TINTED_LINES + 1).length <= TINTED_LINES;
    this.#rows?.remove();
    this.#rows = undefined;
    const hasRows = this.complete && (tinted || this.numbered);
    if (hasRows && pre) {
      this.#rows = createGutterRows(showHiddenInCode(this.code), isDiff(this.language));
      pre.prepend(this.#rows);
      pre.style.setProperty('--_digits', this.#rows.dataset['digits'] ?? '');
    }
    this.closest('figure')?.classList.toggle('ruled', hasRows);
  }

  /** The diagram is shown above its source. The source is hidden once the diagram is visible, and stays if rendering fails. */
  async #draw(): Promise<void> {
    const pre = this.#pre;
    if (pre) pre.hidden = this.drawn === 'yes';
    if (this.drawn === 'yes' || this.drawn === this.#canvas?.dataset['state']) return;
    this.#canvas?.remove();
    this.#canvas = undefined;
    if (!pre || !this.loadDiagram || this.drawn === 'no') return;
    const canvas = document.createElement('div');
    canvas.className = 'drawing';
    canvas.dataset['state'] = this.drawn;
    this.#canvas = canvas;
    pre.before(canvas);
    const { code: source, localize } = this;
    if (this.drawn === 'failed') {
      render(html`<p class="problem" role="alert">${localize('diagram.failed')}</p>`, canvas);
      return;
    }
    render(html`<div class="skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`, canvas);
    const setState = (state: 'yes' | 'failed') => (): void => {
      if (this.#canvas === canvas) this.drawn = state;
    };
    try {
      const view = await this.loadDiagram();
      render(view({ source, localize, drawn: setState('yes'), failed: setState('failed') }), canvas);
    } catch {
      setState('failed')();
    }
  }
}

const button = (shape: TemplateResult, label: string, press: () => unknown, pressed?: boolean): TemplateResult =>
  html`<button
    type="button"
    class="icon-button"
    part="toolbar-button"
    aria-label=${label}
    title=${label}
    aria-pressed=${pressed === undefined ? nothing : String(pressed)}
    @click=${press}
  >
    ${shape}
  </button>`;

/** Registers the element of the tools, and adds its styles to the root of a block. */
export function prepareCodeTools(block: Node): void {
  defineOnce('agent-chat-code-tools', AgentChatCodeTools);
  adoptStylesheet(block, sheetOfTools);
}
