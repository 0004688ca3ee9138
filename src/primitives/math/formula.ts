import { ReactiveElement } from 'lit';

/**
 * A TeX formula, rendered by a chunk that is loaded with the first one. If the chunk fails to load or the formula is
 * invalid, its source is shown as code. Copying gives the source.
 */
export class AgentChatMath extends ReactiveElement {
  static override properties = {
    formula: { attribute: false },
    source: { attribute: false },
    display: { type: Boolean, reflect: true },
  };
  declare formula: string;
  /** The formula with its delimiters, as in the text. */
  declare source: string;
  /** Whether it is on its own line. */
  declare display: boolean;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override updated(): void {
    void this.#show();
  }

  async #show(): Promise<void> {
    const { formula, source, display } = this;
    try {
      const { renderFormula, copiedText } = await import('./render-formula.ts');
      if (formula !== this.formula || display !== this.display) return;
      const rendered = renderFormula(formula, { display, contextNode: this });
      this.replaceChildren(rendered, sourceOf(copiedText(source, rendered)));
    } catch {
      if (source !== this.source) return;
      const code = document.createElement('code');
      code.textContent = source;
      this.replaceChildren(code);
    }
  }
}

/** Hidden from users and screen readers, but included when a selection is copied. */
function sourceOf(source: string): HTMLElement {
  const element = document.createElement('span');
  element.className = 'formula-source';
  element.ariaHidden = 'true';
  element.textContent = source;
  return element;
}
