/** Tags inside a line, as templates: each allowed element has one, so that no string ever becomes markup. */
import { html, nothing, type TemplateResult } from 'lit';
import { readHtml, type Tag } from '../safety/html-tags.ts';
import { link } from './link.ts';
import type { MarkdownView } from './view.ts';

type Content = readonly unknown[];
type Attributes = Tag['attributes'];

const elements = new Map<string, (content: Content, attributes: Attributes) => TemplateResult>([
  ['abbr', (content, { title }) => html`<abbr title=${title ?? nothing}>${content}</abbr>`],
  ['b', (content) => html`<b>${content}</b>`],
  ['bdi', (content) => html`<bdi>${content}</bdi>`],
  ['bdo', (content, { dir }) => html`<bdo dir=${dir ?? nothing}>${content}</bdo>`],
  ['cite', (content) => html`<cite>${content}</cite>`],
  ['code', (content) => html`<code>${content}</code>`],
  ['del', (content) => html`<del>${content}</del>`],
  ['dfn', (content) => html`<dfn>${content}</dfn>`],
  ['em', (content) => html`<em>${content}</em>`],
  ['i', (content) => html`<i>${content}</i>`],
  ['ins', (content) => html`<ins>${content}</ins>`],
  ['kbd', (content) => html`<kbd>${content}</kbd>`],
  ['mark', (content) => html`<mark>${content}</mark>`],
  ['q', (content) => html`<q>${content}</q>`],
  ['rp', (content) => html`<rp>${content}</rp>`],
  ['rt', (content) => html`<rt>${content}</rt>`],
  ['ruby', (content) => html`<ruby>${content}</ruby>`],
  ['s', (content) => html`<s>${content}</s>`],
  ['samp', (content) => html`<samp>${content}</samp>`],
  ['small', (content) => html`<small>${content}</small>`],
  ['span', (content, { lang, dir }) => html`<span lang=${lang ?? nothing} dir=${dir ?? nothing}>${content}</span>`],
  ['strong', (content) => html`<strong>${content}</strong>`],
  ['sub', (content) => html`<sub>${content}</sub>`],
  ['sup', (content) => html`<sup>${content}</sup>`],
  ['u', (content) => html`<u>${content}</u>`],
  ['var', (content) => html`<var>${content}</var>`],
]);

interface Frame {
  readonly tag: Tag | undefined;
  readonly content: unknown[];
}

/** Collects what stands in a line; an element is made when its end comes, or at the end of the line. */
export class InlineBuilder {
  readonly #frames: Frame[] = [{ tag: undefined, content: [] }];
  readonly #view: MarkdownView;

  constructor(view: MarkdownView) {
    this.#view = view;
  }

  add(content: unknown): void {
    this.#frames.at(-1)?.content.push(content);
  }

  addHtml(raw: string): void {
    for (const piece of readHtml(raw)) {
      if ('text' in piece) this.add(piece.text);
      else if (piece.tag.closing) this.#close(piece.tag.name);
      else this.#open(piece.tag);
    }
  }

  end(): Content {
    while (this.#frames.length > 1) this.#closeLast();
    return this.#frames[0]?.content ?? [];
  }

  #open(tag: Tag): void {
    if (tag.name === 'br') this.add(html`<br />`);
    else if (tag.name === 'wbr') this.add(html`<wbr />`);
    else if (tag.name === 'img') this.add(this.#view.image(tag.attributes['src'] ?? '', tag.attributes['alt'] ?? ''));
    else if (!tag.empty) this.#frames.push({ tag, content: [] });
  }

  /** An end without its beginning is nothing; one over others that are still open ends them too. */
  #close(name: string): void {
    const index = this.#frames.findLastIndex(({ tag }) => tag?.name === name);
    while (index > 0 && this.#frames.length > index) this.#closeLast();
  }

  #closeLast(): void {
    const { tag, content = [] } = this.#frames.pop() ?? {};
    if (!tag) return;
    const { name, attributes } = tag;
    if (name === 'a') this.add(link(attributes['href'] ?? '', content, attributes['title']));
    else this.add(elements.get(name)?.(content, attributes) ?? content);
  }
}
