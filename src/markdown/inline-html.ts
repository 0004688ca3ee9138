/** Tags inside a line, as elements: those in the table and no others, and none of it becomes markup. */
import { decodeEntities } from '../safety/entities.ts';
import { readHtml, type Tag } from '../safety/html-tags.ts';
import { withoutBidi } from '../safety/urls.ts';
import { shownLink } from './link.ts';
import { box, several, type Attributes, type Shown } from './shown.ts';
import type { MarkdownView } from './view.ts';

/** The elements, with the attributes that each may have. */
const elements = new Map<string, (attributes: Attributes) => Attributes>([
  ...'b cite code del dfn em i ins kbd mark q rp rt ruby s samp small strong sub sup u var bdi'
    .split(' ')
    .map((name) => [name, () => ({})] as const),
  ['abbr', ({ title }) => ({ title: title === undefined ? undefined : withoutBidi(title) })],
  ['bdo', ({ dir }) => ({ dir })],
  ['span', ({ lang, dir }) => ({ lang, dir })],
]);

interface Frame {
  readonly tag: Tag | undefined;
  readonly content: Shown[];
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

  /** Whether a tag is open, whose words count. */
  get inTag(): boolean {
    return this.#frames.length > 1;
  }

  /** `words`: what a reader reads of it. */
  add(content: Shown, words = ''): void {
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

  end(): readonly Shown[] {
    while (this.#frames.length > 1) this.#closeLast();
    return this.#frames[0]?.content ?? [];
  }

  #open({ attributes: spelled, ...rest }: Tag): void {
    const attributes = Object.fromEntries(Object.entries(spelled).map(([key, value]) => [key, decodeEntities(value)]));
    const tag = { ...rest, attributes };
    if (tag.name === 'br') this.add(box('br', []));
    else if (tag.name === 'wbr') this.add(box('wbr', []));
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
    const allowed = elements.get(name);
    if (name === 'a') this.add(shownLink(attributes['href'] ?? '', content, attributes['title'], words), words);
    else this.add(allowed ? box(name, content, allowed(attributes)) : several(content), words);
  }
}
