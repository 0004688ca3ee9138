import { noChange } from 'lit';
import { directive, Directive, type ChildPart } from 'lit/directive.js';

/**
 * Replaces the text of a node from the first difference on. Setting `data` would clear a selection in it, even if the
 * text is the same.
 */
export function patchText(node: Text, before: string, text: string): void {
  let same = text.startsWith(before) ? before.length : 0;
  while (same < before.length && before[same] === text[same]) same++;
  if (same < before.length || same < text.length) node.replaceData(same, before.length - same, text.slice(same));
}

/** Streaming text in a single node. */
class GrowingText extends Directive {
  #node: Text | undefined;
  #text = '';

  render(_text: string): unknown {
    return noChange;
  }

  override update({ parentNode }: ChildPart, [text]: [string]): unknown {
    const before = this.#text;
    const node = this.#node;
    this.#text = text;
    // A browser translation has replaced or split the node.
    if (!node || node.parentNode !== parentNode || node.data !== before) {
      this.#node = document.createTextNode(text);
      return this.#node;
    }
    if (text !== before) patchText(node, before, text);
    return noChange;
  }
}

export const streamingText = directive(GrowingText);
