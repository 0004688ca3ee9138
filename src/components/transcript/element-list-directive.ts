import { noChange } from 'lit';
import { Directive, directive, PartType, type ChildPart, type PartInfo } from 'lit/directive.js';

/**
 * Renders existing elements in the given order. An element that stays is not moved, because a move loses its focus and reloads
 * its iframes. `repeat` would leave a comment node behind for each removed element, which adds up while the user scrolls.
 */
class ElementListDirective extends Directive {
  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.CHILD) throw new TypeError('Use this directive as a child of an element.');
  }

  render(_elements: readonly Element[]): unknown {
    return noChange;
  }

  override update({ parentNode, startNode, endNode }: ChildPart, [elements]: [readonly Element[]]): unknown {
    const remaining = new Set<Node>(elements);
    let next = startNode?.nextSibling ?? null;
    while (next && next !== endNode) {
      const node = next;
      next = node.nextSibling;
      if (!remaining.has(node)) node.remove();
    }
    let cursor = startNode?.nextSibling ?? null;
    for (const element of elements) {
      if (element === cursor) cursor = cursor.nextSibling;
      else parentNode.insertBefore(element, cursor);
    }
    return noChange;
  }
}

export const elementList = directive(ElementListDirective);
