/**
 * Measures how many small changes of a module its unit tests notice: `npm run mutate -- conversation --count 70 --seed 1`.
 * The test files that reach a change run for it.
 * `--tests a,b` names other tests than `test/<module>`, `--files a,b` the only files to change. Prints the mutants that no test noticed.
 */
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startTestRunner, type Reporter, type TestRunnerConfig } from '@web/test-runner';
import type { Plugin } from 'vite';
import { bundleTests } from './bundle-tests.ts';
import { mutantsOf, withMutants, type Mutant } from './find-mutants.ts';
import { stopTogether } from './stop-together.ts';
import { findTests, launchers } from './unit.ts';

stopTogether();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '70' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string' },
    files: { type: 'string' },
  },
});
const [module] = positionals;
if (!module) throw new Error('Name a module: npm run mutate -- conversation');

/** A mutant may loop without end. */
const PAGE_MS = 90_000;
/** Without a mutant nothing loops, and each page sends a request for each mutant that its tests reach. */
const UNCHANGED_PAGE_MS = 240_000;

/** A group without a mutant, whose tests must pass: otherwise a busy machine would count as a mutant that is noticed. */
const UNCHANGED = 'unchanged';
/** How often a group is run again because the tests failed without a mutant. */
const ATTEMPTS = 3;

/** The pages tell this address which mutants their tests reach. */
const REACHED = '/reached-mutant';

/** The script of a page that tells once for each mutant that its tests reach it. */
const TELL_REACHED = `{
  const seen = new Set();
  globalThis.isMutant = (number) => {
    const test = encodeURIComponent(__WTR_CONFIG__.testFile.split('?')[0].slice(1));
    if (seen.has(number)) return false;
    seen.add(number);
    // Synchronous: the page is closed as soon as its tests have finished.
    const request = new XMLHttpRequest();
    request.open('GET', '${REACHED}?test=' + test + '&mutant=' + number, false);
    request.send();
    return false;
  };
}`;

interface Group {
  readonly name: string;
  readonly files: readonly string[];
}

const sample = pick(await allMutants(`src/${module}`), Number(values.count), Number(values.seed));
const numbered = sample.map((mutant, index) => [index + 1, mutant] as const);

const insertMutants: Plugin = {
  name: 'insert-mutants',
  enforce: 'pre',
  transform(code, id) {
    const here = numbered.filter(([, { file }]) => resolve(file) === id.split('?')[0]);
    return here.length > 0 ? { code: withMutants(id, code, new Map(here)), map: null } : undefined;
  },
};

/** Test files by the mutants that they reach. A file alone on its page is not run in vain for the sake of another one. */
const filesOf = new Map<string, Set<string>>();
const files = await bundleTests(await findTests(values.tests?.split(',') ?? [`test/${module}/`]), [insertMutants], 1);
// Alone first, since all others would be run in vain.
await runUnchanged(files);
/** The test files that reach each mutant: first those that reach the fewest mutants, which are more likely to be about this one. */
const reached = sample.map((_, index) =>
  [...(filesOf.get(String(index + 1)) ?? [])].sort((one, other) => mutantsReachedBy(one) - mutantsReachedBy(other)),
);
const noticed = await runInRounds();
console.log(`${module}: ${String(noticed.size)} of ${String(sample.length)} mutants noticed`);
process.exit();

function mutantsReachedBy(test: string): number {
  return [...filesOf.values()].filter((tests) => tests.has(test)).length;
}

async function allMutants(folder: string): Promise<readonly Mutant[]> {
  const selected = values.files?.split(',');
  const names = (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith('.ts') && (!selected || selected.includes(name.slice(0, -3))))
    .sort();
  const mutants = await Promise.all(
    names.map(async (name) => mutantsOf(`${folder}/${name}`, await readFile(`${folder}/${name}`, 'utf8'))),
  );
  return mutants.flat();
}

/** Prints a mutant that no test has noticed. */
function printSurvivor(name: string): void {
  const index = Number(name) - 1;
  const [mutant, tests = []] = [sample[index], reached[index]];
  if (!mutant) return;
  const { file, line, before, after } = mutant;
  console.log(`${file}:${String(line)}  ${before}  →  ${after}  (reached by ${String(tests.length)} test files)`);
}

