/** Runs the tests of the AI SDK, which are written for version 6, with versions 5 and 7. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';

const files = readdirSync(import.meta.dirname).filter(
  (file) => /^ai-sdk.*\.test\.ts$/.test(file) && !import.meta.filename.endsWith(file),
);

/** Runs a test file in its own process. */
async function run(
  file: string,
  version: string,
): Promise<{ readonly status: number | null; readonly output: string }> {
  const preloaded = ['tsx', `${import.meta.dirname}/support/ai-sdk-version.ts`].flatMap((module) => [
    '--import',
    module,
  ]);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const node = spawn(process.execPath, [...preloaded, `${import.meta.dirname}/${file}`], {
    env: { ...env, AI_SDK: version },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = new Promise<number | null>((resolve) => node.on('close', resolve));
  const output = await text(node.stdout);
  return { status: await closed, output };
}

for (const version of ['ai-5', 'ai-7'])
  describe(`version ${version.slice(3)} of the AI SDK`, () => {
    for (const file of files)
      it(file, async () => {
        const { status, output } = await run(file, version);
        assert.equal(status, 0, output);
        // A file without tests would pass too.
        assert.match(output, /^# pass [1-9]/m);
      });
  });
