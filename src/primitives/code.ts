import { html, type PropertyValues, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { LoadDrawing } from './code-tools.ts';
import { growingLines } from './growing-lines.ts';
import { LightElement } from './light-element.ts';
import { unwatchSight, watchSight } from './sight.ts';

/** What a fence calls a language, and what people call it. */
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

/** How long a block has to stay in sight before it is coloured: what rushes by while an answer streams in needs no colours. */
const LINGER_MS = 250;

/** Longer code keeps its plain look: colours are not worth holding the page up. */
const HIGHLIGHT_LENGTH = 50_000;

/**
 * A block of code with its language and a button to copy it. Further tools and colours come when it is whole, in sight, and the page
 * has time. Colours go when it is out of sight: the browser looks at all that are there with every frame.
 */
export class AgentChatCode extends LightElement {
  static override properties = {
    code: { attribute: false },
    language: { attribute: false },
    filename: { attribute: false },
    whole: { attribute: false },
    localize: { attribute: false },
    drawing: { attribute: false },
  };
  declare code: string;
  declare language: string;
  declare filename: string | undefined;
  /** It no longer grows. */
  declare whole: boolean;
  declare localize: Localize;
  /** Fetches what draws the code, where it is the source of a drawing. */
  declare drawing: LoadDrawing | undefined;
  #uncolour: (() => void) | undefined;
  #inSight = false;
  /** Asked for when it is copied. */
  readonly #text = (): string => this.code;
  #lingers: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.code = '';
    this.language = '';
    this.whole = true;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    watchSight(this, (inSight) => {
      this.#inSight = inSight;
      if (inSight) this.#dressSoon();
      else this.#clear();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    unwatchSight(this);
    this.#inSight = false;
    this.#clear();
  }

  protected override render(): TemplateResult {
    const { localize, language } = this;
    const name = Object.hasOwn(NAMES, language.toLowerCase()) ? NAMES[language.toLowerCase()] : language;
    return html`<figure class="code-block" part="code-block">
      <figcaption class="bar">
        <span class="grow clip">${this.filename ?? (name || localize('code.plain'))}</span>
        <agent-chat-code-tools
          .code=${this.code}
          .language=${language}
          .filename=${this.filename}
          .whole=${this.whole}
          .localize=${localize}
          .drawing=${this.drawing}
        ></agent-chat-code-tools>
        <agent-chat-copy
          .words=${localize('code.copy')}
          .value=${this.#text}
          .label=${localize('code.copy')}
          .done=${localize('code.copied')}
        ></agent-chat-copy>
      </figcaption>
      <pre tabindex="0"><code>${growingLines(this.code)}</code></pre>
    </figure>`;
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('code') || changes.has('language') || changes.has('whole')) this.#dressSoon();
  }

  #clear(): void {
    clearTimeout(this.#lingers);
    this.#uncolour?.();
    this.#uncolour = undefined;
  }

  #dressSoon(): void {
    if (!this.#inSight || !this.whole) return;
    clearTimeout(this.#lingers);
    this.#lingers = setTimeout(() => {
      this.#dressWhenIdle();
    }, LINGER_MS);
  }

  #dressWhenIdle(): void {
    const work = (): void => {
      // Without their chunks the code stays as it is: readable, and to be copied.
      import('./code-tools.ts').catch(() => undefined);
      this.#colour().catch(() => undefined);
    };
    // Safari has no idle callback yet; a timer behind the work of this turn does as well.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(work);
    else setTimeout(work, 50);
  }

  async #colour(): Promise<void> {
    const texts = textsIn(this.querySelector('code'));
    if (!this.language || this.code.length > HIGHLIGHT_LENGTH || texts.length === 0 || !this.#isSeen()) return;
    const { colourCode } = await import('./colour-code.ts');
    const uncolour = await colourCode(texts, this.language);
    this.#uncolour?.();
    this.#uncolour = uncolour;
    if (!this.#isSeen()) this.#clear();
  }

  #isSeen(): boolean {
    return this.#inSight;
  }
}

/** The text nodes of the lines, in their order. */
function textsIn(code: Element | null): readonly Text[] {
  const nodes = Array.from(code?.childNodes ?? [], (node) => (node instanceof Element ? node.firstChild : node));
  return nodes.filter((node) => node instanceof Text);
}