/**
 * Runs the tests that reach each mutant, twice as many in each round, because most mutants are noticed by the first test.
 * Prints the survivors after each round: a run that is stopped has a result too.
 *
 * @returns the numbers of the mutants that a test noticed
 */
async function runInRounds(): Promise<ReadonlySet<string>> {
  const all = new Set<string>();
  let open = reached.map((tests, index) => ({ name: String(index + 1), tests }));
  for (let count = 1; open.length > 0; count *= 2) {
    open = open.filter(({ name }) => !all.has(name));
    for (const { name, tests } of open) if (tests.length === 0) printSurvivor(name);
    open = open.filter(({ tests }) => tests.length > 0);
    console.log(`${String(all.size)} mutants noticed, ${String(open.length)} open`);
    const groups = open.map(({ name, tests }) => ({ name, files: tests.slice(0, count) }));
    const [first] = groups;
    if (!first) break;
    for (const name of await run([{ ...first, name: UNCHANGED }, ...groups])) all.add(name);
    open = open.map(({ name, tests }) => ({ name, tests: tests.slice(count) }));
  }
  return all;
}

/** Picks mutants at random, the same ones for the same seed. */
function pick(all: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  const rest = [...all];
  const picked: Mutant[] = [];
  let state = seed;
  while (picked.length < count && rest.length > 0) {
    // A linear congruential generator with the constants of Numerical Recipes.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    picked.push(...rest.splice(Math.floor((state / 2 ** 32) * rest.length), 1));
  }
  return picked;
}

/**
 * Runs all tests without a mutant, and those that fail again.
 *
 * @throws {Error} if a test keeps failing
 */
async function runUnchanged(all: readonly string[]): Promise<void> {
  let remaining = all;
  for (let attempt = 0; attempt < ATTEMPTS && remaining.length > 0; attempt++) {
    const failed = await runOnce([{ name: UNCHANGED, files: remaining }], UNCHANGED_PAGE_MS);
    remaining = failed.get(UNCHANGED) ?? [];
  }
  if (remaining.length > 0) throw new Error(`These tests fail without a mutant: ${remaining.join(', ')}`);
}

/**
 * Runs the tests of each group, and again if those of the unchanged group fail.
 *
 * @returns the groups with a failed test
 * @throws {Error} if the unchanged group keeps failing
 */
async function run(groups: readonly Group[]): Promise<ReadonlySet<string>> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const failed = await runOnce(groups);
    if (!failed.has(UNCHANGED)) return new Set(failed.keys());
  }
  throw new Error('The tests fail without a mutant.');
}

/** Runs the tests of each group once. @returns the files with a failed test by the name of their group */
async function runOnce(groups: readonly Group[], pageMs = PAGE_MS): Promise<ReadonlyMap<string, readonly string[]>> {
  const failed = new Map<string, readonly string[]>();
  const remember: Reporter = {
    onTestRunFinished({ sessions }) {
      for (const { passed, group, testFile } of sessions) {
        if (!passed) failed.set(group.name, [...(failed.get(group.name) ?? []), testFile]);
      }
    },
  };
  const config: Partial<TestRunnerConfig> = {
    rootDir: process.cwd(),
    concurrency: 4,
    testsFinishTimeout: pageMs,
    browsers: [launchers.chromium()],
    reporters: [remember],
    testFramework: { config: { timeout: '20000', bail: 'true' } },
    middleware: [
      (context, next) => {
        if (context.path !== REACHED) return next();
        const { mutant, test } = context.query;
        filesOf.set(String(mutant), (filesOf.get(String(mutant)) ?? new Set()).add(String(test)));
        context.status = 204;
        return undefined;
      },
    ],
    groups: groups.map(({ name, files }) => ({
      name,
      files: [...files],
      testRunnerHtml: (path) => `<script>${name === UNCHANGED ? TELL_REACHED : selectMutant(name)}</script>
        <script type="module" src="${path}"></script>`,
    })),
  };
  const runner = await startTestRunner({ autoExitProcess: false, readCliArgs: false, readFileConfig: false, config });
  await new Promise<void>((done) => {
    runner?.on('stopped', () => {
      done();
    });
    if (!runner) done();
  });
  return failed;
}

/** Returns the script of a page in which the mutant of a group is active, and none if the group has none. */
function selectMutant(name: string): string {
  return `globalThis.isMutant = (number) => number === ${String(Number(name) || 0)};`;
}
