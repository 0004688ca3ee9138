/** Normalizes the chart formats that agents send. */
import { enumerate } from '../../enumerate.ts';
import { limitAccents } from '../../limit-accents.ts';
import { isRecord } from '../../model/json.ts';
import { parseCellNumber } from '../../primitives/cell-text.ts';
import { displayMask } from '../../safety/sent-secrets.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { asName, isList, nameOf, toTable, type TableData } from './parse-table.ts';

type Source = Readonly<Record<string, unknown>>;

interface ChartSeries {
  readonly name: string;
  /** `null`: a gap. */
  readonly values: readonly (number | null)[];
}

/** A chart: every series has a value or a gap for each label. */
export interface ChartData {
  readonly type: 'line' | 'bar' | 'pie' | 'doughnut' | 'area' | 'scatter';
  readonly name: string;
  readonly labels: readonly string[];
  /** The name of the column that contains the labels, if it has one. */
  readonly labelName?: string;
  readonly series: readonly ChartSeries[];
}

/** Maximum number of series, and of points in each. */
const MAX_SERIES = 50;
const MAX_POINTS = 10_000;
/** Maximum length of a label or a name of a series, all of which are measured (characters). */
const MAX_LABEL = 200;

const TYPES = new Set(['line', 'bar', 'pie', 'doughnut', 'area', 'scatter']);
const TYPE_NAMES: Readonly<Record<string, ChartData['type']>> = {
  column: 'bar',
  barh: 'bar',
  histogram: 'bar',
  spline: 'line',
  arc: 'pie',
  donut: 'doughnut',
  ring: 'doughnut',
  point: 'scatter',
};

/** A point of a series. Its label is empty if only its position identifies it. */
interface Point {
  readonly label: string;
  readonly value: number | null;
}
interface PointSeries {
  readonly name: string;
  readonly points: readonly Point[];
}

/**
 * Parses a chart. Session events do not define its format. Accepted are: a table `{name, columns, rows}`, whose type may be
 * in the metadata of the data; `{type, series}` with plain numbers, points or `{name, data}` and separate labels; a list
 * of `{label, value}`; an object of columns or of numbers; and the formats of Chart.js, ECharts, Highcharts, Plotly and, with
 * data in it, Vega-Lite.
 */
export function toChart(data: unknown, metadata: Source = {}): ChartData | undefined {
  const chart = parseChart(data, metadata);
  return chart && isDrawable(chart) ? maskedChart(chart) : undefined;
}

/** With larger numbers, the sums of Chart.js become infinite and it would compute axis steps without end. */
export const MAX_NUMBER = 1e300;

const isDrawable = ({ series }: ChartData): boolean =>
  series.every(({ values }) => values.every((value) => Math.abs(value ?? 0) <= MAX_NUMBER));

/** Masks secrets, such as API keys, in the texts of a chart, and removes what would reorder what is drawn, or take long to draw. */
function maskedChart(chart: ChartData): ChartData {
  const maskKeys = displayMask();
  const mask = (text: string): string => limitAccents(withoutInvisible(maskKeys(text)));
  const maskLabel = (text: string): string => mask(text).slice(0, MAX_LABEL);
  return {
    ...chart,
    name: mask(chart.name),
    labels: chart.labels.map(maskLabel),
    ...(chart.labelName !== undefined && { labelName: maskLabel(chart.labelName) }),
    series: chart.series.map((one) => ({ ...one, name: maskLabel(one.name) })),
  };
}

function parseChart(data: unknown, metadata: Source): ChartData | undefined {
  const source = isList(data) ? { data } : data;
  if (!isRecord(source)) return undefined;
  const inner = isRecord(source['data']) ? source['data'] : source;
  const layout = isRecord(source['layout']) ? source['layout'] : source;
  const name = nameOf(source) || nameOf(layout);
  const rawSeries = [inner['datasets'], inner['series'], inner['values'], inner['y'], source['data']].find(
    (list) => isList(list) || (isRecord(list) && list !== inner),
  );
  const labels = labelsOf(inner, source);
  const type = typeOf([source, inner, metadata], rawSeries);
  const series = seriesOf(rawSeries);
  const isTable = series.length === 0 || (labels.length === 0 && isUnlabelled(rawSeries));
  const table = isTable ? chartOfTable(source, inner, { type, name }) : undefined;
  return table ?? (series.length === 0 ? chartOfObject(inner, { type, name }) : align({ type, name }, series, labels));
}

/** Whether the list contains objects with a value, and with a label under any other name: `{date, value}`. */
const isUnlabelled = (rawSeries: unknown): boolean =>
  isList(rawSeries) && rawSeries.every((item) => isRecord(item) && toPoint(item)?.label === '');

