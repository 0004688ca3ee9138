/** Renders inline tags as elements: links, images, line breaks and those of `elements`. The source is never inserted as HTML. */
import { enumerate } from '../../enumerate.ts';
import { decodeEntities } from '../../safety/entities.ts';
import { readHtmlPieces, type HtmlPiece, type Tag } from '../../safety/read-html.ts';
import { textsAround, type TextAround } from '../../safety/displayed-text.ts';
import { linkTextCheck } from '../../safety/load-link-text.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { displayedPiece, displayedTagText } from '../parse/token-text.ts';
import { linkNode } from './link.ts';
import { elementNode, listNode, type Attributes, type VNode } from './vnode.ts';
import type { MarkdownView } from './markdown-context.ts';

/**
 * The inline elements that Markdown renders, with a function that selects their attributes. Of every other inline element that
 * `safety/allowed-html.ts` allows, only the content is shown.
 */
const elements = new Map<string, (attributes: Attributes) => Attributes>([
  ...'b cite code del dfn em i ins kbd mark q rp rt ruby s samp small strong sub sup u var bdi'
    .split(' ')
    .map((name) => [name, () => ({})] as const),
  ['abbr', ({ title }) => ({ title: title === undefined ? undefined : safeTitle(title) })],
  ['bdo', ({ dir }) => ({ dir })],
  ['span', ({ lang, dir }) => ({ lang, dir })],
]);

/** An open tag with its content so far. The first entry has no tag and collects the complete content. */
interface OpenTag {
  readonly tag: Tag | undefined;
  readonly content: VNode[];
  /** The displayed text of the content. */
  text: string;
  /** The text before the tag. */
  readonly before: string;
}

export const decodeAttributes = (attributes: Tag['attributes']): Tag['attributes'] =>
  Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, decodeEntities(value)]));

/** Returns the title. Returns undefined if it names a host or an address, or if the check is not loaded. */
export function safeTitle(title: string): string | undefined {
  const check = linkTextCheck();
  return typeof check === 'object' ? check.titleWithoutTarget(withoutInvisible(title)) : undefined;
}

/** Maximum nesting of tags, because drawing is recursive. A deeper tag is dropped, its content is kept. */
const MAX_DEPTH = 32;

const isLink = (tag: Tag | undefined): boolean => tag?.name === 'a';

/** Collects inline content; an element is created at its end tag, or at the end of the content (paragraph, heading, cell). */
export class InlineBuilder {
  readonly #open: OpenTag[] = [{ tag: undefined, content: [], text: '', before: '' }];
  readonly #view: MarkdownView;
  /** The text before and after the current tag. Updated for each tag while a link is open, because the next end tag may close it. */
  #around: TextAround = ['', ''];

  constructor(view: MarkdownView) {
    this.#view = view;
  }

  /** Whether a tag is open. If it is a link, the text of its content is needed. */
  get hasOpenTag(): boolean {
    return this.#open.length > 1;
  }

  /** `text`: the displayed text of the content. */
  add(content: VNode, text = ''): void {
    const entry = this.#open.at(-1);
    if (!entry) return;
    const last = entry.content.length - 1;
    // One text node for neighbouring texts, such as escaped characters.
    if (typeof content === 'string' && typeof entry.content[last] === 'string') entry.content[last] += content;
    else entry.content.push(content);
    entry.text += text;
  }

  addHtml(raw: string, around?: TextAround): void {
    this.addPieces([...readHtmlPieces(raw)], around);
  }

  addPieces(pieces: readonly HtmlPiece[], around?: TextAround): void {
    const needsTexts =
      pieces.some((piece) => 'tag' in piece && isLink(piece.tag)) || this.#open.some(({ tag }) => isLink(tag));
    const texts = needsTexts ? textsAround(pieces.map(displayedPiece), around) : [];
    for (const [index, piece] of enumerate(pieces)) {
      this.#around = texts[index] ?? this.#around;
      if ('text' in piece) this.add(decodeEntities(piece.text), decodeEntities(piece.text));
      else if (piece.tag.closing) this.#close(piece.tag.name);
      else this.#addTag(piece.tag);
    }
  }

  end(): readonly VNode[] {
    this.#around = ['', this.#view.around?.[1] ?? ''];
    while (this.#open.length > 1) this.#closeLast();
    return this.#open[0]?.content ?? [];
  }

  #addTag({ attributes: written, ...rest }: Tag): void {
    const attributes = decodeAttributes(written);
    const tag = { ...rest, attributes };
    if (tag.name === 'br') this.add(elementNode('br', []), displayedTagText(tag));
    else if (tag.name === 'wbr') this.add(elementNode('wbr', []));
    else if (tag.name === 'img')
      this.add(this.#view.image(attributes['src'] ?? '', attributes['alt'] ?? ''), displayedTagText(tag));
    else if (!tag.empty && this.#open.length <= MAX_DEPTH)
      this.#open.push({ tag, content: [], text: displayedTagText(tag), before: this.#around[0] });
  }

  /** Closes the innermost open element of this name, and all elements inside it. Without one, nothing is closed. */
  #close(name: string): void {
    const index = this.#open.findLastIndex(({ tag }) => tag?.name === name);
    while (index > 0 && this.#open.length > index) this.#closeLast();
  }

  #closeLast(): void {
    const { tag, content = [], text = '', before = '' } = this.#open.pop() ?? {};
    if (!tag) return;
    const { name, attributes } = tag;
    const selectAttributes = elements.get(name);
    if (isLink(tag))
      this.add(linkNode(attributes['href'] ?? '', content, attributes['title'], text, [before, this.#around[1]]), text);
    else
      this.add(selectAttributes ? elementNode(name, content, selectAttributes(attributes)) : listNode(content), text);
  }
}
