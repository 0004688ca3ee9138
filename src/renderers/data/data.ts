/** Structured data: tables, charts, images, and kinds of data that only the host page can render. */
import { html, nothing, type TemplateResult } from 'lit';
import type { BlockOf } from '../../model/blocks.ts';
import { imageOf } from '../media/policy-image.ts';
import { truncateForDisplay } from '../tools/truncate-for-display.ts';
import { jsonTree } from '../tools/json-tree.ts';
import { showInvisible } from '../../safety/show-invisible.ts';
import { lazy } from '../core/lazy.ts';
import type { RenderContext } from '../core/renderer.ts';
import { maskDisplayedText } from '../../safety/sent-secrets.ts';
import { chartAsTable, toChart } from './parse-chart.ts';
import { emptyTable, isEmptyData, toTable } from './parse-table.ts';
import { tableView } from './table.ts';
import { shortText } from '../core/short-text.ts';

interface DataProps {
  readonly block: BlockOf<'data'>;
  readonly context: RenderContext;
}

export function dataView({ block, context }: DataProps): TemplateResult {
  const caption = captionOf(block);
  return html`<div part="block block-data">${kindOf(block.data.data_type)(block, context, caption)}</div>`;
}

type Kind = (block: BlockOf<'data'>, context: RenderContext, caption: string) => unknown;

const dataframe: Kind = (block, context, caption) => {
  const { data } = block.data;
  const table = toTable(data) ?? (isEmptyData(data) ? emptyTable(data) : undefined);
  return table ? tableView(table, context, caption) : tree(block, context, caption);
};

const chart: Kind = (block, context, caption) => {
  const data = toChart(block.data.data, block.data.metadata);
  if (!data) return dataframe(block, context, caption);
  const marks = data.labels.length * data.series.length;
  const asTable = tableView(chartAsTable(data, context.settings.localize('data.value')), context, caption);
  const isRound = data.type === 'pie' || data.type === 'doughnut';
  if (marks > (isRound ? MAX_SLICES : MAX_MARKS)) return asTable;
  return lazy(loadChart, { chart: data, caption, context }, asTable);
};
/** More points are shown as a table: a chart of them takes seconds to draw, and shows little. */
const MAX_MARKS = 10_000;
/** Each slice of a pie also has an entry in the legend. */
const MAX_SLICES = 500;
const loadChart = async () => (await import('./chart.ts')).chartView;

const image: Kind = (block, context, caption) => {
  const value = block.data.data;
  const fields = typeof value === 'string' ? { image: value } : record(value);
  const { url, src, image: source, data, base64, mimeType, mime_type, name } = fields;
  const type = text(mimeType ?? mime_type) || 'image/png';
  const encoded = text(data ?? base64);
  const address = encoded === '' ? text(url) || text(src) || text(source) : toDataUrl(encoded, type);
  if (address === '') return tree(block, context, caption);
  return imageOf(BASE64.test(address) ? toDataUrl(address, type) : address, caption || text(name), context.settings);
};
const toDataUrl = (bytes: string, type: string): string =>
  /^data:/i.test(bytes) ? bytes : `data:${type};base64,${bytes}`;
/** The bytes of a PNG, JPEG, GIF or WebP image without a data URL around them. */
const BASE64 = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)[\w+/=\s]+$/;

const tree: Kind = (block, context, caption) =>
  html`<section class="card json" role="group" aria-label=${caption || nothing}>
    ${caption ? html`<div class="bar"><b class="grow clip" dir="auto">${caption}</b></div>` : nothing}
    ${typeof block.data.data === 'string' ? plainText(block.data.data) : jsonTree(block.data.data, context)}
  </section>`;

/** Text of another format, such as YAML, keeps its lines. */
const plainText = (text: string): unknown =>
  html`<pre class="json-tree" tabindex="0" translate="no">${truncateForDisplay(text, showInvisible)}</pre>`;

/** Session events define `name`, `columns` and `rows` for every kind of data. A table would hide any other fields. */
const custom: Kind = (block, context, caption) => {
  const names = Object.keys(record(block.data.data));
  const isTable =
    ['columns', 'rows'].every((name) => names.includes(name)) && names.every((name) => TABLE_FIELDS.has(name));
  return (isTable ? dataframe : tree)(block, context, caption);
};
const TABLE_FIELDS = new Set(['dataType', 'name', 'title', 'columns', 'rows']);

const kinds: Readonly<Record<BlockOf<'data'>['data']['data_type'], Kind>> = { dataframe, chart, image, custom };

/** An unknown kind, for example of a later protocol version, is shown as JSON. */
const kindOf = (type: string): Kind => (Object.hasOwn(kinds, type) ? kinds[type as keyof typeof kinds] : tree);

/** The title of the data: the description that the agent sent with it. */
function captionOf({ data }: BlockOf<'data'>): string {
  return shortText(maskDisplayedText(text(data.metadata?.['description']) || text(data.metadata?.['dataType'])));
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
