/** End-to-end tests: the build, in a browser, against servers of the tests' own. */
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import type { Count } from './count.ts';
import { findBrowser } from './find-browser.ts';

/** Runs the files whose name contains one of the words, or all. */
export async function e2e(only: readonly string[] = []): Promise<Count> {
  const files = (await readdir('test/e2e'))
    .filter((file) => file.endsWith('.test.ts') && (only.length === 0 || only.some((word) => file.includes(word))))
    .map((file) => `test/e2e/${file}`);
  const node = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      '--test',
      '--test-concurrency=1',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      ...files,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, CHROMIUM: findBrowser(), FORCE_COLOR: '0' } },
  );
  let output = '';
  node.stdout.on('data', (data: Buffer) => {
    process.stdout.write(data);
    output += data.toString();
  });
  const code = await new Promise<number>((resolve) => {
    node.on('close', (status) => {
      resolve(status ?? 1);
    });
  });
  const number = (what: string): number => Number(new RegExp(`^. ${what} (\\d+)`, 'm').exec(output)?.[1] ?? 0);
  const [passed, failed] = [number('pass'), number('fail')];
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

if (process.argv[1]?.endsWith('e2e.ts')) {
  const { failed } = await e2e(process.argv.slice(2));
  process.exit(failed > 0 ? 1 : 0);
}