/** The type of a chart: its own, the one in its metadata, or that of its first series. */
function typeOf(sources: readonly Source[], rawSeries: unknown): ChartData['type'] {
  const [first] = isList(rawSeries) ? rawSeries : [];
  const inSeries = isRecord(first) ? [traceType(first)] : [];
  const typeNames = sources.flatMap(({ type, chart_type, chartType, chart, mark }) =>
    [type, chart_type, chartType, isRecord(chart) ? chart['type'] : chart, isRecord(mark) ? mark['type'] : mark].map(
      asName,
    ),
  );
  for (const name of [...typeNames, ...inSeries]) {
    const short = name.toLowerCase().replace(/[\s_-]?(?:chart|plot)$/, '');
    if (TYPES.has(short)) return short as ChartData['type'];
    const known = Object.hasOwn(TYPE_NAMES, short) ? TYPE_NAMES[short] : undefined;
    if (known) return known;
  }
  return 'bar';
}

/** The type of a series. Plotly's scatter connects its points, unless it has only markers. */
const traceType = ({ type, mode, x }: Source): string =>
  type === 'scatter' && isList(x) && mode !== 'markers' ? 'line' : asName(type);

/** Labels that are separate from the values: a list, or those of an axis. */
function labelsOf(inner: Source, source: Source): readonly string[] {
  const [axisX, axisY] = ['xAxis', 'yAxis'].map((name) => {
    const axis = inner[name] ?? source[name];
    const [first] = isList(axis) ? axis : [axis];
    return isRecord(first) ? (first['data'] ?? first['categories']) : axis;
  });
  const labels = [inner['labels'], inner['categories'], inner['x'], axisX, axisY].find(isList);
  return labels?.slice(0, MAX_POINTS).map(asName) ?? [];
}

const ISO_DATE = /^\d{4}-\d\d/;

/** Gives all series the same labels: the separate ones, otherwise those of their points, otherwise numbers. */
function align(
  chart: Pick<ChartData, 'type' | 'name'>,
  series: readonly PointSeries[],
  names: readonly string[],
): ChartData {
  const count = Math.max(...series.map(({ points }) => points.length));
  const ownLabels = series.map(({ points }) => points.map(({ label }) => label));
  const labelled = ownLabels.find((labels) => labels.some((label) => label !== '')) ?? [];
  const isShared = ownLabels.every((labels) =>
    labels.every((label, index) => label === '' || label === labelled[index]),
  );
  if (names.length > 0 || isShared) {
    return {
      ...chart,
      labels: [...Array(count).keys()].map((index) => names[index] || labelled[index] || String(index + 1)),
      series: series.map(({ name, points }) => ({ name, values: points.map(({ value }) => value) })),
    };
  }
  // Merges series whose points have their own labels. A repeated label within one series is a new label.
  const labelsByKey = new Map<string, string>();
  const keyed = series.map(({ name, points }) => {
    const occurrences = new Map<string, number>();
    const values = new Map<string, number | null>();
    for (const { label, value } of points) {
      const occurrence = (occurrences.get(label) ?? 0) + 1;
      occurrences.set(label, occurrence);
      const key = `${String(occurrence)} ${label}`;
      if (labelsByKey.size >= MAX_POINTS && !labelsByKey.has(key)) continue;
      labelsByKey.set(key, label);
      values.set(key, value);
    }
    return { name, values };
  });
  const all = [...labelsByKey];
  // Sortable labels are sorted, whichever series contains them first.
  if (all.every(([, label]) => toNumber(label) !== undefined))
    all.sort(([, left], [, right]) => Number(left) - Number(right));
  else if (all.every(([, label]) => ISO_DATE.test(label)))
    all.sort(([, left], [, right]) => (left < right ? -1 : Number(left > right)));
  return {
    ...chart,
    labels: all.map(([, label]) => label),
    series: keyed.map(({ name, values }) => ({ name, values: all.map(([key]) => values.get(key) ?? null) })),
  };
}

/**
 * One series for each numeric column. The labels are the first column without numbers, otherwise the first of several
 * columns. Empty cells are gaps.
 */
function chartOfTable(source: Source, inner: Source, chart: Pick<ChartData, 'type' | 'name'>): ChartData | undefined {
  const table = toTable(inner) ?? toTable(source);
  if (!table || table.rows.length === 0) return undefined;
  const rows = table.rows.slice(0, MAX_POINTS);
  const columns = table.columns.map((name, index) => {
    const cells = rows.map((row) => row[index]);
    const values = cells.map((cell) => (isEmpty(cell) ? null : (toNumber(cell) ?? parseCellNumber(cell))));
    const isBlank = values.every((value) => value === null);
    return { name, cells, values, isBlank, numeric: !isBlank && values.every((value) => value !== undefined) };
  });
  const chosen = (fields: readonly string[]) => {
    const names = fields.flatMap((field) => columnNames(source[field]));
    return columns.filter((column) => names.includes(column.name));
  };
  const labels =
    chosen(LABEL_COLUMN)[0] ??
    columns.find(({ numeric, isBlank }) => !numeric && !isBlank) ??
    (columns.length > 1 ? columns[0] : undefined);
  const numeric = columns.filter((column) => column.numeric && column !== labels);
  const valueColumns = chosen(VALUE_COLUMNS).filter((column) => numeric.includes(column));
  const series = (valueColumns.length > 0 ? valueColumns : numeric).slice(0, MAX_SERIES);
  if (series.length === 0) return undefined;
  return {
    ...chart,
    name: chart.name || table.name,
    labels: rows.map((_row, index) => asName(labels?.cells[index]) || String(index + 1)),
    ...(labels?.name && { labelName: labels.name }),
    series: series.map(({ name, values }) => ({ name, values: values.map((value) => value ?? null) })),
  };
}

