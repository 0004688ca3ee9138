/**
 * Runs all checks and tests, the fastest first. Ends with `N passed, N failed`. The argument `check` runs only types, linters
 * and the unit tests; `engines` runs the unit tests and the main flows in Firefox and WebKit.
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Count } from './count.ts';
import { e2e, interop } from './e2e.ts';
import { canRun } from './find-browser.ts';
import { stopTogether } from './stop-together.ts';
import { unit } from './unit.ts';

stopTogether();

interface Step {
  readonly name: string;
  run(): Promise<Count>;
}

/** A tool that passes or fails. Its output is printed in one piece, because others may run in parallel. */
const bin = (name: string, path: string, ...args: string[]): Step => ({
  name,
  async run() {
    const tool = spawn(process.execPath, [`node_modules/${path}`, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, err] = await Promise.all([text(tool.stdout), text(tool.stderr)]);
    process.stdout.write(out + err);
    const status = tool.exitCode ?? (await new Promise<number | null>((resolve) => tool.once('close', resolve)));
    return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  },
});
const script = (name: string, file: string): Step => bin(name, 'tsx/dist/cli.mjs', `scripts/${file}.ts`);

/** The engines besides Chromium that this machine can run. */
const otherEngines = (['firefox', 'webkit'] as const).filter(canRun);

/** The chains of a stage run in parallel, and the steps of a chain one after the other. */
const tools: readonly (readonly Step[])[] = [
  [
    bin('format', 'oxfmt/bin/oxfmt', '--check'),
    bin('unused', 'knip/bin/knip.js'),
    script('modules', 'check-modules'),
    bin('lint', 'eslint/bin/eslint.js', 'src'),
  ],
  [
    bin('types', 'typescript-native/bin/tsc', '--project', '.'),
    bin('lint by types', 'oxlint/bin/oxlint', '--type-aware'),
  ],
];
const unitTests: Step = { name: 'unit', run: () => unit([], ['chromium']) };
/** The stages of each argument. */
const runs: Readonly<Record<string, readonly (readonly (readonly Step[])[])[]>> = {
  '': [
    // The interop tests mostly wait for servers, and the build uses little more than one core.
    [...tools, [{ name: 'interop', run: () => interop() }], [script('build', 'build'), script('size', 'size')]],
    [[unitTests], [script('package', 'check-package')], [script('docs', 'build-site')]],
    [[{ name: 'end to end', run: () => e2e() }]],
  ],
  check: [tools, [[unitTests]]],
  engines: [
    [[{ name: 'unit in other engines', run: () => unit([], otherEngines) }]],
    [[script('build', 'build')]],
    [[{ name: 'main flows in other engines', run: () => e2e(['/browsers.'], otherEngines) }]],
  ],
};

const stages = runs[process.argv[2] ?? ''];
if (!stages) throw new Error(`Unknown argument "${process.argv[2] ?? ''}": use check, engines or none.`);
const counts: Count[] = [];
for (const stage of stages) await Promise.all(stage.map(inOrder));
const sum = (of: keyof Count): number => counts.reduce((total, count) => total + count[of], 0);
console.log(`\n${String(sum('passed'))} passed, ${String(sum('failed'))} failed`);
process.exit(sum('failed') > 0 ? 1 : 0);

async function inOrder(chain: readonly Step[]): Promise<void> {
  for (const step of chain) counts.push(await timed(step));
}

async function timed({ name, run }: Step): Promise<Count> {
  const startedAt = Date.now();
  const count = await run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  });
  const result = count.failed > 0 ? `${String(count.failed)} failed` : 'passed';
  console.log(`── ${name}: ${result}, ${String(Math.round((Date.now() - startedAt) / 1000))} s`);
  return count;
}
