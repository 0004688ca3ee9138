/** Tags inside a line, as templates: each allowed element has one, so that no string ever becomes markup. */
import { html, nothing, type TemplateResult } from 'lit';
import { decodeEntities } from '../safety/entities.ts';
import { readHtml, type Tag } from '../safety/html-tags.ts';
import { withoutBidi } from '../safety/urls.ts';
import { link } from './link.ts';
import type { MarkdownView } from './view.ts';

type Content = readonly unknown[];
type Attributes = Tag['attributes'];

const elements = new Map<string, (content: Content, attributes: Attributes) => TemplateResult>([
  [
    'abbr',
    (content, { title }) => html`<abbr title=${title === undefined ? nothing : withoutBidi(title)}>${content}</abbr>`,
  ],
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
  /** The content as a reader sees it. */
  words: string;
}

/** Tags in one another. Those that lie deeper are left out, or a text of nothing but tags would exhaust the stack. */
const MAX_DEPTH = 32;

/** Collects what stands in a line; an element is made when its end comes, or at the end of the line. */
export class InlineBuilder {
  readonly #frames: Frame[] = [{ tag: undefined, content: [], words: '' }];
  readonly #view: MarkdownView;

  constructor(view: MarkdownView) {
    this.#view = view;
  }

  /** `words`: what a reader reads of it. */
  add(content: unknown, words = ''): void {
    const frame = this.#frames.at(-1);
    frame?.content.push(content);
    if (frame) frame.words += words;
  }

  addHtml(raw: string): void {
    for (const piece of readHtml(raw)) {
      if ('text' in piece) this.add(decodeEntities(piece.text), decodeEntities(piece.text));
      else if (piece.tag.closing) this.#close(piece.tag.name);
      else this.#open(piece.tag);
    }
  }

  end(): Content {
    while (this.#frames.length > 1) this.#closeLast();
    return this.#frames[0]?.content ?? [];
  }

  #open({ attributes: spelled, ...rest }: Tag): void {
    const attributes = Object.fromEntries(Object.entries(spelled).map(([key, value]) => [key, decodeEntities(value)]));
    const tag = { ...rest, attributes };
    if (tag.name === 'br') this.add(html`<br />`);
    else if (tag.name === 'wbr') this.add(html`<wbr />`);
    else if (tag.name === 'img') this.add(this.#view.image(attributes['src'] ?? '', attributes['alt'] ?? ''));
    else if (!tag.empty && this.#frames.length <= MAX_DEPTH) this.#frames.push({ tag, content: [], words: '' });
  }

  /** An end without its beginning is nothing; one over others that are still open ends them too. */
  #close(name: string): void {
    const index = this.#frames.findLastIndex(({ tag }) => tag?.name === name);
    while (index > 0 && this.#frames.length > index) this.#closeLast();
  }

  #closeLast(): void {
    const { tag, content = [], words } = this.#frames.pop() ?? {};
    if (!tag) return;
    const { name, attributes } = tag;
    if (name === 'a') this.add(link(attributes['href'] ?? '', content, attributes['title'], words), words);
    else this.add(elements.get(name)?.(content, attributes) ?? content, words);
  }
}
