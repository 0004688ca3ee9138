/**
 * A stylesheet on the document, for two rules that a shadow root can't set: the scroll lock behind a full-window panel, and the sidebar
 * width variable. It does not use the `style` attribute of `<html>`, because a change there causes hydration mismatches.
 */
export class DocumentStylesheet {
  readonly #stylesheet = new CSSStyleSheet();

  set(rules: string): void {
    this.#stylesheet.replaceSync(rules);
    const { adoptedStyleSheets: sheets } = document;
    if (!sheets.includes(this.#stylesheet)) sheets.push(this.#stylesheet);
  }

  remove(): void {
    const index = document.adoptedStyleSheets.indexOf(this.#stylesheet);
    if (index >= 0) document.adoptedStyleSheets.splice(index, 1);
  }
}
