/**
 * HTML around Markdown, as GitHub and models write it. An element that an HTML block leaves open contains the following
 * blocks, up to its end tag. `<details>` is a container from its first character on, so that what the user has opened
 * stays open.
 */
import type { Token, Tokens } from 'marked';
import { enumerate } from '../../enumerate.ts';
import { readHtmlPieces, type HtmlPiece, type Tag } from '../../safety/read-html.ts';
import { stripCitationPlaceholders } from './citation-placeholders.ts';
import { renderedHtmlEnd } from './html-limit.ts';
import type { MarkdownBlock, ParsedMarkdown } from './incremental-parser.ts';

/** An element around blocks. */
export interface ContainerToken extends Tokens.Generic {
  readonly type: 'container';
  readonly tag: Tag;
  /** The children that can no longer change. The list only grows and stays the same array. */
  readonly children: readonly MarkdownBlock[];
  /** The children after those. */
  readonly tail: readonly MarkdownBlock[];
  /** Indexes of children that were parsed again. */
  readonly reparsed: ReadonlySet<number>;
}

/** Inline content between block tags. */
export interface InlineHtmlToken extends Tokens.Generic {
  readonly type: 'phrase';
  readonly pieces: readonly HtmlPiece[];
}

const setOf = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const BLOCKS = setOf(
  'blockquote caption dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 li ol p pre summary table tbody td tfoot th thead tr ul',
);
/** Elements that are valid only in their parent. */
const CHILD_ONLY = setOf('caption dd dt figcaption li summary tbody td tfoot th thead tr');
/** The open elements that a start tag implicitly closes. */
const ENDED_BY: Readonly<Record<string, ReadonlySet<string>>> = {
  li: setOf('li'),
  dt: setOf('dt dd'),
  dd: setOf('dt dd'),
  td: setOf('td th'),
  th: setOf('td th'),
  tr: setOf('td th tr'),
  tbody: setOf('td th tr thead tbody tfoot'),
  tfoot: setOf('td th tr thead tbody tfoot'),
};
/** Maximum nesting of elements: in a text, and in each quote or list item. */
const MAX_DEPTH = 16;
const MAX_INNER_DEPTH = 4;

/** An open element. */
interface Frame {
  readonly tag: Tag;
  readonly children: MarkdownBlock[];
  readonly tail: MarkdownBlock[];
  readonly reparsed: Set<number>;
  /** Its position, once it is closed. */
  position?: BlockPosition;
}
/** The position of a block that can no longer change. Without a frame it is at the top level. */
interface BlockPosition {
  readonly frame: Frame | undefined;
  readonly index: number;
}

/** Finds the tags that an HTML block opens without closing them, and those that it closes without opening them. */
function balanceOf(html: string): { readonly first: string; readonly opens: number; readonly closes: number } {
  const open: string[] = [];
  let first = '';
  let closes = 0;
  for (const piece of readHtmlPieces(html)) {
    if ('text' in piece || !BLOCKS.has(piece.tag.name)) continue;
    const { name, closing } = piece.tag;
    first ||= name;
    if (!closing) open.push(name);
    else {
      const index = open.lastIndexOf(name);
      if (index >= 0) open.length = index;
      else closes++;
    }
  }
  return { first, opens: open.filter((name) => name !== 'p').length, closes };
}

/** The stack of open elements at a position of the text. `settled`: added blocks are final. */
class ElementStack {
  readonly #root: MarkdownBlock[];
  readonly #open: Frame[];
  readonly #settled: boolean;
  readonly #maxDepth: number;

  constructor(root: MarkdownBlock[], open: Frame[], { settled = false, depth = MAX_DEPTH } = {}) {
    this.#root = root;
    this.#open = open;
    this.#settled = settled;
    this.#maxDepth = depth;
  }

