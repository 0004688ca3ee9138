/** Limits for tables with a very long header or very many columns. */
import type { Tokens } from 'marked';

/** Maximum number of columns shown as a table. */
export const MAX_COLUMNS = 32;
/** A longer line is never a table header, so that a line with a `|` does not have to be kept until its end is known. */
export const MAX_HEADER_LENGTH = 16_384;

/** A table with more columns than are shown: each row keeps its first cells. */
export interface WideTable extends Tokens.Table {
  readonly columns: number;
}

const TWO_LINES = /^[^\n]*\n[^\n]*/;

/** The header and the delimiter row of a table, if the text can begin with one. */
export function tableHead(src: string): string | undefined {
  const head = TWO_LINES.exec(src)?.[0];
  return head === undefined || head.indexOf('\n') > MAX_HEADER_LENGTH ? undefined : head;
}

/** The rows of a table with the first columns only. marked would create a cell for each column in each row, even without text. */
export const firstColumns = (rows: string): string =>
  rows
    .split('\n')
    .map((line, index) => (index < 2 ? firstCells(line) : cutCells(line)))
    .join('\n');

const CELL = /(?:\\[^\n]|[^|\\\n])*\|?/y;

/** Returns a row without its last cells. The `|` at its start counts as one of `limit`. */
function cutCells(line: string, limit = MAX_COLUMNS + 1): string {
  CELL.lastIndex = 0;
  for (let count = 0; count < limit && CELL.lastIndex < line.length; count++) if (!CELL.test(line)) break;
  return CELL.lastIndex === 0 ? line : line.slice(0, CELL.lastIndex);
}

/** Returns a header or delimiter row with its first cells only. */
const firstCells = (line: string): string => `|${cutCells(line.replace(/^ *\|?/, ''), MAX_COLUMNS)}`;

/** Returns as many lines of a text as another text has. */
export function firstLines(text: string, model: string): string {
  const count = model.split('\n').length - 1;
  let end = 0;
  for (let line = 0; line < count; line++) end = text.indexOf('\n', end) + 1 || text.length;
  if (model.endsWith('\n') || end >= text.length) return text.slice(0, end);
  const rest = text.indexOf('\n', end);
  return rest < 0 ? text : text.slice(0, rest);
}
