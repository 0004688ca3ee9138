/** A stopped run leaves no process behind. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { descendantsOf } from '../../scripts/stop-together.ts';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function until(isDone: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!isDone()) {
    if (Date.now() > end) assert.fail(`in vain: ${what}`);
    await later(100);
  }
}

/** The script, and the minimum number of its child processes once its browser runs. */
const RUNS = [
  { name: 'of a script', args: ['test/e2e/support/stopped-run.ts'], least: 4 },
  { name: 'of unit tests', args: ['scripts/unit.ts', 'markdown/growing'], least: 4 },
] as const;

describe('a stopped run', () => {
  for (const { name, args, least } of RUNS)
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      it(`${name} by ${signal} ends with all processes that it has started`, { timeout: 120_000 }, async () => {
        const run = spawn(process.execPath, ['--import', 'tsx', ...args], { stdio: 'ignore' });
        const ended = once(run, 'exit');
        const pid = run.pid ?? 0;
        await until(() => descendantsOf(pid).length >= least, 'a browser');
        const below = descendantsOf(pid);
        run.kill(signal);
        const [code] = (await ended) as [number | null];
        assert.notEqual(code, 0);
        await until(() => !below.some(isAlive), 'no survivors');
      });
});
