/** Prints the results of a repository, and of all. */
import type { Result } from './check.ts';
import type { Found } from './explanations.ts';
import type { Repository } from './source/repositories.ts';

export interface Row {
  readonly repository: Repository;
  /** The commit that was read. */
  readonly commit: string;
  readonly skipped: ReadonlyMap<string, number>;
  readonly results: readonly Result[];
}

const SHOWN_LENGTH = 300;

const count = ({ results }: Row): { all: number; different: number; explained: number } => {
  const different = results.filter(({ unexplained }) => unexplained.length > 0).length;
  const explained = results.filter((one) => one.unexplained.length === 0 && one.explained.length > 0).length;
  return { all: results.length, different, explained };
};

export function printRow(row: Row): void {
  const { all, different, explained } = count(row);
  const commit = row.commit === row.repository.commit ? '' : ` (at ${row.commit})`;
  console.log(
    `${row.repository.name}${commit}: ${String(all)} recordings, ${String(all - different - explained)} right, ` +
      `${String(explained)} explained, ${String(different)} different`,
  );
  for (const [reason, times] of row.skipped) console.log(`  skipped: ${String(times)} × ${reason}`);
  for (const { recording, unexplained } of row.results) {
    const [first] = unexplained;
    if (!first) continue;
    console.log(`  ${recording.file} [${String(recording.index)}] ${recording.url.pathname}`);
    console.log(`    ${[...new Set(unexplained.map(({ field }) => field))].join(', ')}; ${ways(unexplained)}`);
    console.log(`    expected ${around(first.expected, first.shown)}`);
    console.log(`    shown    ${around(first.shown, first.expected)}`);
  }
}

const ways = (found: readonly Found[]): string => [...new Set(found.map(({ way }) => way))].join('; ');

/** The text from shortly before the first character that differs. */
function around(text: string, other: string): string {
  let same = 0;
  while (same < text.length && text[same] === other[same]) same++;
  const start = Math.max(0, same - 40);
  return (start > 0 ? '…' : '') + text.slice(start, start + SHOWN_LENGTH);
}

export function printTotal(rows: readonly Row[]): void {
  const counts = rows.map(count);
  const sum = (of: (one: (typeof counts)[number]) => number): string =>
    String(counts.map(of).reduce((a, b) => a + b, 0));
  const used = counts.filter(({ all }) => all > 0).length;
  console.log(
    `\n${sum(({ all }) => all)} recordings from ${String(used)} repositories, ` +
      `${sum(({ explained }) => explained)} explained, ${sum(({ different }) => different)} different`,
  );
  const reasons = new Map<string, number>();
  for (const { results } of rows)
    for (const { explained } of results) for (const one of explained) reasons.set(one, (reasons.get(one) ?? 0) + 1);
  for (const [reason, times] of reasons) console.log(`  ${String(times)} × ${reason}`);
}
