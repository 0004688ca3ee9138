import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { LoadDiagram } from './code-tools.ts';
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

/** A page that is never idle, such as one with an animation, gets the tools after this time. */
const MAX_IDLE_WAIT_MS = 2000;
/** A block must be visible for this time before it is highlighted: code that scrolls past while streaming needs no colours. */
const LINGER_MS = 250;

/** Longer code is not highlighted, because that would block the page. */
const HIGHLIGHT_LENGTH = 50_000;

/** With more blocks in the page, only those that were visible get a copy button. */
const MANY_BLOCKS = 200;
let connectedBlocks = 0;

/** The roots (document or shadow roots) that have the styles of the tools, or are loading them. */
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
    complete: { attribute: false },
    localize: { attribute: false },
    loadDiagram: { attribute: false },
    hasCopyButton: { state: true },
    hasTools: { state: true },
  };
  declare code: string;
  declare language: string;
  declare filename: string | undefined;
  /** Whether the code is complete. */
  declare complete: boolean;
  declare localize: Localize;
  /** Loads the renderer if the code is the source of a diagram. */
  declare loadDiagram: LoadDiagram | undefined;
  /**
   * With many blocks in the page, a block gets its copy button when it becomes visible: in an answer of thousands of short
   * blocks, most nodes would belong to buttons.
   */
  declare protected hasCopyButton: boolean;
  /** The tools are rendered when the block becomes visible: otherwise thousands of blocks would render them in one task. */
  declare protected hasTools: boolean;
  #removeHighlights: (() => void) | undefined;
  #isVisible = false;
  readonly #codeToCopy = (): string => this.code;
  #lingerTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.code = '';
    this.language = '';
    this.complete = true;
    this.hasCopyButton = false;
    this.hasTools = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    connectedBlocks++;
    this.hasCopyButton ||= connectedBlocks <= MANY_BLOCKS;
    observeVisibility(this, (isVisible) => {
      this.#isVisible = isVisible;
      this.hasCopyButton ||= isVisible;
      if (isVisible) this.#scheduleTools();
      else this.#clear();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    connectedBlocks--;
    unobserveVisibility(this);
    this.#isVisible = false;
    this.#clear();
  }

  protected override render(): TemplateResult {
    const { localize, language } = this;
    const name = Object.hasOwn(NAMES, language.toLowerCase()) ? NAMES[language.toLowerCase()] : language;
    return html`<figure class="code-block" part="code-block">
      <figcaption class="bar">
        ${caption(this.filename ?? (name || localize('code.plain')))} ${this.hasTools ? this.#renderTools() : nothing}
        ${
          this.hasCopyButton
            ? html`<agent-chat-copy
                .caption=${localize('code.copy')}
                .value=${this.#codeToCopy}
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
      .complete=${this.complete}
      .localize=${this.localize}
      .loadDiagram=${this.loadDiagram}
    ></agent-chat-code-tools>`;
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('code') || changes.has('language') || changes.has('complete')) this.#scheduleTools();
  }

  #clear(): void {
    clearTimeout(this.#lingerTimer);
    this.#removeHighlights?.();
    this.#removeHighlights = undefined;
  }

  #scheduleTools(): void {
    if (!this.complete) return;
    const root = this.getRootNode();
    if (!this.#isVisible && withTools.has(root)) return;
    withTools.add(root);
    // The first block loads the tools immediately, even off-screen: the browser matches new styles against all elements,
    // and a long answer has many. In a fast answer no block stays visible for long.
    const loading = import('./code-tools.ts').then(({ prepareCodeTools }) => {
      prepareCodeTools(this);
    });
    // If the chunks fail to load, the code is still readable and can be copied.
    loading.catch(() => undefined);
    if (!this.#isVisible) return;
    clearTimeout(this.#lingerTimer);
    this.#lingerTimer = setTimeout(() => {
      this.#addToolsWhenIdle(loading);
    }, LINGER_MS);
  }

  #addToolsWhenIdle(loading: Promise<void>): void {
    whenIdle(() => {
      loading.then(
        () => {
          this.hasTools = true;
        },
        () => undefined,
      );
      this.#highlight().catch(() => undefined);
    }, MAX_IDLE_WAIT_MS);
  }

  async #highlight(): Promise<void> {
    const texts = textsIn(this.querySelector('code'));
    if (!this.language || this.code.length > HIGHLIGHT_LENGTH || texts.length === 0 || !this.#isStillVisible()) return;
    const { highlightCode } = await import('./highlight.ts');
    const removeHighlights = await highlightCode(texts, this.language);
    this.#removeHighlights?.();
    this.#removeHighlights = removeHighlights;
    if (!this.#isStillVisible()) this.#clear();
  }

  /** A method, because TypeScript would assume that the field does not change during an `await`. */
  #isStillVisible(): boolean {
    return this.#isVisible;
  }
}

/** A long file name is cut off before its end, which decides how the downloaded file is opened. */
function caption(name: string): TemplateResult {
  const [, start = '', end = ''] = /^(.{16,}?)(.{0,9})$/su.exec(name) ?? [];
  return end
    ? html`<span class="clip">${start}</span><span>${end.replace(/\s/g, '\u00a0')}</span><span class="grow"></span>`
    : html`<span class="grow clip">${name}</span>`;
}

/** Returns the text nodes of the lines in order. */
function textsIn(code: Element | null): readonly Text[] {
  const nodes = [...(code?.childNodes ?? [])].map((node) => (node instanceof Element ? node.firstChild : node));
  return nodes.filter((node) => node instanceof Text);
}
