import { noChange } from 'lit';
import { directive, Directive, type ChildPart } from 'lit/directive.js';
import type { AppendedText } from './appended-text.ts';
import { DrawnList } from './nodes.ts';
import { GrowingMarkdown, type MarkdownBlock } from './parse.ts';
import { renderBlocks } from './render.ts';
import type { MarkdownView } from './view.ts';

interface How {
  /** More may come, so the end is shown as it will probably be. */
  readonly growing?: boolean;
}
type Input = [source: string | AppendedText, view: MarkdownView, how?: How];

/** Growing Markdown at one place of a template: the parser and its blocks live as long as the place. */
class Markdown extends Directive {
  readonly #drawn = new DrawnList();
  #text = new GrowingMarkdown();
  #math = false;
  #source: string | AppendedText = '';
  /** How much of it has been read. */
  #length = 0;
  #whole = false;
  #shown: readonly [blocks: unknown, open: readonly MarkdownBlock[], count: number, view: MarkdownView] | undefined;

  render(_source: string | AppendedText, _view: MarkdownView, _how: How = {}): unknown {
    return noChange;
  }

  override update(place: ChildPart, [source, view, { growing = false } = {}]: Input): unknown {
    const { math = false } = view;
    if (math !== this.#math || !this.#goesOn(source) || (this.#whole && (growing || source.length > this.#length))) {
      this.#text = new GrowingMarkdown({ math });
      this.#math = math;
      this.#length = 0;
    }
    const more = typeof source === 'string' ? source.slice(this.#length) : source.from(this.#length);
    const { finished, open, again } = this.#text.grow(more, !growing);
    this.#source = source;
    this.#length = source.length;
    this.#whole = !growing;
    const shown = [finished, open, finished.length, view] as const;
    if (again.size === 0 && this.#shown?.every((value, index) => value === shown[index])) return noChange;
    this.#shown = shown;
    // (A part's `parentNode` is where it will be: the first time, its nodes are still in a fragment.)
    const parent = place.startNode?.parentNode ?? place.parentNode;
    this.#drawn.draw(renderBlocks({ finished, open, again }, view), parent, place.endNode);
    return noChange;
  }

  /** Of a string, a look at what is there already, at the speed of memory: nothing else here is done with all of it. */
  #goesOn(source: string | AppendedText): boolean {
    return typeof source === 'string' && typeof this.#source === 'string'
      ? source.startsWith(this.#source)
      : source === this.#source;
  }
}

/**
 * Markdown as templates.
 *
 * @example
 * html`<div class="prose">${markdown(text, view, { growing: true })}</div>`
 */
export const markdown = directive(Markdown);
