/** Runs the unit and element tests in real browsers. */
import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import {
  defaultReporter,
  startTestRunner,
  type Reporter,
  type TestRunnerConfig,
  type TestSuiteResult,
} from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { browserPool } from './browser-pool.ts';
import { bundleTests } from './bundle-tests.ts';
import { browserArguments, findBrowser, findTestBrowser, wantedEngines, type Engine } from './find-browser.ts';
import type { Count } from './count.ts';
import { stopTogether } from './stop-together.ts';
import { webkitLauncher } from './webkit-launcher.ts';

/** Pages that run in parallel, for at most four cores: a page waits about half of its time. In the other engines each is a browser. */
const pagesAtOnce = (engine: Engine): number => (engine === 'chromium' ? 3 : 2) * Math.min(availableParallelism(), 4);

type Launcher = NonNullable<TestRunnerConfig['browsers']>[number];

export const launchers: Readonly<Record<Engine, () => Launcher>> = {
  // All pages of this launcher count as visible. A hidden page renders nothing.
  chromium: () =>
    playwrightLauncher({
      product: 'chromium',
      launchOptions: { executablePath: findTestBrowser(), args: browserArguments },
    }),
  // With this channel Playwright uses WebDriver BiDi, which every Firefox supports; otherwise it needs its own build.
  firefox: () =>
    browserPool(pagesAtOnce('firefox'), () =>
      playwrightLauncher({
        product: 'firefox',
        launchOptions: {
          executablePath: findBrowser('firefox'),
          channel: 'moz-firefox',
          firefoxUserPrefs: { 'focusmanager.testmode': true },
        },
      }),
    ),
  webkit: () => webkitLauncher(findBrowser('webkit')),
};

interface Outcome extends Count {
  /** The files with a failed test, and files that could not be run. */
  readonly broken: readonly string[];
}

/** Counts the results, which the other reporters only print. */
function counter(tell: (outcome: Outcome) => void): Reporter {
  return {
    onTestRunFinished({ sessions }) {
      let [passed, failed] = [0, 0];
      const add = (suite: TestSuiteResult | undefined): void => {
        for (const test of suite?.tests ?? []) {
          if (test.passed) passed++;
          else if (!test.skipped) failed++;
        }
        for (const inner of suite?.suites ?? []) add(inner);
      };
      for (const session of sessions) {
        add(session.testResults);
        // A file that could not be run counts as a failure; otherwise an empty run would pass.
        if (!session.passed && session.errors.length > 0) failed++;
      }
      tell({ passed, failed, broken: sessions.filter((session) => !session.passed).map(({ testFile }) => testFile) });
    },
  };
}

/** Runs the tests whose path contains one of the given words, or all, in one engine after the other. */
export async function unit(only: readonly string[] = [], engines = wantedEngines()): Promise<Count> {
  const total = { passed: 0, failed: 0 };
  if (engines.length === 0) return total;
  const files = await bundleTests(await findTests(only));
  for (const engine of engines) {
    const startedAt = Date.now();
    const first = await run(engine, files);
    const again = await runAgain(engine, first);
    const passed = first.passed + again.passed;
    total.passed += passed;
    total.failed += again.failed;
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    console.log(`unit in ${engine}: ${String(passed)} passed, ${String(again.failed)} failed, ${String(seconds)} s`);
  }
  return total;
}

/** Finds the unit tests whose path contains one of the given words, or all. */
export async function findTests(only: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const file of (await readdir('test', { recursive: true })).map((path) => path.replaceAll('\\', '/')).sort()) {
    if (!file.endsWith('.test.ts') || /^(?:e2e|examples|interop)\//.test(file)) continue;
    if (only.length === 0 || only.some((word) => `test/${file}`.includes(word))) files.push(`test/${file}`);
  }
  return files;
}

/** Runs failed files once more, since a busy machine causes timeouts. Files that pass the second time are reported. */
async function runAgain(engine: Engine, { failed, broken }: Outcome): Promise<Count> {
  if (broken.length === 0 || broken.length > FEW) return { passed: 0, failed };
  console.log(`${broken.join(', ')} failed, and run${broken.length > 1 ? '' : 's'} once more`);
  const second = await run(engine, broken);
  if (second.failed === 0) console.log(`Passed only the second time: ${broken.join(', ')}`);
  // The other tests of these files were counted in the first run.
  return { passed: failed - second.failed, failed: second.failed };
}

/** With more failed files than this, nothing is run again. */
const FEW = 3;

async function run(engine: Engine, files: readonly string[]): Promise<Outcome> {
  let outcome: Outcome = { passed: 0, failed: 1, broken: [] };
  const runner = await startTestRunner({
    autoExitProcess: false,
    readCliArgs: false,
    readFileConfig: false,
    config: {
      rootDir: process.cwd(),
      files: [...files],
      concurrency: pagesAtOnce(engine),
      // Firefox takes longer than the default (30 s) to open a page on a busy machine, and its browser is lost to the others then.
      browserStartTimeout: 120_000,
      testsFinishTimeout: 240_000,
      browsers: [launchers[engine]()],
      plugins: [esbuildPlugin({ ts: true, target: 'es2022', tsconfig: './tsconfig.json' })],
      reporters: [
        defaultReporter({ reportTestProgress: false }),
        counter((told) => {
          outcome = told;
        }),
      ],
      testFramework: { config: { timeout: '20000' } },
    },
  });
  await new Promise<void>((resolve) => {
    runner?.on('stopped', () => {
      resolve();
    });
    if (!runner) resolve();
  });
  return outcome;
}

if (process.argv[1]?.endsWith('unit.ts')) {
  stopTogether();
  const { failed } = await unit(process.argv.slice(2));
  process.exit(failed > 0 ? 1 : 0);
}
