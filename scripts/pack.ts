/** The package as `npm publish` would send it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export interface Packed {
  readonly tarball: string;
  readonly files: readonly string[];
}

/** Packs the package into a folder. */
export function pack(folder: string): Packed {
  const { stdout, status, stderr } = spawnSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    { encoding: 'utf8', shell: process.platform === 'win32' },
  );
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  const [packed] = JSON.parse(stdout) as readonly { filename: string; files: readonly { path: string }[] }[];
  if (!packed) throw new Error('npm pack packed nothing.');
  return { tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}
