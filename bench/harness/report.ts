/** Reports the results: on the console, as JSON in `results/`, and as a page of the documentation. */
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { format } from 'oxfmt';
import type { Goal, Section, Table } from './suite.ts';
import { toMarkdown } from './table.ts';

const RESULTS = join(import.meta.dirname, '../results');
/** Handwritten explanations of missed goals. */
const MISSED = join(import.meta.dirname, '../missed');
const PAGE = join(import.meta.dirname, '../../docs/performance.md');

/** A section with the circumstances of its measurement. */
interface StoredSection extends Section {
  readonly date: string;
  readonly rounds: number;
  readonly browser: string;
  readonly cores: number;
  /** The measured commit. */
  readonly commit: string;
}

const goalTable = (goals: readonly Goal[]): Table => ({
  head: ['goal', 'target', 'measured', 'met'],
  rows: goals.map(({ goal, wanted, figure, met }) => [String(goal), wanted, figure, met ? 'yes' : '**no**']),
});

export function print({ title, how, tables, goals }: Section): void {
  console.log(`\n${title}. ${how}\n`);
  for (const table of tables) console.log(`${toMarkdown(table)}\n`);
  if (goals.length > 0) console.log(`${toMarkdown(goalTable(goals))}\n`);
}

/** Stores a section, so that a report can combine runs of single suites. */
export async function storeSection(
  suite: string,
  section: Section,
  { rounds, browser }: { readonly rounds: number; readonly browser: string },
): Promise<void> {
  const stored: StoredSection = {
    ...section,
    date: new Date().toISOString().slice(0, 10),
    rounds,
    browser,
    cores: cpus().length,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  };
  await mkdir(RESULTS, { recursive: true });
  await writeFile(join(RESULTS, `${suite}.json`), `${JSON.stringify(stored, null, 2)}\n`);
}

export async function writeReport(suites: readonly string[]): Promise<void> {
  const results = await Promise.all(suites.map(read));
  const sections = results.filter((section) => section !== undefined);
  const goals = sections.flatMap((section) => section.goals).toSorted((left, right) => left.goal - right.goal);
  const explanations = (await readdir(MISSED)).toSorted().map((file) => readFile(join(MISSED, file), 'utf8'));
  const text = [
    HEAD,
    '## The goals',
    toMarkdown(goalTable(goals)),
    '## Where a goal is missed',
    ...(await Promise.all(explanations)),
    ...sections.flatMap(({ title, how, tables, date, rounds, browser, cores, commit }) => [
      `## ${title}`,
      how,
      ...tables.map(toMarkdown),
      `Chromium ${browser}, ${String(cores)} cores, ${rounds === 1 ? 'one round' : `medians of ${String(rounds)} rounds`}, ${date}, ${commit}.`,
    ]),
  ].join('\n\n');
  await writeFile(PAGE, (await format(PAGE, text)).code);
}

async function read(suite: string): Promise<StoredSection | undefined> {
  const text = await readFile(join(RESULTS, `${suite}.json`), 'utf8').catch(() => undefined);
  // Written by `storeSection` above.
  return text === undefined ? undefined : (JSON.parse(text) as StoredSection);
}

const HEAD = `# Performance

Written by \`npm run bench\`; \`bench/README.md\` describes how to run all or a part of it.

**Measured time.** CPU time of the page's main thread (\`TaskDuration\` of Chromium's DevTools protocol in its \`threadTicks\`
domain) for all its tasks: script, promises, style, layout, paint. Wall time would include the other load of the machine.

**Comparable figures.** Contestants alternate within a run, with the same seeded texts, split into tokens of 1 to 7 characters.
Ratios within one table are accurate to about 25 %. Rows of different tables or different days are not comparable.

**The limit** knows the final DOM beforehand and only adds its nodes as their text arrives, 32 blocks to a box with
\`contain: content; content-visibility: auto\`. No parser and no sanitiser run. It measures the cost of the browser itself.`;