  /** `more`: another block follows. @returns the position of a block that is not split */
  add(block: MarkdownBlock, more: boolean): BlockPosition | undefined {
    const { token } = block;
    if (token.type !== 'html' || !this.#isContainer(token.raw, more)) return this.#put(block);
    let phrase: HtmlPiece[] = [];
    const flush = (): void => {
      const isBlank = phrase.every((piece) => 'text' in piece && piece.text.trim() === '');
      if (!isBlank) this.#put(finished({ type: 'phrase', raw: '', pieces: phrase } satisfies InlineHtmlToken));
      phrase = [];
    };
    for (const piece of readHtmlPieces(stripCitationPlaceholders(token.raw))) {
      const tag = 'tag' in piece && (BLOCKS.has(piece.tag.name) || piece.tag.name === 'hr') ? piece.tag : undefined;
      if (!tag) {
        phrase.push(piece);
        continue;
      }
      flush();
      if (tag.name === 'hr') this.#put(finished({ type: 'hr', raw: '' }));
      else if (tag.closing) this.#closeTo(this.#open.findLastIndex((frame) => frame.tag.name === tag.name));
      else this.#begin(tag);
    }
    flush();
    // As in HTML, the next paragraph closes the previous one.
    if (more) this.#endWhere((name) => name === 'p');
    return undefined;
  }

  /** Closes all open elements. */
  end(): void {
    this.#closeTo(0);
  }

  #isContainer(html: string, more: boolean): boolean {
    if (renderedHtmlEnd(html) < html.length) return false;
    if (/<(?:details|summary)\b/i.test(html)) return true;
    const { first, opens, closes } = balanceOf(html);
    return (opens > 0 && more) || (this.#open.length > 0 && (closes > 0 || CHILD_ONLY.has(first)));
  }

  #begin(tag: Tag): void {
    const ended = Object.hasOwn(ENDED_BY, tag.name) ? ENDED_BY[tag.name] : undefined;
    this.#endWhere((name) => name === 'p' || ended?.has(name) === true);
    if (this.#open.length < this.#maxDepth) this.#open.push({ tag, children: [], tail: [], reparsed: new Set() });
  }

  #endWhere(isEnded: (name: string) => boolean): void {
    let index = this.#open.length;
    while (index > 0 && isEnded(this.#open[index - 1]?.tag.name ?? '')) index--;
    this.#closeTo(index);
  }

  /** Closes the element at an index and all elements in it. */
  #closeTo(index: number): void {
    while (index >= 0 && this.#open.length > index) {
      const frame = this.#open.pop();
      if (!frame) return;
      const { tag, children, tail, reparsed } = frame;
      // Without a summary the browser would show its default label until the summary arrives.
      if (tag.name === 'details' && children.length + tail.length === 0) continue;
      const token: ContainerToken = { type: 'container', raw: '', tag, children, tail, reparsed };
      const position = this.#put(this.#settled ? finished(token) : { token, settled: 0 });
      if (position) frame.position = position;
    }
  }

  #put(block: MarkdownBlock): BlockPosition | undefined {
    const frame = this.#open.at(-1);
    if (!this.#settled) {
      (frame?.tail ?? this.#root).push(block);
      return undefined;
    }
    const list = frame?.children ?? this.#root;
    list.push(block);
    return { frame, index: list.length - 1 };
  }
}

const finished = (token: Token): MarkdownBlock => ({ token, settled: Number.POSITIVE_INFINITY });

/** Nests the blocks of a quote or list item into the elements inside of it. */
export function nestBlocks(blocks: readonly MarkdownBlock[]): readonly MarkdownBlock[] {
  const root: MarkdownBlock[] = [];
  const frames = new ElementStack(root, [], { depth: MAX_INNER_DEPTH });
  for (const [index, block] of enumerate(blocks)) frames.add(block, index < blocks.length - 1);
  frames.end();
  return root;
}

/** A parsed text with its footnotes, which are rendered after it. */
export interface NestedMarkdown extends ParsedMarkdown {
  readonly notes: ParsedMarkdown;
}

const isFootnote = ({ token }: MarkdownBlock): boolean => token.type === 'footnote';
const NOTES: Tag = { name: 'ol', closing: false, attributes: {}, empty: false };

/** Nests the blocks of a streaming text: finished blocks are processed once. */
export class HtmlNesting {
  readonly #notes: Frame = { tag: NOTES, children: [], tail: [], reparsed: new Set() };
  readonly #root: MarkdownBlock[] = [];
  readonly #open: Frame[] = [];
  readonly #frames = new ElementStack(this.#root, this.#open, { settled: true });
  readonly #positions: (BlockPosition | undefined)[] = [];
  readonly #reparsed = new Set<Frame>();

  /** `whole`: no more text follows. */
  update({ finished: blocks, open, reparsed }: ParsedMarkdown, whole: boolean): NestedMarkdown {
    for (const frame of this.#reparsed) frame.reparsed.clear();
    this.#reparsed.clear();
    const changed = new Set<number>();
    for (const index of reparsed) {
      const [position, block] = [this.#positions[index], blocks[index]];
      if (position && block) this.#replace(position, block, changed);
    }
    for (let index = this.#positions.length; index < blocks.length; index++) {
      const block = blocks[index];
      if (!block) continue;
      // A block is finished before the end of the text only if another one has started.
      const position = isFootnote(block)
        ? { frame: this.#notes, index: this.#notes.children.push(block) - 1 }
        : this.#frames.add(block, !whole || index + 1 < blocks.length);
      this.#positions.push(position);
    }
    const notes = { finished: this.#notes.children, open: open.filter(isFootnote), reparsed: this.#notes.reparsed };
    const visible = notes.open.length > 0 ? open.filter((block) => !isFootnote(block)) : open;
    return { finished: this.#root, open: this.#show(visible), reparsed: changed, notes };
  }

  #replace({ frame, index }: BlockPosition, block: MarkdownBlock, changed: Set<number>): void {
    (frame?.children ?? this.#root)[index] = block;
    for (let position: BlockPosition | undefined = { frame, index }; position; position = position.frame?.position) {
      if (!position.frame) changed.add(position.index);
      else {
        position.frame.reparsed.add(position.index);
        this.#reparsed.add(position.frame);
      }
    }
  }

  /** The blocks that are still being written, in the elements that are open now. */
  #show(open: readonly MarkdownBlock[]): readonly MarkdownBlock[] {
    if (this.#open.length === 0 && !open.some(({ token }) => token.type === 'html')) return open;
    const root: MarkdownBlock[] = [];
    const frames = new ElementStack(
      root,
      this.#open.map((frame) => ({ ...frame, tail: [] })),
    );
    for (const [index, block] of enumerate(open)) frames.add(block, index < open.length - 1);
    frames.end();
    return root;
  }
}
