/** Everything a change needs, in the order in which a mistake is found soonest. Ends with `N passed, N failed`. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Count } from './count.ts';
import { e2e, interop } from './e2e.ts';
import { canRun } from './find-browser.ts';
import { unit } from './unit.ts';

interface Step {
  readonly name: string;
  run(): Promise<Count>;
}

/** A tool that is right or wrong. What it prints comes in one piece, since others may run beside it. */
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

/**
 * Rooms in which engines differ by what they do. Both engines have all rooms with `BROWSERS=firefox npx tsx scripts/unit.ts`, where a
 * landing's 20 minutes on two cores do not count. Markdown takes WebKitGTK minutes, and two tests of a long transcript do not hold
 * there on a busy machine.
 */
const inFirefox = [
  'conversation/',
  'primitives/',
  'react/',
  'renderers/',
  'runtime/',
  'safety/',
  'theme/',
  'transport/',
];
const inWebkit = ['agents/', 'locales/', 'model/', 'protocols/', ...inFirefox];

async function otherEngines(): Promise<Count> {
  const counts = [
    canRun('firefox') ? await unit(inFirefox, ['firefox']) : NOTHING,
    canRun('webkit') ? await unit(inWebkit, ['webkit']) : NOTHING,
  ];
  return counts.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }));
}
const NOTHING: Count = { passed: 0, failed: 0 };

/** Of a row the chains run side by side, and each chain's steps in their order. The linter has one thread, and takes minutes. */
const rows: readonly (readonly (readonly Step[])[])[] = [
  [
    [bin('format', 'prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.')],
    [bin('unused', 'knip/bin/knip.js')],
    [bin('types', 'typescript-native/bin/tsc', '--project', '.')],
    [script('rooms', 'check-rooms')],
  ],
  [[{ name: 'unit', run: () => unit() }]],
  [
    [
      { name: 'unit in other engines', run: otherEngines },
      { name: 'interop', run: () => interop() },
      script('build', 'build'),
      script('size', 'size'),
    ],
    [bin('lint', 'eslint/bin/eslint.js', '.')],
  ],
  [[script('package', 'check-package')], [script('docs', 'docs')]],
  [[{ name: 'end to end', run: () => e2e() }]],
];

const counts: Count[] = [];
for (const row of rows) await Promise.all(row.map(inOrder));
const sum = (of: keyof Count): number => counts.reduce((total, count) => total + count[of], 0);
console.log(`\n${String(sum('passed'))} passed, ${String(sum('failed'))} failed`);
process.exit(sum('failed') > 0 ? 1 : 0);

async function inOrder(chain: readonly Step[]): Promise<void> {
  for (const step of chain) counts.push(await timed(step));
}

async function timed({ name, run }: Step): Promise<Count> {
  const begun = Date.now();
  const count = await run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  });
  const result = count.failed > 0 ? `${String(count.failed)} failed` : 'passed';
  console.log(`── ${name}: ${result}, ${String(Math.round((Date.now() - begun) / 1000))} s`);
  return count;
}
