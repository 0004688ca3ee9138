import { noChange } from 'lit';
import { directive, Directive, type ChildPart } from 'lit/directive.js';
import { showHidden } from './show-hidden.ts';

/** One or two screens. */
const LINES = 64;

/**
 * Lines of streaming text: new text is appended to the last text node. After the first lines each group of lines is a
 * box; otherwise every new line would cost a layout of all.
 */
class GrowingLines extends Directive {
  #nodes: Text[] = [];
  #text = '';
  /** Number of lines in the last node. */
  #lines = 0;

  render(_text: string): unknown {
    return noChange;
  }

  override update(part: ChildPart, [given]: [string]): unknown {
    // A stream may cut a character in two.
    const text = (given.charCodeAt(given.length - 1) & 0xfc00) === 0xd800 ? given.slice(0, -1) : given;
    if (text === this.#text && this.#nodes.length > 0) return noChange;
    if (this.#isDisplaced(part)) this.#forget(part);
    else if (!text.startsWith(this.#text)) this.#clear();
    this.#append(showHidden(text.slice(this.#text.length)), part);
    this.#text = text;
    return noChange;
  }

  #append(text: string, part: ChildPart): void {
    for (let from = 0; from < text.length || this.#nodes.length === 0;) {
      const node = this.#lines < LINES ? this.#nodes.at(-1) : undefined;
      const to = this.#endOfGroup(text, from, node ? this.#lines : 0);
      const piece = text.slice(from, to);
      if (node) node.appendData(piece);
      else this.#add(piece, part);
      from = to;
    }
  }

  /** Returns the end of the group, or of the text. */
  #endOfGroup(text: string, from: number, lines: number): number {
    let to = from;
    for (this.#lines = lines; this.#lines < LINES; this.#lines++) {
      const end = text.indexOf('\n', to);
      if (end < 0) return text.length;
      to = end + 1;
    }
    return to;
  }

  #add(piece: string, { parentNode, endNode }: ChildPart): void {
    const node = document.createTextNode(piece);
    this.#nodes.at(-1)?.parentElement?.closest('.lines')?.classList.add('whole');
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

  /** Renders everything again. */
  #forget({ startNode, endNode }: ChildPart): void {
    while (startNode?.nextSibling && startNode.nextSibling !== endNode) startNode.nextSibling.remove();
    this.#nodes = [];
    this.#text = '';
    this.#lines = 0;
  }

  /** Reuses the first node for the new text. */
  #clear(): void {
    const [first, ...others] = this.#nodes;
    for (const node of others) node.parentElement?.remove();
    if (first) first.data = '';
    this.#nodes = first ? [first] : [];
    this.#text = '';
    this.#lines = 0;
  }
}

export const appendLines = directive(GrowingLines);
