/** What was found: on the console, kept as JSON beside the bench, and as a page of the documentation. */
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { Goal, Section, Table } from './suite.ts';
import { toMarkdown } from './table.ts';

const RESULTS = join(import.meta.dirname, '../results');
/** Written by hand: why a goal is missed. */
const MISSED = join(import.meta.dirname, '../missed');
const PAGE = join(import.meta.dirname, '../../docs/performance.md');

/** A section and the circumstances in which it was measured. */
interface Kept extends Section {
  readonly date: string;
  readonly rounds: number;
  readonly browser: string;
  readonly cores: number;
  /** What was measured. */
  readonly commit: string;
}

const goalTable = (goals: readonly Goal[]): Table => ({
  head: ['goal', 'wanted', 'measured', 'met'],
  rows: goals.map(({ goal, wanted, figure, met }) => [String(goal), wanted, figure, met ? 'yes' : '**no**']),
});

export function print({ title, how, tables, goals }: Section): void {
  console.log(`\n${title}. ${how}\n`);
  for (const table of tables) console.log(`${toMarkdown(table)}\n`);
  if (goals.length > 0) console.log(`${toMarkdown(goalTable(goals))}\n`);
}

/** Keeps a section, so that a report can be written from runs of single suites. */
export async function keep(
  suite: string,
  section: Section,
  { rounds, browser }: { readonly rounds: number; readonly browser: string },
): Promise<void> {
  const kept: Kept = {
    ...section,
    date: new Date().toISOString().slice(0, 10),
    rounds,
    browser,
    cores: cpus().length,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  };
  await mkdir(RESULTS, { recursive: true });
  await writeFile(join(RESULTS, `${suite}.json`), `${JSON.stringify(kept, null, 2)}\n`);
}

export async function writeReport(suites: readonly string[]): Promise<void> {
  const found = await Promise.all(suites.map(read));
  const sections = found.filter((section) => section !== undefined);
  const goals = sections.flatMap((section) => section.goals).toSorted((left, right) => left.goal - right.goal);
  const missed = (await readdir(MISSED)).toSorted().map((file) => readFile(join(MISSED, file), 'utf8'));
  const text = [
    HEAD,
    '## The goals',
    toMarkdown(goalTable(goals)),
    '## Where a goal is missed',
    ...(await Promise.all(missed)),
    ...sections.flatMap(({ title, how, tables, date, rounds, browser, cores, commit }) => [
      `## ${title}`,
      how,
      ...tables.map(toMarkdown),
      `Chromium ${browser}, ${String(cores)} cores, ${rounds === 1 ? 'one round' : `medians of ${String(rounds)} rounds`}, ${date}, ${commit}.`,
    ]),
  ].join('\n\n');
  await writeFile(PAGE, await format(text, { ...(await resolveConfig(PAGE)), parser: 'markdown' }));
}

async function read(suite: string): Promise<Kept | undefined> {
  const text = await readFile(join(RESULTS, `${suite}.json`), 'utf8').catch(() => undefined);
  // Written by `keep` above.
  return text === undefined ? undefined : (JSON.parse(text) as Kept);
}

const HEAD = `# Performance

Written by \`npm run bench\`; \`bench/README.md\` describes how to run all or a part of it.

**Measured time.** CPU time of the page's main thread (\`TaskDuration\` of Chromium's DevTools protocol in its \`threadTicks\`
domain) for all its tasks: script, promises, style, layout, paint. Wall time would include the other load of the machine.

**Comparable figures.** Contestants alternate within a run, with the same seeded texts, split into tokens of 1 to 7 characters.
Ratios within one table are accurate to about 25 %. Rows of different tables or different days are not comparable.

**The limit** knows the final DOM beforehand and only adds its nodes as their text arrives, 32 blocks to a box with
\`contain: content; content-visibility: auto\`. No parser and no sanitiser run. It measures the cost of the browser itself.`;
