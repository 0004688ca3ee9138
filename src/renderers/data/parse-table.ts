/** Normalizes the table formats that agents send. */
import { displayMask, maskDisplayedText } from '../../safety/sent-secrets.ts';
import { isRecord } from '../../model/json.ts';
import type { Cells } from '../../primitives/table-cells.ts';

/** A table: every row has a cell for each column. */
export interface TableData extends Cells {
  readonly name: string;
}

/** Maximum number of rows and of cells that are rendered; the copied table has all of them. */
const MAX_ROWS = 5000;
const MAX_RENDERED_CELLS = 100_000;
/** Maximum number of columns, which is also that of the cells of a row. */
const MAX_COLUMNS = 200;
/** Maximum length of a name or a label (characters). */
const MAX_NAME = 1000;
const MAX_CELLS = 500_000;

/** How many rows of a table with this number of columns are rendered at most. */
export const maxRows = (columns: number): number =>
  Math.min(MAX_ROWS, Math.floor(MAX_RENDERED_CELLS / Math.max(1, columns)));

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
export const asName = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, MAX_NAME) : '';

/** The name of a table or chart; in some libraries the title is an object with a text. */
export const nameOf = ({ name, title }: Readonly<Record<string, unknown>>): string =>
  asName(name ?? (isRecord(title) ? title['text'] : title));

interface Column {
  readonly title: string;
  /** The names under which a row may contain the cell. */
  readonly keys: readonly string[];
}

/** The fields of a column that may hold its title or the name of its cells in a row. The first of them is the title. */
const COLUMN_FIELDS = ['title', 'label', 'headerName', 'header', 'name', 'field', 'dataIndex', 'key', 'prop', 'id'];

function toColumn(column: unknown): Column {
  const keys = isRecord(column)
    ? COLUMN_FIELDS.map((field) => asName(column[field])).filter((name) => name !== '')
    : [asName(column)];
  return { title: keys[0] ?? '', keys };
}

/**
 * Parses a dataframe `{name, columns, rows}`, whose rows are lists, objects by column name or single cells, or a list
 * of objects. Unnamed columns get the names in the rows, or numbers.
 */
export function toTable(data: unknown): TableData | undefined {
  const source = isList(data) ? { rows: data } : data;
  if (!isRecord(source)) return undefined;
  const rows = source['rows'] ?? source['data'] ?? source['values'];
  if (!isList(rows)) return undefined;
  const columns = columnsOf(source['columns'], rows);
  if (columns.length === 0) return undefined;
  const cells = rows
    .slice(0, Math.floor(MAX_CELLS / columns.length))
    .map((row) => columns.map((column, index) => displayValue(cellOf(row, column, index))));
  const mask = displayMask();
  return { name: mask(nameOf(source)), columns: columns.map(({ title }) => mask(title)), rows: cells };
}

function columnsOf(declaredColumns: unknown, rows: readonly unknown[]): readonly Column[] {
  const columns = isList(declaredColumns) ? declaredColumns.slice(0, MAX_COLUMNS).map(toColumn) : [];
  const sample = rows.slice(0, MAX_ROWS);
  const names = namesIn(sample);
  if (columns.length === 0) {
    if (names.length > 0) return names.map((name) => ({ title: name, keys: [name] }));
    const width = sample.reduce<number>((most, row) => (isList(row) ? Math.max(most, row.length) : most), 0);
    return [...Array(Math.min(width, MAX_COLUMNS)).keys()].map((index) => ({ title: String(index + 1), keys: [] }));
  }
  const known = new Set(columns.flatMap(({ keys }) => keys));
  if (names.length === 0 || names.some((name) => known.has(name))) return columns;
  // Columns have titles, rows other names: they match by position if there are equally many, otherwise the names are
  // the titles.
  return names.map((name, index) => ({
    title: (columns.length === names.length && columns[index]?.title) || name,
    keys: [name],
  }));
}

/** The names of all fields of the rows, in the order in which they occur. */
function namesIn(rows: readonly unknown[]): readonly string[] {
  const names = new Set<string>();
  for (const row of rows) {
    if (!isRecord(row)) continue;
    for (const name of Object.keys(row)) {
      if (names.size >= MAX_COLUMNS) return [...names];
      names.add(name);
    }
  }
  return [...names];
}

function cellOf(row: unknown, { keys }: Column, index: number): unknown {
  if (isList(row)) return row[index];
  if (!isRecord(row)) return index === 0 ? row : undefined;
  const key = keys.find((name) => Object.hasOwn(row, name));
  return key === undefined ? undefined : row[key];
}

/** Whether a dataframe or a chart has no data at all: nothing, or only empty lists beside its names. */
export function isEmptyData(data: unknown): boolean {
  if (data === null || data === undefined || data === '') return true;
  if (isList(data)) return data.length === 0;
  if (!isRecord(data)) return false;
  const values = Object.values(data).filter((value) => isList(value) || isRecord(value));
  return values.every(isEmptyData) && (values.length > 0 || Object.keys(data).length === 0);
}

/** The table of data without columns. */
export const emptyTable = (data: unknown): TableData => ({
  name: isRecord(data) ? nameOf(data) : '',
  columns: [],
  rows: [],
});

/** The value of a cell for display, sorting and copying: objects become JSON, and secrets are masked. */
function displayValue(cell: unknown): unknown {
  if (typeof cell === 'string') return maskDisplayedText(cell);
  return typeof cell === 'object' && cell !== null ? maskDisplayedText(JSON.stringify(cell)) : cell;
}
