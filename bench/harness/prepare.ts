/** Prepares everything that a measurement needs. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const bench = join(import.meta.dirname, '..');

/** Contestants that need no installation: they are part of the project or of its dependencies. */
const own = ['limit', 'ours', 'sketch', 'naive', 'open-limit', 'open-ours', 'open-list'];

/** Installs the compared packages if one of them is to be measured and they are missing. */
export function installPeers(entries: readonly string[]): void {
  const needed = entries.some((entry) => {
    const [folder = '', name = ''] = entry.split('/');
    return ['contestants', 'openers'].includes(folder) && !own.includes(name);
  });
  if (needed && !existsSync(join(bench, 'node_modules')))
    run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], bench);
}

export function buildElement(): void {
  run('npm', ['run', 'build'], join(bench, '..'));
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`"${command} ${args.join(' ')}" did not work in ${cwd}.`);
}
