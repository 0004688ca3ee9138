/** Converts the data in an agent's response to a table, a chart or a value. Source: `docs/protocols/deepchat-events.md`. */
import type { AgentResponseContent } from '../agent-message.ts';
import type { DataPayload } from '../blocks.ts';

/** CSV becomes a table, and data with a `visualization` what that says. Everything else is shown unchanged. */
export function responseData({
  format,
  content,
  visualization,
}: NonNullable<AgentResponseContent['data']>): DataPayload {
  const { type } = visualization ?? {};
  if (type === 'table') return { data_type: 'dataframe', data: parse(format, content) };
  if (visualization) return { data_type: 'chart', data: { ...visualization, data: parse(format, content) } };
  if (format === 'csv') return { data_type: 'dataframe', data: parse(format, content) };
  return { data_type: 'custom', data: format === 'json' ? parse(format, content) : content };
}
/** Parses text by its format; other data is returned unchanged. A list of rows uses its first row as the columns. */
function parse(format: string, content: unknown): unknown {
  if (typeof content !== 'string') {
    if (format !== 'csv' || !isTable(content)) return content;
    const [columns = [], ...rows] = content;
    return { columns, rows };
  }
  if (format === 'csv') {
    const [columns = [], ...rows] = parseCsv(content);
    return { columns, rows };
  }
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return content;
  }
}

const isTable = (value: unknown): value is readonly (readonly unknown[])[] =>
  Array.isArray(value) && value.every((row) => Array.isArray(row));

/** The separators of CSV: semicolons where a comma is the decimal sign, and tabs. The first line decides. */
const FIELDS = [
  [',', /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n?|\n|$)/gy],
  [';', /("(?:[^"]|"")*"|[^;\r\n]*)(;|\r\n?|\n|$)/gy],
  ['\t', /("(?:[^"]|"")*"|[^\t\r\n]*)(\t|\r\n?|\n|$)/gy],
] as const;

/** RFC 4180: quoted fields may hold separators, line ends and doubled quotes. */
function parseCsv(text: string): string[][] {
  const [header = ''] = text.split(/[\r\n]/, 1);
  const [separator, fields] = FIELDS.find(([mark]) => header.includes(mark)) ?? FIELDS[0];
  const rows: string[][] = [];
  let row: string[] = [];
  for (const match of text.matchAll(fields)) {
    const [whole, field = '', end = ''] = match;
    if (whole === '' && row.length === 0) break;
    row.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (end !== separator) {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}
