import { ReactiveElement } from 'lit';

/**
 * A formula in the language of TeX, drawn by a part that comes with the first one. Where that can't be had, and where the formula
 * is none, its source stands there as code. What is copied is the source.
 */
export class AgentChatMath extends ReactiveElement {
  static override properties = {
    formula: { attribute: false },
    source: { attribute: false },
    display: { type: Boolean, reflect: true },
  };
  declare formula: string;
  /** The formula with its marks, as it stands in the text. */
  declare source: string;
  /** On a line of its own. */
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
      const { drawFormula } = await import('./draw-formula.ts');
      if (formula !== this.formula || display !== this.display) return;
      this.replaceChildren(drawFormula(formula, { display, near: this }), sourceOf(source));
    } catch {
      if (source !== this.source) return;
      const code = document.createElement('code');
      code.textContent = source;
      this.replaceChildren(code);
    }
  }
}

/** Seen and read out by nobody, and what a selection of the formula copies. */
function sourceOf(source: string): HTMLElement {
  const words = document.createElement('span');
  words.className = 'formula-source';
  words.ariaHidden = 'true';
  words.textContent = source;
  return words;
}
