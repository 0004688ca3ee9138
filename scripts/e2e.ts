/**
 * Tests that run in Node: `test/e2e`, the build in a browser against servers of the tests' own; `test/interop`, our adapters
 * against real servers and the vendors' own clients.
 */
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import type { Count } from './count.ts';
import { findBrowser } from './find-browser.ts';

/** Runs the files of a folder whose path contains one of the words, or all. */
async function inNode(folder: string, only: readonly string[]): Promise<Count> {
  const files = (await readdir(folder))
    .map((file) => `${folder}/${file}`)
    .filter((file) => file.endsWith('.test.ts') && (only.length === 0 || only.some((word) => file.includes(word))));
  // Without a file the runner would look for some itself.
  if (files.length === 0) return { passed: 0, failed: 0 };
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

export const e2e = (only: readonly string[] = []): Promise<Count> => inNode('test/e2e', only);
export const interop = (only: readonly string[] = []): Promise<Count> => inNode('test/interop', only);

if (process.argv[1]?.endsWith('e2e.ts')) {
  const only = process.argv.slice(2);
  const counts = [await e2e(only), await interop(only)];
  process.exit(counts.some(({ failed }) => failed > 0) ? 1 : 0);
}
