/** Nodes per box of a long block, by the element that contains them: about one screen. */
const SIZES: Readonly<Record<string, number>> = { ul: 32, ol: 32, tbody: 32, p: 64, code: 4 };

/**
 * Groups the content of a long list, table, paragraph or code block after its first part in boxes, which the browser
 * lays out and skips independently. Otherwise each new line would lay out all lines again.
 */
export function createLongBlockBoxes() {
  const blocks = new WeakMap<Element, { count: number; box: Element }>();
  return {
    /** Returns the parent for the next node of an element: the element, or its last box. */
    next(parent: Element): Element {
      const size = SIZES[parent.localName];
      if (size === undefined) return parent;
      const block = blocks.get(parent) ?? { count: 0, box: parent };
      if (block.count > 0 && block.count % size === 0) block.box = makeBox(parent);
      block.count++;
      blocks.set(parent, block);
      return block.box;
    },
  };
}

function makeBox(parent: Element): Element {
  const box = document.createElement(parent.localName === 'p' || parent.localName === 'code' ? 'span' : 'div');
  box.className = 'group part';
  const table = parent.closest('table');
  if (!table || parent.localName !== 'tbody') {
    parent.append(box);
    return box;
  }
  // HTML allows no box between a table and its rows, so each box has a table of its own, with fixed columns.
  const body = document.createElement('tbody');
  const rows = document.createElement('table');
  rows.append(body);
  box.append(rows);
  table.parentElement?.append(box);
  return body;
}
