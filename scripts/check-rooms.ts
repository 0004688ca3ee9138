/** Who may see whom, by the table in `.dependency-cruiser.cjs`. A check that has read nothing has not passed. */
import { spawnSync } from 'node:child_process';

const FEWEST_MODULES = 100;

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
    'demo',
  ],
  { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
if (stdout === '') throw new Error(stderr);
const { totalCruised, violations } = (JSON.parse(stdout) as Report).summary;
for (const { rule, from, to } of violations) console.error(`${rule.name}: ${from} → ${to}`);
if (totalCruised < FEWEST_MODULES)
  console.error(`The check read only ${String(totalCruised)} modules: something is wrong with it.`);
console.log(`rooms: ${String(totalCruised)} modules, ${String(violations.length)} violations`);
process.exit(violations.length > 0 || totalCruised < FEWEST_MODULES ? 1 : 0);
