import { noChange } from 'lit';
import { directive, Directive } from 'lit/directive.js';

/**
 * Changes the words of a node from where they are others than before. (To set its data drops a selection in it, also where the
 * words are the same.)
 */
export function changeText(node: Text, before: string, text: string): void {
  let same = text.startsWith(before) ? before.length : 0;
  while (same < before.length && before[same] === text[same]) same++;
  if (same < before.length || same < text.length) node.replaceData(same, before.length - same, text.slice(same));
}

/** Text that usually goes on, in one node. */
class GrowingText extends Directive {
  #node: Text | undefined;
  #text = '';

  render(text: string): unknown {
    const before = this.#text;
    this.#text = text;
    if (!this.#node) {
      this.#node = document.createTextNode(text);
      return this.#node;
    }
    if (text !== before) changeText(this.#node, before, text);
    return noChange;
  }
}

export const growingText = directive(GrowingText);
