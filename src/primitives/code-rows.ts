/**
 * The rows behind a block of code: their numbers, and the tint of what a diff adds and takes away. Each is told what its line says,
 * so that it breaks where the line breaks, but has no text of its own: nothing there is found, selected or copied.
 */

/** What a line of a diff is. */
type RowKind = 'added' | 'removed' | 'hunk' | 'head' | 'same';

export interface Row {
  readonly kind: RowKind;
  /** Of the line in its file: as it is now, or as it was where it is taken away. */
  readonly number: number | undefined;
}

export const isDiff = (language: string): boolean => /^(?:diff|patch|udiff)$/i.test(language);

const HUNK = /^@@+ -(\d+)(?:,\d+)? \+(\d+)/;
/** What stands before the hunks of a file. */
const HEAD = /^(?:diff |index |(?:old|new|deleted|similarity|rename|copy|Binary)\b)/;

/** The lines of a diff. Where it says no line numbers, its lines are counted. */
export function readDiff(lines: readonly string[]): readonly Row[] {
  let [before, after] = [1, 1];
  const numbered = lines.some((line) => HUNK.test(line));
  return lines.map((line, index): Row => {
    const [, was, is] = HUNK.exec(line) ?? [];
    if (was !== undefined && is !== undefined) {
      [before, after] = [Number(was), Number(is)];
      return { kind: 'hunk', number: undefined };
    }
    const next = lines[index + 1] ?? '';
    const last = lines[index - 1] ?? '';
    const namesFile =
      (line.startsWith('--- ') && next.startsWith('+++ ')) || (line.startsWith('+++ ') && last.startsWith('--- '));
    if (namesFile || HEAD.test(line) || line.startsWith('\\')) return { kind: 'head', number: undefined };
    const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';
    const number = kind === 'removed' ? before : after;
    if (kind !== 'added') before++;
    if (kind !== 'removed') after++;
    return { kind, number: numbered ? number : index + 1 };
  });
}

/** The rows of a code, as one element, which knows how many digits its numbers have. */
export function rowsOf(code: string, asDiff: boolean): HTMLElement {
  const lines = code.replace(/\n$/, '').split('\n');
  const rows = asDiff ? readDiff(lines) : lines.map((_, index): Row => ({ kind: 'same', number: index + 1 }));
  const all = document.createElement('span');
  all.className = 'rows';
  all.ariaHidden = 'true';
  for (const [index, { kind, number }] of rows.entries()) {
    const row = document.createElement('i');
    if (kind !== 'same') row.className = kind;
    row.dataset['number'] = String(number ?? '');
    row.dataset['text'] = lines[index] ?? '';
    all.append(row);
  }
  const largest = rows.reduce((most, { number = 0 }) => Math.max(most, number), 0);
  all.dataset['digits'] = String(Math.max(2, String(largest).length));
  return all;
}
