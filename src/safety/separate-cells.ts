/** Columns of one cell beyond which nobody reads a table; a browser's limit is 1,000. */
const MAX_SPAN = 100;

/**
 * Makes cells of a table narrower that would lie over others: a cell of several columns is drawn over one that extends
 * from a row above, and could show another host over its text or catch its clicks.
 * Source: HTML, "Algorithm for forming a table", in which such an overlap is an error.
 */
export function separateCells(table: HTMLTableElement): void {
  /** By column, how many more rows a cell from above extends. */
  let fromAbove: number[] = [];
  let group: Element | null = null;
  for (const row of table.rows) {
    // No cell extends beyond the end of its group.
    if (row.parentElement !== group) fromAbove = [];
    group = row.parentElement;
    const next = fromAbove.map((rows) => Math.max(0, rows - 1));
    let column = 0;
    for (const cell of row.cells) {
      while ((fromAbove[column] ?? 0) > 0) column++;
      const wanted = Math.min(cell.colSpan, MAX_SPAN);
      let span = 1;
      while (span < wanted && (fromAbove[column + span] ?? 0) === 0) span++;
      if (span !== cell.colSpan) cell.colSpan = span;
      // 0 is all rows of the group.
      const rows = cell.rowSpan === 0 ? Infinity : cell.rowSpan;
      for (const end = column + span; column < end; column++) next[column] = Math.max(next[column] ?? 0, rows - 1);
    }
    fromAbove = next;
  }
}
