import { html, type PropertyValues, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { growingText } from './growing-text.ts';
import { LightElement } from './light-element.ts';

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

/** Longer code keeps its plain look: colours are not worth holding the page up. */
const HIGHLIGHT_LENGTH = 200_000;

/** A block of code with its language and a button to copy it. Colours come when it is whole and the page has time. */
export class AgentChatCode extends LightElement {
  static override properties = {
    code: { attribute: false },
    language: { attribute: false },
    filename: { attribute: false },
    whole: { attribute: false },
    localize: { attribute: false },
  };
  declare code: string;
  declare language: string;
  declare filename: string | undefined;
  /** It no longer grows. */
  declare whole: boolean;
  declare localize: Localize;
  #uncolour: (() => void) | undefined;

  constructor() {
    super();
    this.code = '';
    this.language = '';
    this.whole = true;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Moved in the page: its colours went when it left.
    if (this.hasUpdated) this.#colourWhenIdle();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#clear();
  }

  protected override render(): TemplateResult {
    const { localize, language } = this;
    const name = Object.hasOwn(NAMES, language.toLowerCase()) ? NAMES[language.toLowerCase()] : language;
    return html`<figure class="code-block" part="code-block">
      <figcaption class="bar">
        <span class="grow clip">${this.filename ?? (name || localize('code.plain'))}</span>
        <agent-chat-copy
          worded
          .value=${() => this.code}
          .label=${localize('code.copy')}
          .done=${localize('code.copied')}
        ></agent-chat-copy>
      </figcaption>
      <pre tabindex="0"><code>${growingText(this.code)}</code></pre>
    </figure>`;
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('code') || changes.has('language') || changes.has('whole')) this.#colourWhenIdle();
  }

  #clear(): void {
    this.#uncolour?.();
    this.#uncolour = undefined;
  }

  #colourWhenIdle(): void {
    if (!this.whole || !this.language || this.code.length > HIGHLIGHT_LENGTH) return;
    // Safari has no idle callback yet; a timer behind the work of this turn does as well.
    const work = (): void => void this.#colour();
    if ('requestIdleCallback' in globalThis) requestIdleCallback(work);
    else setTimeout(work, 50);
  }

  async #colour(): Promise<void> {
    const text = this.querySelector('code')?.firstChild?.nextSibling;
    if (!(text instanceof Text) || !this.isConnected) return;
    try {
      const { colourCode } = await import('./colour-code.ts');
      const uncolour = await colourCode(text, this.language);
      this.#uncolour?.();
      this.#uncolour = uncolour;
      if (!text.isConnected) this.#clear();
    } catch {
      // Without its chunk the code stays as it is: readable.
    }
  }
}
