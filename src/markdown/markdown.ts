import { noChange } from 'lit';
import { directive, Directive } from 'lit/directive.js';
import { GrowingMarkdown, type MarkdownBlock } from './parse.ts';
import { renderBlocks } from './render.ts';
import type { MarkdownView } from './view.ts';

/** Growing Markdown at one place of a template: the parser and its blocks live as long as the place. */
class Markdown extends Directive {
  #text = new GrowingMarkdown();
  #source = '';
  #whole = false;
  #shown: readonly [blocks: unknown, open: readonly MarkdownBlock[], count: number, view: MarkdownView] | undefined;

  /** `growing`: more may come, so the end is shown as it will probably be. */
  render(source: string, view: MarkdownView, { growing = false } = {}): unknown {
    // A look at what is there already, at the speed of memory: nothing else here is done with all of it.
    const goesOn = source.startsWith(this.#source);
    if (!goesOn || (this.#whole && (growing || source.length > this.#source.length))) {
      this.#text = new GrowingMarkdown();
      this.#source = '';
    }
    const { finished, open, again } = this.#text.grow(source.slice(this.#source.length), !growing);
    this.#source = source;
    this.#whole = !growing;
    const shown = [finished, open, finished.length, view] as const;
    if (again.size === 0 && this.#shown?.every((value, index) => value === shown[index])) return noChange;
    this.#shown = shown;
    return renderBlocks({ finished, open, again }, view);
  }
}

/**
 * Markdown as templates.
 *
 * @example
 * html`<div class="prose">${markdown(text, view, { growing: true })}</div>`
 */
export const markdown = directive(Markdown);
