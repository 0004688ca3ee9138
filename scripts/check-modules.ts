/** Checks the imports between modules against the table in `.dependency-cruiser.cjs`. Fails if it has read no files. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const FEWEST_MODULES = 100;
/** Maximum number of files in a folder. Larger folders are split by subject. */
const MOST_FILES = 25;

interface Report {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly {
      readonly rule: { readonly name: string };
      readonly from: string;
      readonly to: string;
    }[];
  };
}

const { stdout, stderr } = spawnSync(
  process.execPath,
  [
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
    'src',
    'cli',
    'demo',
  ],
  { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
if (stdout === '') throw new Error(stderr);
const { totalCruised, violations } = (JSON.parse(stdout) as Report).summary;
for (const { rule, from, to } of violations) console.error(`${rule.name}: ${from} → ${to}`);
if (totalCruised < FEWEST_MODULES)
  console.error(`The check read only ${String(totalCruised)} modules: something is wrong with it.`);
const files = new Map<string, number>();
for (const entry of readdirSync('src', { recursive: true, withFileTypes: true })) {
  if (entry.isFile()) files.set(entry.parentPath, (files.get(entry.parentPath) ?? 0) + 1);
}
const crowded = [...files].filter(([, count]) => count > MOST_FILES);
for (const [folder, count] of crowded)
  console.error(`${folder} has ${String(count)} files, more than ${String(MOST_FILES)}.`);
console.log(`modules: ${String(totalCruised)} modules, ${String(violations.length)} violations`);
process.exit(violations.length + crowded.length > 0 || totalCruised < FEWEST_MODULES ? 1 : 0);
