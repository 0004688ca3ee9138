import { noChange } from 'lit';
import { directive, Directive, type ChildPart } from 'lit/directive.js';
import { loadOnce } from '../load-once.ts';
import type { AppendOnlyText } from './append-only-text.ts';
import { HtmlNesting } from './parse/html-nesting.ts';
import { createdNodes, RenderedList } from './render/patch-dom.ts';
import { IncrementalMarkdownParser, type MarkdownBlock } from './parse/incremental-parser.ts';
import { renderBlocks, renderFootnotes, showRestButton } from './render/render-tokens.ts';
import { listNode } from './render/vnode.ts';
import { loadLinkText, uncheckedTexts } from '../safety/load-link-text.ts';
import { cancelSlices, holdSlices, scheduleSlices, sliceLength, SlicePace } from './time-slices.ts';
import type { MarkdownView } from './render/markdown-context.ts';

interface MarkdownOptions {
  /** More text may follow, so incomplete syntax at the end is closed as it will probably end. */
  readonly growing?: boolean;
  /** Called whenever all text has been rendered: long texts are rendered in slices over several frames. */
  readonly drawn?: () => void;
  /** Whether the text has to wait for the next frame, because others have used up this one. */
  readonly isLate?: () => boolean;
}
/** Loads the footnote behaviour on demand: few texts have footnotes. The parent is read later: at first it is a fragment. */
function followNotes(notes: RenderedList): void {
  loadFootnoteTools().then(({ activateFootnotes: follow }) => {
    const parent = notes.first?.parentNode;
    if (parent) follow(parent);
  }, ignore);
}
const loadFootnoteTools = loadOnce(() => import('./render/footnote-tools.ts'));
const ignore = (): void => undefined;

type Input = [source: string | AppendOnlyText, view: MarkdownView, options?: MarkdownOptions];

/** Number of characters that are parsed again per slice, because link definitions have arrived after them. */
const REPARSED_LENGTH = 8192;
/**
 * Maximum number of nodes of a text, about. With more, the garbage collector alone would delay frames. The rest of the text is
 * behind a button.
 */
const MAX_NODES = 50_000;
/** Maximum number of characters, and of links, that are rendered while the check of link texts is loading, plus one slice. */
const MOST_UNCHECKED = { characters: 16_384, links: 64 };

/** Streaming Markdown at one position of a template. The parser and its blocks live as long as the template part. */
class Markdown extends Directive {
  readonly pace = new SlicePace();
  readonly #list = new RenderedList();
  readonly #notes = new RenderedList();
  #parser = new IncrementalMarkdownParser();
  #nesting = new HtmlNesting();
  #math = false;
  #source: string | AppendOnlyText = '';
  /** Number of characters read so far. */
  #length = 0;
  /** Text that was received but not parsed yet. */
  #unparsed = '';
  #isComplete = false;
  #nodes = 0;
  #part: ChildPart | undefined;
  #view: MarkdownView | undefined;
  /** The view of a text that was rendered before its links could be checked. */
  #unchecked: MarkdownView | undefined;
  #uncheckedLinks = 0;
  #options: MarkdownOptions = {};
  #lastRendered:
    | readonly [
        blocks: unknown,
        open: readonly MarkdownBlock[],
        count: number,
        view: MarkdownView,
        growing: boolean,
        rest: string,
      ]
    | undefined;

  render(_source: string | AppendOnlyText, _view: MarkdownView, _options: MarkdownOptions = {}): unknown {
    return noChange;
  }

  override update(part: ChildPart, [source, view, options = {}]: Input): unknown {
    const { math = false } = view;
    const continuesAfterEnd =
      this.#isComplete && !this.#isFull && ((options.growing ?? false) || source.length > this.#length);
    if (math !== this.#math || !this.#isContinuation(source) || continuesAfterEnd) {
      this.#parser = new IncrementalMarkdownParser({ math });
      this.#nesting = new HtmlNesting();
      this.#math = math;
      this.#length = 0;
      this.#unparsed = '';
      this.#isComplete = false;
      this.#nodes = 0;
    }
    const isBehind = this.#isBehind;
    this.#unparsed += typeof source === 'string' ? source.slice(this.#length) : source.sliceFrom(this.#length);
    this.#source = source;
    this.#length = source.length;
    this.#part = part;
    this.#view = view;
    this.#options = options;
    // The rest follows in the next frame, however much arrives meanwhile.
    if (isBehind || options.isLate?.() || this.drawSlice(this.pace.allowed)) scheduleSlices(this);
    else cancelSlices(this);
    return noChange;
  }

