/** Sorts table rows, and converts tables to CSV and Markdown. */
import { parseCellNumber } from './cell-text.ts';

export interface Cells {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Whether all non-empty cells of a column are numbers. */
export const isNumeric = (rows: Cells['rows'], column: number): boolean => {
  const cells = rows.map((row) => row[column]).filter((cell) => cellText(cell).trim() !== '');
  return cells.length > 0 && cells.every((cell) => parseCellNumber(cell) !== undefined);
};

/** Sorts rows by one cell. `numeric`: the column contains numbers. */
export function sortRows<Row>(
  rows: readonly Row[],
  {
    cellOf,
    numeric,
    descending,
    locale,
  }: {
    readonly cellOf: (row: Row) => unknown;
    readonly numeric: boolean;
    readonly descending: boolean;
    readonly locale: string;
  },
): Row[] {
  const collator = new Intl.Collator(locale, { numeric: true });
  const sign = descending ? -1 : 1;
  return rows.toSorted((left, right) => {
    const [first, second] = [cellOf(left), cellOf(right)];
    const [isFirstEmpty, isSecondEmpty] = [cellText(first).trim() === '', cellText(second).trim() === ''];
    // Empty cells are last in both directions.
    if (isFirstEmpty || isSecondEmpty) return Number(isFirstEmpty) - Number(isSecondEmpty);
    // In a text column, numbers are compared as text.
    const [one, other] = numeric ? [parseCellNumber(first), parseCellNumber(second)] : [first, second];
    return typeof one === 'number' && typeof other === 'number'
      ? sign * (one - other)
      : sign * collator.compare(cellText(first), cellText(second));
  });
}

/**
 * Characters that start a formula in spreadsheets, including full-width ones, also after spaces, controls and invisible
 * characters: spreadsheets skip some of them.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}\p{DI}]*[=+\-@＝＋－＠])/u;
/**
 * What begins a formula where a spreadsheet splits a cell: at semicolons in many languages, at tabs and line ends when
 * the text is pasted. Quotes do not prevent it there, also those of the cell: two of them are an empty text.
 */
const SPLIT_FORMULA =
  /([;\t\r\n])(?=(?:(?![\t\r\n])[\s\p{C}\p{DI}"])*[=+\-@＝＋－＠])(?! *[+-]\d[\d.,]*(?:[;\t\r\n]|$))/gu;

/**
 * Converts to CSV (RFC 4180). Cells that a spreadsheet would treat as formulas get a leading apostrophe, so that text
 * of an agent never runs as a formula.
 */
export function toCsv({ columns, rows }: Cells): string {
  const cell = (value: unknown): string => {
    const text = cellText(value);
    const formula = typeof value === 'string' && FORMULA.test(text) && !Number.isFinite(Number(text));
    const safe = (formula ? `'${text}` : text).replace(SPLIT_FORMULA, "$1'");
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [columns, ...rows].map((row) => row.map(cell).join(',')).join('\r\n');
}

export const cellText = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : (value as string | number | boolean).toString();

/** Converts to a Markdown table of GitHub Flavored Markdown. `aligns`: the alignment of each column. */
export function toMarkdown(
  { columns, rows }: Cells,
  aligns: readonly ('left' | 'center' | 'right' | null | undefined)[] = [],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const cell = (value: unknown): string =>
    cellText(value)
      .replace(/\s+/g, (gap) => (gap.includes('\n') ? ' ' : gap))
      .replaceAll('|', '\\|');
  const rule = columns.map((_, index) => RULES[aligns[index] ?? 'none']);
  return [line(columns.map(cell)), line(rule), ...rows.map((row) => line(row.map(cell)))].join('\n');
}

const RULES = { left: ':--', center: ':-:', right: '--:', none: '---' } as const;
