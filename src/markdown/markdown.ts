import { noChange } from 'lit';
import { directive, Directive } from 'lit/directive.js';
import { createParser } from './parse.ts';
import { renderBlocks } from './render.ts';
import type { MarkdownView } from './view.ts';

/** Growing Markdown at one place of a template: the parser and its blocks live as long as the place. */
class Markdown extends Directive {
  readonly #parser = createParser();
  #shown: readonly [source: string, whole: boolean, view: MarkdownView] | undefined;

  /** `growing`: more may come, so the end is shown as it will probably be. */
  render(source: string, view: MarkdownView, { growing = false } = {}): unknown {
    const whole = !growing;
    if (this.#shown?.[0] === source && this.#shown[1] === whole && this.#shown[2] === view) return noChange;
    this.#shown = [source, whole, view];
    const { finished, open } = this.#parser.update(source, whole);
    return renderBlocks([...finished, ...open], view);
  }
}

/**
 * Markdown as templates.
 *
 * @example
 * html`<div class="prose">${markdown(text, view, { growing: true })}</div>`
 */
export const markdown = directive(Markdown);
