/** Cells of a table as numbers and words, in an order, and as files of other programs have them. */

export interface Cells {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** How people write numbers, and what of that is no digit. `007` is a name, `1,310` has a group rather than three decimals. */
const WRITTEN: readonly (readonly [shape: RegExp, groups: RegExp])[] = [
  [/^[-+]?\d{1,3}(?:[,'’\s]\d{3})+(?:\.\d+)?$/, /[,'’\s]/g],
  [/^[-+]?\d{1,3}(?:(?:[.\s]\d{3})+,\d+|(?:\.\d{3}){2,})$/, /[.\s]/g],
  [/^[-+]?(?:0|[1-9]\d*)(?:[.,]\d+)?$/, /\s/g],
];

/** The number that a cell shows, with its currency or per cent or without; undefined where it is none. */
export function numberOf(cell: unknown): number | undefined {
  if (typeof cell === 'number') return cell;
  if (typeof cell !== 'string') return undefined;
  const bare = cell
    .trim()
    .replace('−', '-')
    .replace(/^([-+]?)\p{Sc}\s?/u, '$1')
    .replace(/\s?[%\p{Sc}]$/u, '');
  const [, groups] = WRITTEN.find(([shape]) => shape.test(bare)) ?? [];
  return groups && Number(bare.replace(groups, '').replace(',', '.'));
}

/** Whether a column holds numbers, as far as it holds anything. */
export const isNumeric = (rows: Cells['rows'], column: number): boolean => {
  const cells = rows.map((row) => row[column]).filter((cell) => cellText(cell).trim() !== '');
  return cells.length > 0 && cells.every((cell) => numberOf(cell) !== undefined);
};

/** Puts rows in the order of one of their cells. `numeric`: the column holds numbers. */
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
  const turn = descending ? -1 : 1;
  return rows.toSorted((left, right) => {
    const [first, second] = [cellOf(left), cellOf(right)];
    const [isFirstEmpty, isSecondEmpty] = [cellText(first).trim() === '', cellText(second).trim() === ''];
    // What is missing is neither small nor large: it stands last either way.
    if (isFirstEmpty || isSecondEmpty) return Number(isFirstEmpty) - Number(isSecondEmpty);
    // In a column of words, one that could be a number is a word.
    const [one, other] = numeric ? [numberOf(first), numberOf(second)] : [first, second];
    return typeof one === 'number' && typeof other === 'number'
      ? turn * (one - other)
      : turn * collator.compare(cellText(first), cellText(second));
  });
}

/** What a spreadsheet takes for a formula: the signs, wide ones too, also behind a line end or a tab. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * RFC 4180. A cell that a spreadsheet would take for a formula gets an apostrophe in front: what an agent writes must not run
 * where the reader pastes it.
 */
export function toCsv({ columns, rows }: Cells): string {
  const cell = (value: unknown): string => {
    const text = cellText(value);
    const formula = typeof value === 'string' && FORMULA.test(text) && !Number.isFinite(Number(text));
    const safe = formula ? `'${text}` : text;
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

/** A table as GFM has it. `aligns`: where the cells of each column stand. */
export function toMarkdown(
  { columns, rows }: Cells,
  aligns: readonly ('left' | 'center' | 'right' | null | undefined)[] = [],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const cell = (value: unknown): string =>
    cellText(value)
      .replace(/\s*\n\s*/g, ' ')
      .replaceAll('|', '\\|');
  const rule = columns.map((_, index) => RULES[aligns[index] ?? 'none']);
  return [line(columns.map(cell)), line(rule), ...rows.map((row) => line(row.map(cell)))].join('\n');
}

const RULES = { left: ':--', center: ':-:', right: '--:', none: '---' } as const;
