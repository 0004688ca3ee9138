/** Converts a table to the text that is copied: CSV or Markdown. */
import { cellText, type Cells } from './table-cells.ts';

/**
 * Characters that start a formula in spreadsheets, including full-width ones, also after spaces, controls and invisible
 * characters: spreadsheets skip some of them.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}\p{DI}]*[=+\-@＝＋－＠])/u;
/**
 * Positions in a cell at which a spreadsheet may split it before a formula: at semicolons in many languages, at tabs and line
 * ends when the text is pasted. Quotes do not prevent the split. Quotes at the start of the split part are skipped, because two of
 * them are an empty text.
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