/** A chart of columns by their names, `{month: […], sales: […]}`, or of several numbers by their labels, `{Jan: 5, Feb: 7}`. */
function chartOfObject(inner: Source, chart: Pick<ChartData, 'type' | 'name'>): ChartData | undefined {
  for (const object of [inner, inner['values'], inner['series']]) {
    if (!isRecord(object)) continue;
    const fields = Object.entries(object).slice(0, MAX_POINTS);
    const lists = fields.flatMap(([name, list]) => (isList(list) ? [{ name, list }] : [])).slice(0, MAX_SERIES + 1);
    const numbers = fields.filter(([name, value]) => !NAME_FIELDS.has(name) && toNumber(value) !== undefined);
    const hasOthers = fields.some(([name, value]) => !NAME_FIELDS.has(name) && toNumber(value) === undefined);
    const count = Math.min(MAX_POINTS, Math.max(0, ...lists.map(({ list }) => list.length)));
    const table =
      lists.length > 1
        ? {
            columns: lists.map(({ name }) => name),
            rows: [...Array(count).keys()].map((index) => lists.map(({ list }) => list[index])),
          }
        : { columns: ['', ''], rows: hasOthers || numbers.length < 2 ? [] : numbers };
    const found = chartOfTable(table, table, chart);
    if (found) return found;
  }
  return undefined;
}
/** Fields that describe a chart, not its data. */
const NAME_FIELDS = new Set(['name', 'title', 'type', 'chart_type', 'chartType', 'description', 'dataType']);

/** Fields that name columns of the table: `{x: 'date', y: ['open', 'close']}`. */
const LABEL_COLUMN = ['x', 'xField', 'xKey', 'xAxis', 'x_axis', 'category'];
const VALUE_COLUMNS = ['y', 'yField', 'yKey', 'yKeys', 'yAxis', 'y_axis', 'series'];

function columnNames(value: unknown): readonly string[] {
  if (isList(value)) return value.flatMap(columnNames);
  const name = asName(isRecord(value) ? (value['field'] ?? value['dataKey'] ?? value['key']) : value);
  return name === '' ? [] : [name];
}

function seriesOf(source: unknown): readonly PointSeries[] {
  if (isRecord(source)) {
    return seriesOf(Object.entries(source).flatMap(([name, data]) => (isList(data) ? [{ name, data }] : [])));
  }
  if (!isList(source) || source.length === 0) return [];
  const points = pointsOf(source);
  if (points) return [{ name: '', points }];
  return source
    .slice(0, MAX_SERIES)
    .filter(isRecord)
    .flatMap((item) => {
      const values = item['data'] ?? item['values'] ?? item['y'];
      const points = isList(values) ? pointsOf(values, [item['x'], item['labels']].find(isList)) : undefined;
      return points ? [{ name: nameOf(item) || asName(item['label']), points }] : [];
    });
}

/** Points as numbers, gaps, pairs or objects; undefined if one has any other form. */
function pointsOf(list: readonly unknown[], labels: readonly unknown[] = []): readonly Point[] | undefined {
  const points: Point[] = [];
  for (const [index, item] of enumerate(list.slice(0, MAX_POINTS))) {
    const point = toPoint(item);
    if (!point) return undefined;
    points.push({ ...point, label: asName(labels[index]) || point.label });
  }
  return points.some(({ value }) => value !== null) ? points : undefined;
}

function toPoint(item: unknown): Point | undefined {
  if (isEmpty(item)) return { label: '', value: null };
  if (isRecord(item)) {
    const value = 'value' in item ? item['value'] : 'y' in item && !isList(item['y']) ? item['y'] : undefined;
    if (value === undefined || isList(item['data'])) return undefined;
    const label = asName(item['label'] ?? item['x'] ?? item['name']);
    // A value may itself be a pair: `{value: [x, y]}`.
    const point = isRecord(value) ? undefined : toPoint(value);
    return point && { ...point, label: label || point.label };
  }
  if (isList(item)) {
    const point = item.length === 2 && !isRecord(item[1]) && !isList(item[1]) ? toPoint(item[1]) : undefined;
    return point && { ...point, label: asName(item[0]) };
  }
  const value = toNumber(item);
  return value === undefined ? undefined : { label: '', value };
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined;
}

/** Converts a chart to a table. */
export const chartAsTable = ({ name, labels, labelName = '', series }: ChartData, valueName: string): TableData => ({
  name,
  columns: [labelName, ...series.map((one) => one.name || valueName)],
  rows: labels.map((label, index) => [label, ...series.map(({ values }) => values[index])]),
});
