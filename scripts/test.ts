/** Everything a change needs, in the order in which a mistake is found soonest. Ends with `N passed, N failed`. */
import { spawnSync } from 'node:child_process';
import type { Count } from './count.ts';
import { e2e, interop } from './e2e.ts';
import { unit } from './unit.ts';

const bin = (path: string, ...args: string[]): (() => Promise<Count>) => {
  return () => {
    const { status } = spawnSync(process.execPath, [`node_modules/${path}`, ...args], { stdio: 'inherit' });
    return Promise.resolve(status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
  };
};
const script = (name: string): (() => Promise<Count>) => bin('tsx/dist/cli.mjs', `scripts/${name}.ts`);

const steps: readonly (readonly [name: string, run: () => Promise<Count>])[] = [
  ['format', bin('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.')],
  ['lint', bin('eslint/bin/eslint.js', '.')],
  ['unused', bin('knip/bin/knip.js')],
  ['types', bin('typescript/bin/tsc', '--project', '.')],
  ['rooms', script('check-rooms')],
  ['unit', () => unit()],
  ['interop', () => interop()],
  ['build', script('build')],
  ['size', script('size')],
  ['package', script('check-package')],
  ['end to end', () => e2e()],
];

let passed = 0;
let failed = 0;
for (const [name, run] of steps) {
  console.log(`\n── ${name}`);
  const begun = Date.now();
  const count = await run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  });
  console.log(`${name}: ${String(Math.round((Date.now() - begun) / 1000))} s`);
  passed += count.passed;
  failed += count.failed;
  if (count.failed > 0) console.log(`${name}: ${String(count.failed)} failed`);
}
console.log(`\n${String(passed)} passed, ${String(failed)} failed`);
process.exit(failed > 0 ? 1 : 0);
