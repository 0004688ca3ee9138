import { noChange } from 'lit';
import { directive, Directive, type ChildPart } from 'lit/directive.js';

/** A screen or two. */
const LINES = 64;

/**
 * Lines that usually go on: what is new is appended to the last text node. Behind the first lines each group of them is a box of
 * its own, or each new line would cost a layout of all.
 */
class GrowingLines extends Directive {
  #nodes: Text[] = [];
  #text = '';
  /** How many lines the last node has. */
  #lines = 0;

  render(_text: string): unknown {
    return noChange;
  }

  override update(place: ChildPart, [text]: [string]): unknown {
    if (text === this.#text && this.#nodes.length > 0) return noChange;
    if (!text.startsWith(this.#text)) this.#clear();
    this.#append(text.slice(this.#text.length), place);
    this.#text = text;
    return noChange;
  }

  #append(text: string, place: ChildPart): void {
    for (let from = 0; from < text.length || this.#nodes.length === 0;) {
      const node = this.#lines < LINES ? this.#nodes.at(-1) : undefined;
      const to = this.#endOfGroup(text, from, node ? this.#lines : 0);
      const piece = text.slice(from, to);
      if (node) node.appendData(piece);
      else this.#add(piece, place);
      from = to;
    }
  }

  /** Where the group is full, or the text ends. */
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

  /** Other words take the place of the first ones, in their node. */
  #clear(): void {
    const [first, ...others] = this.#nodes;
    for (const node of others) node.parentElement?.remove();
    if (first) first.data = '';
    this.#nodes = first ? [first] : [];
    this.#text = '';
    this.#lines = 0;
  }
}

export const growingLines = directive(GrowingLines);
