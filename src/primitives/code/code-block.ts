import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { LoadDiagram } from './code-toolbar.ts';
import { appendLines } from './append-lines.ts';
import { whenIdle } from '../when-idle.ts';
import { LightElement } from '../light-dom-element.ts';
import { unobserveVisibility, observeVisibility } from '../visibility-observer.ts';

/** Language ids of fences and their display names. */
const NAMES: Readonly<Record<string, string>> = {
  bash: 'Bash',
  c: 'C',
  cpp: 'C++',
  csharp: 'C#',
  cs: 'C#',
  css: 'CSS',
  diff: 'Diff',
  go: 'Go',
  graphql: 'GraphQL',
  html: 'HTML',
  java: 'Java',
  javascript: 'JavaScript',
  js: 'JavaScript',
  json: 'JSON',
  jsx: 'JSX',
  kotlin: 'Kotlin',
  markdown: 'Markdown',
  md: 'Markdown',
  mermaid: 'Mermaid',
  php: 'PHP',
  py: 'Python',
  python: 'Python',
  ruby: 'Ruby',
  rust: 'Rust',
  sh: 'Shell',
  shell: 'Shell',
  sql: 'SQL',
  swift: 'Swift',
  ts: 'TypeScript',
  tsx: 'TSX',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
};

/** Time that a block must be visible before it is highlighted: code that scrolls past while streaming needs no colours. */
const LINGER_MS = 250;

/** Longer code is not highlighted, because that would block the page. */
const HIGHLIGHT_LENGTH = 50_000;

/** With more blocks in the page, only those that were visible get a copy button. */
const MANY = 200;
let connected = 0;

/** The roots that have the styles of the tools, or will. */
const withTools = new WeakSet<Node>();

/**
 * A code block with its language and a copy button. Tools and highlighting are added when it is complete, visible, and
 * the page is idle. Highlighting is removed off-screen: the browser checks all highlights with every frame.
 */
export class AgentChatCode extends LightElement {
  static override properties = {
    code: { attribute: false },
    language: { attribute: false },
    filename: { attribute: false },
    whole: { attribute: false },
    localize: { attribute: false },
    drawing: { attribute: false },
    hasCopyButton: { state: true },
    hasTools: { state: true },
  };
  declare code: string;
  declare language: string;
  declare filename: string | undefined;
  /** Whether the code is complete. */
  declare whole: boolean;
  declare localize: Localize;
  /** Loads the renderer if the code is the source of a diagram. */
  declare drawing: LoadDiagram | undefined;
  /** Among many blocks, rendered once it was visible: an answer of thousands of short blocks is mostly buttons. */
  declare protected hasCopyButton: boolean;
  /** Its tools are rendered once it was visible: thousands of blocks would get them in one task when they have loaded. */
  declare protected hasTools: boolean;
  #uncolour: (() => void) | undefined;
  #isVisible = false;
  /** Called when the code is copied. */
  readonly #text = (): string => this.code;
  #lingers: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.code = '';
    this.language = '';
    this.whole = true;
    this.hasCopyButton = false;
    this.hasTools = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    connected++;
    this.hasCopyButton ||= connected <= MANY;
    observeVisibility(this, (inSight) => {
      this.#isVisible = inSight;
      this.hasCopyButton ||= inSight;
      if (inSight) this.#scheduleTools();
      else this.#clear();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    connected--;
    unobserveVisibility(this);
    this.#isVisible = false;
    this.#clear();
  }

  protected override render(): TemplateResult {
    const { localize, language } = this;
    const name = Object.hasOwn(NAMES, language.toLowerCase()) ? NAMES[language.toLowerCase()] : language;
    return html`<figure class="code-block" part="code-block">
      <figcaption class="bar">
        <span class="grow clip">${this.filename ?? (name || localize('code.plain'))}</span>
        ${this.hasTools ? this.#renderTools() : nothing}
        ${
          this.hasCopyButton
            ? html`<agent-chat-copy
                .words=${localize('code.copy')}
                .value=${this.#text}
                .label=${localize('code.copy')}
                .done=${localize('code.copied')}
              ></agent-chat-copy>`
            : nothing
        }
      </figcaption>
      <pre tabindex="0" translate="no"><code>${appendLines(this.code)}</code></pre>
    </figure>`;
  }

  #renderTools(): TemplateResult {
    return html`<agent-chat-code-tools
      .code=${this.code}
      .language=${this.language}
      .filename=${this.filename}
      .whole=${this.whole}
      .localize=${this.localize}
      .drawing=${this.drawing}
    ></agent-chat-code-tools>`;
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('code') || changes.has('language') || changes.has('whole')) this.#scheduleTools();
  }

  #clear(): void {
    clearTimeout(this.#lingers);
    this.#uncolour?.();
    this.#uncolour = undefined;
  }

  #scheduleTools(): void {
    if (!this.whole) return;
    const root = this.getRootNode();
    if (!this.#isVisible && withTools.has(root)) return;
    withTools.add(root);
    // For the first block at once, seen or not: the browser matches new styles against all elements, which become many
    // in a long answer, and in a fast one no block is visible for long.
    const loading = import('./code-toolbar.ts').then(({ prepareCodeTools }) => {
      prepareCodeTools(this);
    });
    // If the chunks fail to load, the code is still readable and can be copied.
    loading.catch(() => undefined);
    if (!this.#isVisible) return;
    clearTimeout(this.#lingers);
    this.#lingers = setTimeout(() => {
      this.#dressWhenIdle(loading);
    }, LINGER_MS);
  }

  #dressWhenIdle(loading: Promise<void>): void {
    whenIdle(() => {
      loading.then(
        () => {
          this.hasTools = true;
        },
        () => undefined,
      );
      this.#colour().catch(() => undefined);
    });
  }

  async #colour(): Promise<void> {
    const texts = textsIn(this.querySelector('code'));
    if (!this.language || this.code.length > HIGHLIGHT_LENGTH || texts.length === 0 || !this.#isSeen()) return;
    const { highlightCode } = await import('./highlight.ts');
    const uncolour = await highlightCode(texts, this.language);
    this.#uncolour?.();
    this.#uncolour = uncolour;
    if (!this.#isSeen()) this.#clear();
  }

  #isSeen(): boolean {
    return this.#isVisible;
  }
}

/** Returns the text nodes of the lines in order. */
function textsIn(code: Element | null): readonly Text[] {
  const nodes = [...(code?.childNodes ?? [])].map((node) => (node instanceof Element ? node.firstChild : node));
  return nodes.filter((node) => node instanceof Text);
}
