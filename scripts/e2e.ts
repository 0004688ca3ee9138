/**
 * Runs the tests in Node: `test/e2e` drives the build in a browser against test servers, `test/interop` runs our adapters
 * against real servers and the vendors' clients.
 */
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Count } from './count.ts';
import { findTestBrowser, wantedEngines, type Engine } from './find-browser.ts';
import { descendantsOf, send, stopTogether } from './stop-together.ts';

/** Files that run in parallel: one more than there are cores, at most three, because all of them wait at times. */
const AT_ONCE = Math.min(3, availableParallelism() + 1);

const pathsOf = (names: readonly string[]): readonly string[] => names.map((name) => `test/e2e/${name}.test.ts`);

/** Files of at least 30 s start first, the longest at the beginning. Otherwise the last of them would run alone at the end. */
const LONGEST = pathsOf([
  'looks',
  'demo',
  'cli-servers',
  'site',
  'browsers',
  'flows',
  'storage-tabs',
  'cli-faults',
  'nodes-stay',
  'selection-stays',
  'snippets',
  'demo-page',
  'corpus',
  'layout-shift',
]);
/** Files that mostly wait for timeouts and slow agents. They need little of a core, so one of them always runs beside the others. */
const MOSTLY_WAITING = pathsOf([
  'frame-network',
  'storage-unresponsive',
  'surfaces',
  'after-removal',
  'faults-answers',
  'swapped-question',
  'faults-streams',
  'cli-check-times',
  'faults-around',
  'late-parts',
]);
const byDuration = (left: string, right: string): number => rank(left) - rank(right);
const rank = (file: string): number => (LONGEST.includes(file) ? LONGEST.indexOf(file) : LONGEST.length);

/** Runs the test files of a folder whose path contains one of the given words, or all of them. */
async function inNode(folder: string, only: readonly string[], engines: readonly Engine[]): Promise<Count> {
  const files = (await readdir(folder))
    .map((file) => `${folder}/${file}`)
    .filter((file) => file.endsWith('.test.ts') && (only.length === 0 || only.some((word) => file.includes(word))))
    .sort(byDuration);
  const total = { passed: 0, failed: 0 };
  const add = ({ passed, failed }: Count): void => {
    total.passed += passed;
    total.failed += failed;
  };
  const again: FileResult[] = [];
  // Installs it before the first file needs it.
  findTestBrowser();
  const work = async (queue: Iterable<string>): Promise<void> => {
    for (const file of queue) {
      const result = await runFile(file, engines);
      if (result.failed > 0) again.push(result);
      else add(result);
    }
  };
  const busy = files.filter((file) => !MOSTLY_WAITING.includes(file)).values();
  const waiting = files.filter((file) => MOSTLY_WAITING.includes(file));
  await Promise.all([work(waiting), ...Array.from({ length: AT_ONCE }, () => work(busy))]);
  // Browsers and servers may time out on a busy machine. What passes alone the second time is reported.
  const unsteady: string[] = [];
  for (const result of again) {
    const { file } = result;
    console.log(`${file} failed, and runs once more`);
    const count = await runAgain(result, engines);
    add(count);
    if (count.failed === 0) unsteady.push(file);
  }
  if (unsteady.length > 0) console.log(`Passed only the second time: ${unsteady.join(', ')}`);
  return total;
}

/** Runs the failed tests of a file alone, or the whole file if that fails: a test may need the ones before it. */
async function runAgain({ file, passed, failed, failures }: FileResult, engines: readonly Engine[]): Promise<Count> {
  if (failures.length === failed) {
    const alone = await runFile(file, engines, failures);
    if (alone.failed === 0 && alone.passed >= failed) return { passed: passed + alone.passed, failed: 0 };
  }
  return runFile(file, engines);
}

interface FileResult extends Count {
  readonly file: string;
  /** The names of the tests that have failed. */
  readonly failures: readonly string[];
}

/** Time limit for a file (ms), so that a test that never ends does not stop the run. */
const FILE_MS = 480_000;

/**
 * Runs one file and prints its output in one piece.
 *
 * @param engines - for the tests that know several
 * @param names - of the only tests that run
 */
export async function runFile(
  file: string,
  engines: readonly Engine[] = wantedEngines(),
  names: readonly string[] = [],
): Promise<FileResult> {
  const node = spawn(
    process.execPath,
    [
      ...['--import', 'tsx', '--test', '--test-reporter=spec', '--test-reporter-destination=stdout'],
      ...names.map((name) => `--test-name-pattern=${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}`),
      file,
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, BROWSERS: engines.join(), FORCE_COLOR: '0' },
    },
  );
  let output = '';
  const late = setTimeout(() => {
    output += `\n${file} did not end within ${String(FILE_MS / 1000)} s, and was stopped.\n`;
    const below = descendantsOf(node.pid ?? 0);
    node.kill('SIGKILL');
    for (const pid of below) send(pid, 'SIGKILL');
  }, FILE_MS);
  node.stdout.on('data', (data: Buffer) => {
    output += data.toString();
  });
  const code = await new Promise<number>((resolve) => {
    node.on('close', (status) => {
      resolve(status ?? 1);
    });
  });
  clearTimeout(late);
  console.log(`${file}\n${output}`);
  const number = (what: string): number => Number(new RegExp(`^. ${what} (\\d+)`, 'm').exec(output)?.[1] ?? 0);
  const [passed, failed] = [number('pass'), number('fail')];
  return { file, passed, failed: code !== 0 && failed === 0 ? 1 : failed, failures: failuresIn(output) };
}

/** The names of the failed tests, from the list at the end of the output. */
const failuresIn = (output: string): readonly string[] =>
  [...(output.split('✖ failing tests:')[1] ?? '').matchAll(/^✖ (.+) \([\d.]+ms\)$/gm)].map(([, name = '']) => name);

export const e2e = (only: readonly string[] = [], engines = wantedEngines()): Promise<Count> =>
  inNode('test/e2e', only, engines);
export const interop = (only: readonly string[] = []): Promise<Count> => inNode('test/interop', only, wantedEngines());

if (process.argv[1]?.endsWith('e2e.ts')) {
  stopTogether();
  const only = process.argv.slice(2);
  const counts = [await e2e(only), await interop(only)];
  process.exit(counts.some(({ failed }) => failed > 0) ? 1 : 0);
}
