/**
 * Prepares a release up to its tag: `npm run release -- minor`. `--dry-run` prints the steps and changes nothing. It needs no
 * network; the maintainer pushes and runs `npm publish`.
 */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

const UNRELEASED = '## Unreleased\n';
const STEPS = ['major', 'minor', 'patch'] as const;

/** Returns the version after `version`: the next patch, minor or major version, or the given one. */
export function nextVersion(version: string, wanted: string): string {
  const kind = STEPS.findIndex((step) => step === wanted);
  if (kind < 0) {
    if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(wanted))
      throw new Error(`"${wanted}" is no version, nor ${STEPS.join(', ')}.`);
    return wanted;
  }
  const numbers = version.replace(/-.*/, '').split('.').map(Number);
  return numbers.map((number, index) => (index < kind ? number : index === kind ? number + 1 : 0)).join('.');
}

/** Moves "Unreleased" to a version with a date. */
export function nextChangelog(changelog: string, version: string, day: string): string {
  const [before, after] = changelog.split(UNRELEASED);
  if (before === undefined || after === undefined) throw new Error('CHANGELOG.md has no "## Unreleased".');
  if ((after.split(/^## /m)[0] ?? '').trim() === '')
    throw new Error('Nothing is unreleased: the changelog has no line.');
  return `${before}${UNRELEASED}\n## ${version} – ${day}\n${after}`;
}

const withVersion = (text: string, from: string, to: string): string =>
  text.replaceAll(/"version": "([^"]+)"/g, (whole, found: string, at: number) =>
    // The package's own version comes first in both files.
    found === from && at < 400 ? `"version": "${to}"` : whole,
  );

/** Places that name the package version: URLs, dependencies and lock file of the examples, the WordPress plugin. */
export function nextSamples(text: string, from: string, to: string): string {
  const found = from.replaceAll('.', '\\.');
  const named = [
    `agent-chat-element@`,
    `"agent-chat-element": "`,
    `"node_modules/agent-chat-element": {\\s+"version": "`,
    ` \\* Version: `,
  ];
  return text.replaceAll(new RegExp(`(${named.join('|')})${found}(?![\\w.-])`, 'g'), `$1${to}`);
}

async function release(wanted: string, dryRun: boolean): Promise<void> {
  const run = (command: string, ...args: string[]): void => {
    console.log(`$ ${[command, ...args].join(' ')}`);
    if (!dryRun) execFileSync(command, args, { stdio: 'inherit' });
  };
  const write = async (file: string, change: (text: string) => string): Promise<void> => {
    const text = await readFile(file, 'utf8');
    const changed = change(text);
    if (changed === text) throw new Error(`${file} would not change.`);
    console.log(`write ${file}`);
    if (!dryRun) await writeFile(file, changed);
  };
  const dirty = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).trim();
  if (dirty && !dryRun) throw new Error(`There are changes that are not committed:\n${dirty}`);
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { readonly version: string };
  const next = nextVersion(version, wanted);
  console.log(`${version} → ${next}${dryRun ? ', and nothing is changed' : ''}`);
  await write('CHANGELOG.md', (text) => nextChangelog(text, next, new Date().toISOString().slice(0, 10)));
  for (const file of ['package.json', 'package-lock.json'])
    await write(file, (text) => withVersion(text, version, next));
  const samples = execFileSync('git', ['ls-files', 'README.md', 'docs/guides', 'examples'], { encoding: 'utf8' });
  for (const file of samples.trim().split('\n')) {
    const text = await readFile(file, 'utf8');
    if (nextSamples(text, version, next) !== text) await write(file, (before) => nextSamples(before, version, next));
  }
  // Checks the package with the new version, as it will be published.
  run('npm', 'run', 'build');
  run('npx', 'tsx', 'scripts/size.ts');
  run('npx', 'tsx', 'scripts/check-package.ts');
  run('git', 'commit', '--all', '--message', `Release ${next}`);
  run('git', 'tag', '--annotate', `v${next}`, '--message', `v${next}`);
  console.log(`Then: git push --follow-tags, npm publish, and dist/ to the CDN folder agent-chat-element@${next}.`);
}

if (process.argv[1]?.endsWith('release.ts')) {
  const { values, positionals } = parseArgs({ options: { 'dry-run': { type: 'boolean' } }, allowPositionals: true });
  await release(positionals[0] ?? 'patch', values['dry-run'] ?? false).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  });
}
