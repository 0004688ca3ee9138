/** Renders inline tags as elements: only those in the table, and none of the source becomes markup. */
import { enumerate } from '../../enumerate.ts';
import { decodeEntities } from '../../safety/entities.ts';
import { readHtmlPieces, type HtmlPiece, type Tag } from '../../safety/html-tags.ts';
import { textsAround, type TextAround } from '../../safety/displayed-text.ts';
import { linkTextCheck } from '../../safety/load-link-text.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { displayedPiece, displayedTagText } from '../parse/token-text.ts';
import { linkNode } from './link.ts';
import { elementNode, listNode, type Attributes, type VNode } from './vnode.ts';
import type { MarkdownView } from './markdown-context.ts';

/** The allowed elements with their allowed attributes. */
const elements = new Map<string, (attributes: Attributes) => Attributes>([
  ...'b cite code del dfn em i ins kbd mark q rp rt ruby s samp small strong sub sup u var bdi'
    .split(' ')
    .map((name) => [name, () => ({})] as const),
  ['abbr', ({ title }) => ({ title: title === undefined ? undefined : safeTitle(title) })],
  ['bdo', ({ dir }) => ({ dir })],
  ['span', ({ lang, dir }) => ({ lang, dir })],
]);

interface Frame {
  readonly tag: Tag | undefined;
  readonly content: VNode[];
  /** The displayed text of the content. */
  words: string;
  /** The text before the tag. */
  readonly before: string;
}

export const decodeAttributes = (attributes: Tag['attributes']): Tag['attributes'] =>
  Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, decodeEntities(value)]));

/** Returns a title unless it names a different link target, or could not be checked. */
export function safeTitle(title: string): string | undefined {
  const check = linkTextCheck();
  return typeof check === 'object' ? check.titleWithoutTarget(withoutInvisible(title)) : undefined;
}

/** Maximum nesting of tags. Deeper tags are dropped, because a text of nothing but tags would overflow the stack. */
const MAX_DEPTH = 32;

/** Collects inline content; an element is created at its end tag, or at the end of the line. */
export class InlineBuilder {
  readonly #frames: Frame[] = [{ tag: undefined, content: [], words: '', before: '' }];
  readonly #view: MarkdownView;
  /** The text before and after the tag that is added. */
  #around: TextAround = ['', ''];

  constructor(view: MarkdownView) {
    this.#view = view;
  }

  /** Whether an element is open that needs the text of its content. */
  get inTag(): boolean {
    return this.#frames.length > 1;
  }

  /** `words`: the displayed text of the content. */
  add(content: VNode, words = ''): void {
    const frame = this.#frames.at(-1);
    if (!frame) return;
    const last = frame.content.length - 1;
    // One text node for neighbouring texts, such as escaped characters.
    if (typeof content === 'string' && typeof frame.content[last] === 'string') frame.content[last] += content;
    else frame.content.push(content);
    frame.words += words;
  }

  addHtml(raw: string, around?: TextAround): void {
    this.addPieces([...readHtmlPieces(raw)], around);
  }

  addPieces(pieces: readonly HtmlPiece[], around?: TextAround): void {
    const hasLink = pieces.some((piece) => 'tag' in piece && piece.tag.name === 'a');
    const texts = hasLink ? textsAround(pieces.map(displayedPiece), around) : [];
    for (const [index, piece] of enumerate(pieces)) {
      this.#around = texts[index] ?? this.#around;
      if ('text' in piece) this.add(decodeEntities(piece.text), decodeEntities(piece.text));
      else if (piece.tag.closing) this.#close(piece.tag.name);
      else this.#open(piece.tag);
    }
  }

  end(): readonly VNode[] {
    while (this.#frames.length > 1) this.#closeLast();
    return this.#frames[0]?.content ?? [];
  }

  #open({ attributes: spelled, ...rest }: Tag): void {
    const attributes = decodeAttributes(spelled);
    const tag = { ...rest, attributes };
    if (tag.name === 'br') this.add(elementNode('br', []), displayedTagText(tag));
    else if (tag.name === 'wbr') this.add(elementNode('wbr', []));
    else if (tag.name === 'img')
      this.add(this.#view.image(attributes['src'] ?? '', attributes['alt'] ?? ''), displayedTagText(tag));
    else if (!tag.empty && this.#frames.length <= MAX_DEPTH)
      this.#frames.push({ tag, content: [], words: displayedTagText(tag), before: this.#around[0] });
  }

  /** An unmatched end tag is ignored; an end tag also closes elements that are open inside of its element. */
  #close(name: string): void {
    const index = this.#frames.findLastIndex(({ tag }) => tag?.name === name);
    while (index > 0 && this.#frames.length > index) this.#closeLast();
  }

  #closeLast(): void {
    const { tag, content = [], words = '', before = '' } = this.#frames.pop() ?? {};
    if (!tag) return;
    const { name, attributes } = tag;
    const allowed = elements.get(name);
    if (name === 'a')
      this.add(
        linkNode(attributes['href'] ?? '', content, attributes['title'], words, [before, this.#around[1]]),
        words,
      );
    else this.add(allowed ? elementNode(name, content, allowed(attributes)) : listNode(content), words);
  }
}
