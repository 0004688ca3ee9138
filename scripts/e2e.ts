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
  const again: string[] = [];
  // Installs it before the first file needs it.
  findTestBrowser();
  const work = async (queue: Iterable<string>): Promise<void> => {
    for (const file of queue) {
      const count = await runFile(file, engines);
      if (count.failed > 0) again.push(file);
      else add(count);
    }
  };
  const busy = files.filter((file) => !MOSTLY_WAITING.includes(file)).values();
  const waiting = files.filter((file) => MOSTLY_WAITING.includes(file));
  await Promise.all([work(waiting), ...Array.from({ length: AT_ONCE }, () => work(busy))]);
  // Browsers and servers may time out on a busy machine. A file that passes alone the second time is reported.
  const unsteady: string[] = [];
  for (const file of again) {
    console.log(`${file} failed, and runs once more`);
    const count = await runFile(file, engines);
    add(count);
    if (count.failed === 0) unsteady.push(file);
  }
  if (unsteady.length > 0) console.log(`Passed only the second time: ${unsteady.join(', ')}`);
  return total;
}

/** Time limit for a file (ms), so that a test that never ends does not stop the run. */
const FILE_MS = 480_000;

/** Runs one file and prints its output in one piece. `engines`: for the tests that know several. */
export async function runFile(file: string, engines: readonly Engine[] = wantedEngines()): Promise<Count> {
  const node = spawn(
    process.execPath,
    ['--import', 'tsx', '--test', '--test-reporter=spec', '--test-reporter-destination=stdout', file],
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
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

export const e2e = (only: readonly string[] = [], engines = wantedEngines()): Promise<Count> =>
  inNode('test/e2e', only, engines);
export const interop = (only: readonly string[] = []): Promise<Count> => inNode('test/interop', only, wantedEngines());

if (process.argv[1]?.endsWith('e2e.ts')) {
  stopTogether();
  const only = process.argv.slice(2);
  const counts = [await e2e(only), await interop(only)];
  process.exit(counts.some(({ failed }) => failed > 0) ? 1 : 0);
}
