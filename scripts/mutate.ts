/**
 * Measures how many small changes of a module its unit tests notice: `npm run mutate -- conversation --count 70 --seed 1`.
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

/** The groups without a mutant, whose tests must pass: otherwise a busy machine would count as a mutant that is noticed. */
const UNCHANGED = 'unchanged';
/** One unchanged group to so many mutants. */
const MUTANTS_PER_CHECK = 10;

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

const files = await bundleTests(await findTests(values.tests?.split(',') ?? [`test/${module}/`]), [insertMutants]);
// Alone first, since all others would be run in vain.
await run(files, [UNCHANGED]);
const noticed = await run(
  files,
  sample.flatMap((_, index) => [
    ...(index % MUTANTS_PER_CHECK === 0 ? [`${UNCHANGED} ${String(index)}`] : []),
    String(index + 1),
  ]),
);
const survivors = sample.filter((_, index) => !noticed.has(String(index + 1)));
for (const { file, line, before, after } of survivors) console.log(`${file}:${String(line)}  ${before}  →  ${after}`);
console.log(`${module}: ${String(sample.length - survivors.length)} of ${String(sample.length)} mutants noticed`);
process.exit();

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
 * Runs all tests once for each group.
 *
 * @returns the groups with a failed test
 * @throws {Error} if one of them has no mutant
 */
async function run(tests: readonly string[], groups: readonly string[]): Promise<ReadonlySet<string>> {
  const failed = new Set<string>();
  const remember: Reporter = {
    onTestRunFinished({ sessions }) {
      for (const session of sessions) if (!session.passed) failed.add(session.group.name);
    },
  };
  const config: Partial<TestRunnerConfig> = {
    rootDir: process.cwd(),
    concurrency: 4,
    testsFinishTimeout: PAGE_MS,
    browsers: [launchers.chromium()],
    reporters: [remember],
    testFramework: { config: { timeout: '20000', bail: 'true' } },
    groups: groups.map((name) => ({
      name,
      files: [...tests],
      testRunnerHtml: (path) =>
        `<script>globalThis.mutant = ${String(Number(name) || 0)}</script><script type="module" src="${path}"></script>`,
    })),
  };
  const runner = await startTestRunner({ autoExitProcess: false, readCliArgs: false, readFileConfig: false, config });
  await new Promise<void>((done) => {
    runner?.on('stopped', () => {
      done();
    });
    if (!runner) done();
  });
  if ([...failed].some((name) => name.startsWith(UNCHANGED))) throw new Error('The tests fail without a mutant.');
  return failed;
}
