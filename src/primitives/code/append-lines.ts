import { noChange } from 'lit';
import { directive, Directive, type ChildPart } from 'lit/directive.js';
import { showHiddenInCode } from './show-hidden.ts';

/** Number of lines in a group: one or two screens. `LAID_OUT_LINES` in `code-tools.ts` is the same number. */
const LINES = 64;
/**
 * The length (characters) after which a line is broken, and no further line is added to its box: the browser lays out a box as a
 * whole.
 */
const LENGTH = 16_384;

/**
 * Lines of streaming text: new text is appended to the last text node. After the first lines each group of lines is a
 * box; otherwise every new line would cost a layout of all.
 */
class GrowingLines extends Directive {
  #nodes: Text[] = [];
  #text = '';
  /** Number of lines in the last node. */
  #lines = 0;
  /** Length of the last node, and of its last line. */
  #length = 0;
  #lineLength = 0;

  render(_text: string): unknown {
    return noChange;
  }

  override update(part: ChildPart, [given]: [string]): unknown {
    // A stream may cut a character or a line end in two.
    const text = /[\ud800-\udbff\r]$/.test(given) ? given.slice(0, -1) : given;
    if (text === this.#text && this.#nodes.length > 0) return noChange;
    if (this.#isDisplaced(part)) this.#forget(part);
    else if (!text.startsWith(this.#text)) this.#clear();
    this.#append(showHiddenInCode(text.slice(this.#text.length), this.#nodes.at(-1)?.data), part);
    this.#text = text;
    return noChange;
  }

  #append(text: string, part: ChildPart): void {
    for (let from = 0; from < text.length || this.#nodes.length === 0;) {
      const node = this.#lines < LINES ? this.#nodes.at(-1) : undefined;
      if (!node) this.#startGroup();
      const to = this.#endOfGroup(text, from);
      const piece = text.slice(from, to);
      if (node) node.appendData(piece);
      else this.#add(piece, part);
      from = to;
    }
  }

  /** Returns the end of the group, or of the text. */
  #endOfGroup(text: string, from: number): number {
    let to = from;
    while (this.#lines < LINES) {
      const end = text.indexOf('\n', to);
      const next = end < 0 ? text.length : end + 1;
      const most = to + LENGTH - this.#lineLength;
      if (next > most) {
        this.#lines = LINES;
        return isInsideCharacter(text, most) ? most + 1 : most;
      }
      this.#length += next - to;
      this.#lineLength = end < 0 ? this.#lineLength + next - to : 0;
      to = next;
      if (end < 0) break;
      this.#lines = this.#length < LENGTH ? this.#lines + 1 : LINES;
    }
    return to;
  }

  #startGroup(): void {
    this.#lines = 0;
    this.#length = 0;
    this.#lineLength = 0;
  }

  #add(piece: string, { parentNode, endNode }: ChildPart): void {
    const node = document.createTextNode(piece);
    const last = this.#nodes.at(-1);
    const box = last?.parentElement?.closest<HTMLElement>('.lines');
    if (last && box) {
      box.classList.add('whole');
      // The boxes of a long line are lower than others. A wrong height would change the layout when they come into view.
      if (!last.data.endsWith('\n')) box.style.containIntrinsicBlockSize = 'auto 20px';
    }
    if (this.#nodes.length === 0) parentNode.insertBefore(node, endNode);
    else {
      const group = document.createElement('span');
      group.className = 'lines';
      group.append(node);
      parentNode.insertBefore(group, endNode);
    }
    this.#nodes.push(node);
  }

  /** A browser translation has replaced the last node. */
  #isDisplaced({ parentNode }: ChildPart): boolean {
    const last = this.#nodes.at(-1);
    return last !== undefined && last.parentNode !== parentNode && last.parentElement?.className !== 'lines';
  }

  /** Removes all nodes, so that everything is rendered again. */
  #forget({ startNode, endNode }: ChildPart): void {
    while (startNode?.nextSibling && startNode.nextSibling !== endNode) startNode.nextSibling.remove();
    this.#nodes = [];
    this.#text = '';
  }

  /** Reuses the first node for the new text. */
  #clear(): void {
    const [first, ...others] = this.#nodes;
    for (const node of others) node.parentElement?.remove();
    if (first) first.data = '';
    this.#nodes = first ? [first] : [];
    this.#text = '';
    this.#startGroup();
  }
}

/** Whether a position is between the halves of a surrogate pair. */
const isInsideCharacter = (text: string, position: number): boolean =>
  (text.charCodeAt(position) & 0xfc00) === 0xdc00 && (text.charCodeAt(position - 1) & 0xfc00) === 0xd800;

export const appendLines = directive(GrowingLines);
