/** Reads and sorts the cells of a table. */
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

/** The text of a cell value. Objects become JSON. */
export const cellText = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : (value as string | number | boolean).toString();
