/** Unit and element tests in a real browser. */
import { readFile } from 'node:fs/promises';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import {
  defaultReporter,
  startTestRunner,
  type Reporter,
  type TestRunnerConfig,
  type TestSuiteResult,
} from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { browserArguments, findBrowser } from './find-browser.ts';
import type { Count } from './count.ts';

type Plugin = NonNullable<TestRunnerConfig['plugins']>[number];

/** Sheets as the build imports them: their text. */
const inlineCss: Plugin = {
  name: 'inline-css',
  resolveMimeType: ({ path, originalUrl }) =>
    path.endsWith('.css') && originalUrl.includes('?inline') ? 'js' : undefined,
  async serve({ path, originalUrl }) {
    if (!path.endsWith('.css') || !originalUrl.includes('?inline')) return undefined;
    const text = await readFile(`.${path}`, 'utf8');
    return { body: `export default ${JSON.stringify(text)}`, type: 'js' };
  },
};

/** The one script that is imported as a text (`?raw`, which the server's resolver leaves out of the address). */
const rawScript: Plugin = {
  name: 'raw-script',
  async serve({ path }) {
    if (!path.endsWith('/mermaid.min.js')) return undefined;
    // (What lies outside of the project is asked for by the number of steps up.)
    const [, up, below] = /^\/__wds-outside-root__\/(\d+)\/(.*)$/.exec(path) ?? [];
    const text = await readFile(below === undefined ? `.${path}` : `${'../'.repeat(Number(up))}${below}`, 'utf8');
    return { body: `export default ${JSON.stringify(text)}`, type: 'js' };
  },
};

/** The core of highlight.js is CommonJS even where it is imported: the build converts it, a browser does not. */
const commonJs: Plugin = {
  name: 'common-js',
  transform: ({ path, body }) =>
    path.endsWith('/highlight.js/lib/core.js') && typeof body === 'string'
      ? { body: `const module = { exports: {} };\n${body}\nexport default module.exports;` }
      : undefined,
};

interface Outcome extends Count {
  /** The files with a test that failed, or that could not be run. */
  readonly broken: readonly string[];
}

/** Counts what the other reporters only print. */
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
        // A file that could not be run counts too, or an empty run would look like a good one.
        if (!session.passed && session.errors.length > 0) failed++;
      }
      tell({ passed, failed, broken: sessions.filter((session) => !session.passed).map(({ testFile }) => testFile) });
    },
  };
}

/** Runs the tests whose path contains one of the words, or all. */
export async function unit(only: readonly string[] = []): Promise<Count> {
  const files =
    only.length > 0
      ? only.flatMap((word) => [`test/**/*${word}*.test.ts`, `test/**/*${word}*/**/*.test.ts`])
      : ['test/**/*.test.ts'];
  const first = await run(files);
  const again = await runAgain(first);
  const [passed, failed] = [first.passed + again.passed, again.failed];
  console.log(`unit: ${String(passed)} passed, ${String(failed)} failed`);
  return { passed, failed };
}

/** What fails on a busy machine and holds the second time is named, not hidden. */
async function runAgain({ failed, broken }: Outcome): Promise<Count> {
  if (broken.length === 0 || broken.length > FEW) return { passed: 0, failed };
  console.log(`${broken.join(', ')} failed, and run${broken.length > 1 ? '' : 's'} once more`);
  const second = await run(broken);
  if (second.failed === 0) console.log(`Held only the second time: ${broken.join(', ')}`);
  // Its other tests were counted the first time.
  return { passed: failed - second.failed, failed: second.failed };
}

/** More broken files than this are no accident. */
const FEW = 3;

async function run(files: readonly string[]): Promise<Outcome> {
  let outcome: Outcome = { passed: 0, failed: 1, broken: [] };
  const runner = await startTestRunner({
    autoExitProcess: false,
    readCliArgs: false,
    readFileConfig: false,
    config: {
      rootDir: process.cwd(),
      files: [...files, '!test/{e2e,interop}/**'],
      nodeResolve: { exportConditions: ['production', 'browser'] },
      concurrency: 2,
      testsFinishTimeout: 240_000,
      browsers: [
        // Its pages count as visible, all of them: in a hidden one nothing is drawn.
        playwrightLauncher({
          product: 'chromium',
          launchOptions: { executablePath: findBrowser(), args: browserArguments },
        }),
      ],
      plugins: [
        inlineCss,
        rawScript,
        commonJs,
        esbuildPlugin({ ts: true, target: 'es2022', tsconfig: './tsconfig.json' }),
      ],
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
  const { failed } = await unit(process.argv.slice(2));
  process.exit(failed > 0 ? 1 : 0);
}
