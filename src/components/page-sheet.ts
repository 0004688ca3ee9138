/**
 * A sheet of ours on the page, for the two things that can't be said from inside the widget: that the page behind a full window does
 * not scroll, and how much room a sidebar takes. Not the `style` of `<html>`: that belongs to the page, and a framework that
 * hydrates it finds what it has not written.
 */
export class PageSheet {
  readonly #sheet = new CSSStyleSheet();

  set(rules: string): void {
    this.#sheet.replaceSync(rules);
    const { adoptedStyleSheets: sheets } = document;
    if (!sheets.includes(this.#sheet)) sheets.push(this.#sheet);
  }

  remove(): void {
    const index = document.adoptedStyleSheets.indexOf(this.#sheet);
    if (index >= 0) document.adoptedStyleSheets.splice(index, 1);
  }
}
