/** Measures the minimum width of table columns: the width of their longest word. */
import { enumerate } from '../../enumerate.ts';

/**
 * Number of cells per column that are laid out to find the widest word among rows that the browser skips. Character
 * widths differ, so the longest text may not be the widest.
 */
const CANDIDATES = 3;

type Cell = HTMLTableCellElement;

/** Returns the cells that no longer change. `growing`: the last cell with text is still being written. */
export function completeCells(table: HTMLTableElement, growing: boolean): readonly Cell[] {
  const cells = [...table.tBodies].flatMap(({ rows }) => [...rows].flatMap((row) => [...row.cells]));
  if (!growing) return cells;
  const last = cells.findLastIndex(({ textContent }) => textContent !== '');
  // A breakable word is measured before it is complete: otherwise it would fill a narrow column with lines.
  return cells.filter((cell, index) => index < last || cell.classList.contains('long'));
}

/** The padding of a cell, and of code in it, in em. */
const PADDING_EM = 4;
/** ASCII text: no character is wider than 1 em. */
const SIMPLE = /^[ -~\s]*$/;

/** Upper bound of the width of a cell with this text, in em; Infinity if it must be measured. */
export function maxCellWidth(cell: Cell): number {
  const { textContent, classList } = cell;
  if (!SIMPLE.test(textContent) || cell.querySelector(REPLACED_ELEMENTS)) return Infinity;
  if (classList.contains('long')) return Infinity;
  const words = classList.contains('figure') ? [textContent] : textContent.split(/\s+/);
  return PADDING_EM + Math.max(...words.map((word) => word.length));
}

/** Elements whose width does not depend on their text. */
const REPLACED_ELEMENTS = 'agent-chat-image, agent-chat-math, input';

/**
 * Measures the minimum width of each column in pixels for these cells. Each change is undone before the next paint.
 * Cells in boxes that the browser may skip are measured as copies in the first table: WebKit keeps skipping a box that
 * was laid out briefly, even when it is visible. `first`: the table that is never skipped.
 */
export function minColumnWidths(cells: readonly Cell[], first: HTMLTableElement): readonly number[] {
  const copies = document.createElement('tr');
  const measured = cells.flatMap((cell) => {
    const column = cell.cellIndex;
    if (!cell.closest('.part')) return { column, element: cell };
    if (cell.querySelector(REPLACED_ELEMENTS)) return [];
    const element = cell.cloneNode(true) as Cell;
    copies.append(element);
    return { column, element };
  });
  if (copies.firstChild) first.tBodies[0]?.append(copies);
  for (const { element } of measured) element.toggleAttribute('measuring', true);
  const widths = measured.map(({ element }) => parseFloat(getComputedStyle(element).inlineSize) || 0);
  for (const { element } of measured) element.toggleAttribute('measuring', false);
  copies.remove();
  const least: number[] = [];
  for (const [index, width] of enumerate(widths)) {
    const column = measured[index]?.column ?? 0;
    least[column] = Math.max(least[column] ?? 0, width);
  }
  return least;
}

/** Returns the cells with the longest words of each column. */
export function longestWords(cells: readonly Cell[]): readonly Cell[] {
  const columns: { readonly cell: Cell; readonly length: number }[][] = [];
  for (const cell of cells) {
    const length = Math.max(...cell.textContent.split(/\s+/).map((word) => word.length));
    const longest = (columns[cell.cellIndex] ??= []);
    if (longest.length === CANDIDATES && length <= (longest.at(-1)?.length ?? 0)) continue;
    longest.push({ cell, length });
    longest.sort((a, b) => b.length - a.length);
    longest.length = Math.min(longest.length, CANDIDATES);
  }
  return columns.flat().map(({ cell }) => cell);
}
