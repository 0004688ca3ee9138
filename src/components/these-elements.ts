import { noChange } from 'lit';
import { Directive, directive, PartType, type ChildPart, type PartInfo } from 'lit/directive.js';

/**
 * Elements that are made elsewhere, in their order. One that stays is not moved, since a moved one loses its focus and its frames.
 * `repeat` would leave a comment behind for each that goes: in a transcript that is scrolled, more with every view.
 */
class TheseElements extends Directive {
  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.CHILD) throw new TypeError('Elements stand between tags.');
  }

  render(_elements: readonly Element[]): unknown {
    return noChange;
  }

  override update({ parentNode, startNode, endNode }: ChildPart, [elements]: [readonly Element[]]): unknown {
    const staying = new Set<Node>(elements);
    let next = startNode?.nextSibling ?? null;
    while (next && next !== endNode) {
      const node = next;
      next = node.nextSibling;
      if (!staying.has(node)) node.remove();
    }
    let place = startNode?.nextSibling ?? null;
    for (const element of elements) {
      if (element === place) place = place.nextSibling;
      else parentNode.insertBefore(element, place);
    }
    return noChange;
  }
}

export const theseElements = directive(TheseElements);