  drawSlice(characters: number): boolean {
    const { growing = false, drawn } = this.#options;
    const uncheckedBefore = uncheckedTexts;
    const part = this.#part;
    const view = this.#view;
    // The `parentNode` of a part is its future parent: on the first render its nodes are still in a fragment. A removed
    // part has none.
    const parent = part?.startNode?.parentNode ?? part?.parentNode;
    if (!part || !view || !parent) return false;
    const isFull = this.#isFull;
    // Text rendered without the check is rendered again with it, all in one task: so rendering waits here. Before printing
    // (`characters` is infinite) it does not.
    if (this.#waitsForCheck && Number.isFinite(characters)) {
      holdSlices(this);
      return false;
    }
    const length = isFull ? 0 : sliceLength(this.#unparsed, characters);
    const piece = this.#unparsed.slice(0, length);
    this.#unparsed = this.#unparsed.slice(length);
    const rest = isFull ? this.#unparsed : '';
    this.#isComplete = isFull || (this.#unparsed === '' && !growing);
    const { finished, open, reparsed, notes } = this.#nesting.update(
      this.#parser.append(piece, this.#isComplete, REPARSED_LENGTH),
      this.#isComplete,
    );
    const isDone = !this.#isBehind;
    const rendered = [finished, open, finished.length, view, growing, rest] as const;
    if (reparsed.size > 0 || !this.#lastRendered?.every((value, index) => value === rendered[index])) {
      this.#lastRendered = rendered;
      const before = createdNodes;
      const blocks = renderBlocks({ finished, open, reparsed }, view, growing);
      this.#list.draw(
        listNode(rest ? [blocks, showRestButton(rest, view)] : [blocks]),
        parent,
        this.#notes.first ?? part.endNode,
      );
      this.#nodes += createdNodes - before;
    }
    const count = notes.finished.length + notes.open.length;
    if (count > 0 || this.#notes.first) {
      this.#notes.draw(listNode([renderFootnotes(notes, view)]), parent, part.endNode);
      followNotes(this.#notes);
    }
    this.#uncheckedLinks += uncheckedTexts - uncheckedBefore;
    if (uncheckedTexts > uncheckedBefore) void this.#renderChecked(view);
    this.pace.drew(piece.length);
    if (isDone) drawn?.();
    return !isDone;
  }

  /** Whether some of the text is not rendered yet. Also text that was removed is rendered, because it may be reinserted. */
  get #isBehind(): boolean {
    return (this.#unparsed !== '' && !this.#isComplete) || this.#parser.hasPendingReparse;
  }

  get #waitsForCheck(): boolean {
    const characters = this.#length - this.#unparsed.length;
    return (
      this.#unchecked !== undefined &&
      (characters > MOST_UNCHECKED.characters || this.#uncheckedLinks > MOST_UNCHECKED.links)
    );
  }

  /** Whether the maximum number of nodes is reached, so that the rest is behind a button. */
  get #isFull(): boolean {
    return this.#nodes > MAX_NODES;
  }

  /** Renders all again, as with any other view, when the texts of links can be checked. */
  async #renderChecked(view: MarkdownView): Promise<void> {
    this.#unchecked = view;
    await loadLinkText();
    if (this.#unchecked !== view) return;
    this.#unchecked = undefined;
    this.#uncheckedLinks = 0;
    if (this.#view === view) this.#view = { ...view };
    scheduleSlices(this);
  }

  /** Whether the source begins with the text so far. The comparison is fast; nothing else here processes the complete text. */
  #isContinuation(source: string | AppendOnlyText): boolean {
    return typeof source === 'string' && typeof this.#source === 'string'
      ? source.startsWith(this.#source)
      : source === this.#source;
  }
}

/**
 * Renders Markdown at a position of a template. An update creates only the nodes that have changed.
 *
 * @example
 * html`<div class="prose">${markdown(text, view, { growing: true })}</div>`
 */
export const markdown = directive(Markdown);
