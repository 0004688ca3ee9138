import { noChange } from 'lit';
import { directive, Directive } from 'lit/directive.js';

/**
 * Text that usually goes on: what is new is appended to its node. (A plain binding sets the node's data, which drops a
 * selection in it.)
 */
class GrowingText extends Directive {
  #node: Text | undefined;
  #text = '';

  render(text: string): unknown {
    if (!this.#node) {
      this.#text = text;
      this.#node = document.createTextNode(text);
      return this.#node;
    }
    if (text !== this.#text) {
      if (text.startsWith(this.#text)) this.#node.appendData(text.slice(this.#text.length));
      else this.#node.data = text;
      this.#text = text;
    }
    return noChange;
  }
}

export const growingText = directive(GrowingText);
