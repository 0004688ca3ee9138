/**
 * The rows behind a code block: line numbers, and the colours of added and removed lines in a diff. Each row gets the
 * text of its line as an attribute. While lines wrap, the stylesheet adds it invisibly (`::after`), so that the row is as high as its
 * line. It has no text content, so that nothing in it is found, selected or copied.
 */
import { enumerate } from '../../enumerate.ts';

/** The type of a diff line. */
type RowKind = 'added' | 'removed' | 'hunk' | 'head' | 'same';

export interface GutterRow {
  readonly kind: RowKind;
  /** The line number in the new file; for removed lines, in the old one. */
  readonly number: number | undefined;
}

export const isDiff = (language: string): boolean => /^(?:diff|patch|udiff)$/i.test(language);

const HUNK = /^@@+ -(\d+)(?:,\d+)? \+(\d+)/;
/** Lines before the hunks of a file. */
const HEAD = /^(?:diff |index |(?:old|new|deleted|similarity|rename|copy|Binary)\b)/;

/** Parses the lines of a diff. Without hunk headers the lines are counted from the start. */
export function parseDiff(lines: readonly string[]): readonly GutterRow[] {
  let [before, after] = [1, 1];
  const numbered = lines.some((line) => HUNK.test(line));
  return lines.map((line, index): GutterRow => {
    const [, was, is] = HUNK.exec(line) ?? [];
    if (was !== undefined && is !== undefined) {
      [before, after] = [Number(was), Number(is)];
      return { kind: 'hunk', number: undefined };
    }
    const next = lines[index + 1] ?? '';
    const previous = lines[index - 1] ?? '';
    const namesFile =
      (line.startsWith('--- ') && next.startsWith('+++ ')) || (line.startsWith('+++ ') && previous.startsWith('--- '));
    if (namesFile || HEAD.test(line) || line.startsWith('\\')) return { kind: 'head', number: undefined };
    const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';
    const number = kind === 'removed' ? before : after;
    if (kind !== 'added') before++;
    if (kind !== 'removed') after++;
    return { kind, number: numbered ? number : index + 1 };
  });
}

/** Creates the rows of a code block as one element. `data-digits` is the number of digits of its largest line number. */
export function createGutterRows(code: string, asDiff: boolean): HTMLElement {
  const lines = code.replace(/\n$/, '').split('\n');
  const rows = asDiff ? parseDiff(lines) : lines.map((_, index): GutterRow => ({ kind: 'same', number: index + 1 }));
  const all = document.createElement('span');
  all.className = 'rows';
  all.ariaHidden = 'true';
  for (const [index, { kind, number }] of enumerate(rows)) {
    const row = document.createElement('i');
    if (kind !== 'same') row.className = kind;
    row.dataset['number'] = String(number ?? '');
    row.dataset['text'] = lines[index] ?? '';
    all.append(row);
  }
  const largest = rows.reduce((maximum, { number = 0 }) => Math.max(maximum, number), 0);
  all.dataset['digits'] = String(Math.max(2, String(largest).length));
  return all;
}
