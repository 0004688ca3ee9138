/** Normalizes the table and chart formats that agents send. */
import { maskDisplayedText } from '../../safety/sent-secrets.ts';
import { isRecord } from '../../model/json.ts';
import type { Cells } from '../../primitives/table-cells.ts';

/** A table: every row has a cell for each column. */
export interface TableData extends Cells {
  readonly name: string;
}

interface ChartSeries {
  readonly name: string;
  readonly values: readonly number[];
}

/** A chart: every series has a value for each label. */
export interface ChartData {
  readonly type: 'line' | 'bar' | 'pie' | 'doughnut' | 'area' | 'scatter';
  readonly name: string;
  readonly labels: readonly string[];
  readonly series: readonly ChartSeries[];
}

/** Maximum number of cells that are rendered; the copied table has all of them. */
export const MAX_ROWS = 5000;
/** Maximum number of columns and cells: a few bytes of brackets can describe any number of rows. */
const MAX_COLUMNS = 200;
const MAX_CELLS = 500_000;
/** Maximum number of series, and of points in each. */
const MAX_SERIES = 50;
const MAX_POINTS = 10_000;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const asName = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Parses a dataframe `{name, columns, rows}`, whose rows are lists or objects by column name, or a list of objects. */
export function toTable(data: unknown): TableData | undefined {
  const source = isList(data) ? { rows: data } : data;
  if (!isRecord(source)) return undefined;
  const rows = source['rows'] ?? source['data'];
  if (!isList(rows)) return undefined;
  const [first] = rows;
  const all = isList(source['columns'])
    ? source['columns'].map((column) =>
        isRecord(column) ? asName(column['name'] ?? column['title'] ?? column['field']) : asName(column),
      )
    : isRecord(first)
      ? Object.keys(first)
      : [];
  const columns = all.slice(0, MAX_COLUMNS);
  if (columns.length === 0) return undefined;
  const cells = rows
    .slice(0, Math.floor(MAX_CELLS / columns.length))
    .map((row) =>
      columns.map((column, index) =>
        shown(isList(row) ? row[index] : isRecord(row) && Object.hasOwn(row, column) ? row[column] : undefined),
      ),
    );
  return { name: asName(source['name'] ?? source['title']), columns, rows: cells };
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
  name: isRecord(data) ? asName(data['name'] ?? data['title']) : '',
  columns: [],
  rows: [],
});

/** The text of a cell for display, sorting and download. */
function shown(cell: unknown): unknown {
  if (typeof cell === 'string') return maskDisplayedText(cell);
  return typeof cell === 'object' && cell !== null ? maskDisplayedText(JSON.stringify(cell)) : cell;
}

const TYPES = new Set(['line', 'bar', 'pie', 'doughnut', 'area', 'scatter']);

/**
 * Parses a chart. Session events do not define its format. Accepted are: `{type, series}` with plain numbers or `{name,
 * data}` and separate labels; the format of Chart.js; a list of `{label, value}`; and a table `{name, columns, rows}`.
 */
export function toChart(source: unknown): ChartData | undefined {
  if (!isRecord(source)) return undefined;
  const inner = isRecord(source['data']) ? source['data'] : source;
  const typeName = asName(source['type'] ?? source['chart_type'] ?? source['chartType']).toLowerCase();
  const type = (typeName === 'column' ? 'bar' : TYPES.has(typeName) ? typeName : 'bar') as ChartData['type'];
  const series = seriesOf(inner['datasets'] ?? inner['series'] ?? inner['values'] ?? inner['y'] ?? source['data']);
  if (series.length === 0) return chartOfTable(source, inner, type);
  const names = inner['labels'] ?? inner['categories'] ?? inner['x'] ?? inner['xAxis'];
  const count = Math.max(...series.map(({ values }) => values.length));
  const pairs = isList(source['data']) ? source['data'] : isList(inner['series']) ? inner['series'] : [];
  const labels = [...Array(count).keys()].map((index) => {
    const pair = pairs[index];
    const own = isRecord(pair)
      ? asName(pair['label'] ?? pair['x'] ?? (isList(pair['data']) ? undefined : pair['name']))
      : '';
    return (isList(names) ? asName(names[index]) : '') || own || String(index + 1);
  });
  return { type, name: asName(source['name'] ?? source['title']), labels, series };
}

/**
 * One series for each numeric column. The labels are the first column without numbers, else the first of several
 * columns.
 */
function chartOfTable(
  source: Readonly<Record<string, unknown>>,
  inner: Readonly<Record<string, unknown>>,
  type: ChartData['type'],
): ChartData | undefined {
  const table = toTable(inner) ?? toTable(source);
  if (!table || table.rows.length === 0) return undefined;
  const rows = table.rows.slice(0, MAX_POINTS);
  const columns = table.columns.map((name, index) => {
    const cells = rows.map((row) => row[index]);
    const values = cells.flatMap((cell) => toNumber(cell) ?? []);
    return { name, cells, values, numeric: values.length === rows.length };
  });
  const labels = columns.find(({ numeric }) => !numeric) ?? (columns.length > 1 ? columns[0] : undefined);
  const series = columns.filter((column) => column.numeric && column !== labels).slice(0, MAX_SERIES);
  if (series.length === 0) return undefined;
  return {
    type,
    name: asName(source['name'] ?? source['title']) || table.name,
    labels: rows.map((_row, index) => asName(labels?.cells[index]) || String(index + 1)),
    series: series.map(({ name, values }) => ({ name, values })),
  };
}

function seriesOf(source: unknown): readonly ChartSeries[] {
  if (!isList(source) || source.length === 0) return [];
  if (source.every((value) => toNumber(value) !== undefined))
    return [{ name: '', values: source.slice(0, MAX_POINTS).map((value) => toNumber(value) ?? 0) }];
  return source
    .slice(0, MAX_SERIES)
    .filter(isRecord)
    .flatMap((item) => {
      const values = item['data'] ?? item['values'];
      if (!isList(values)) return [];
      const numbers = values
        .slice(0, MAX_POINTS)
        .map((value) => toNumber(value) ?? toNumber(isRecord(value) ? (value['y'] ?? value['value']) : undefined));
      return numbers.every((value) => value !== undefined)
        ? [{ name: asName(item['name'] ?? item['label']), values: numbers }]
        : [];
    });
}

/** Parses a number, or the value of a `{label, value}`. */
function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  if (isRecord(value) && !isList(value['data'])) return toNumber(value['value'] ?? value['y']);
  return undefined;
}

/** Converts a chart to a table. */
export const chartAsTable = ({ name, labels, series }: ChartData, valueName: string): TableData => ({
  name,
  columns: ['', ...series.map((one) => one.name || valueName)],
  rows: labels.map((label, index) => [label, ...series.map(({ values }) => values[index])]),
});
