/** How many nodes stand in a box of a long block, by the element that they belong to: about a screen. */
const SIZES: Readonly<Record<string, number>> = { ul: 32, ol: 32, tbody: 32, p: 64, code: 4 };

/**
 * Gathers what stands in a long list, table, paragraph or code behind its first part in boxes, too, that the browser lays out and
 * skips by themselves: otherwise each new line would cost a layout of all that are there.
 */
export function boxesInLongBlocks() {
  const blocks = new WeakMap<Element, { count: number; box: Element }>();
  return {
    /** Where the next node of an element goes: into the element, or into its last box. */
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
  // No box may stand between a table and its rows: each has a table of its own, with fixed columns.
  const body = document.createElement('tbody');
  const rows = document.createElement('table');
  rows.append(body);
  box.append(rows);
  table.parentElement?.append(box);
  return body;
}
