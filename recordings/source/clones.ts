/** Files of public repositories at one commit, from shallow clones in the system's folder for temporary files. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Repository } from './repositories.ts';

export interface StoredFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const MAX_OUTPUT = 2 ** 30;
/** Larger files are videos and models rather than replies. */
const MAX_FILE_BYTES = 4 * 2 ** 20;

function git(folder: string, args: readonly string[], input?: string): Buffer {
  const { status, stdout, stderr } = spawnSync('git', ['-C', folder, ...args], { maxBuffer: MAX_OUTPUT, input });
  if (status !== 0 && input === undefined) throw new Error(`git ${args.join(' ')} in ${folder}: ${String(stderr)}`);
  return stdout;
}

/**
 * Finds or makes a clone; undefined if there is none. `from`: a folder with clones, whose paths contain the owner and the
 * name.
 */
export function openClone({ name, commit }: Repository, from: string | undefined): string | undefined {
  if (from !== undefined) return findClone(from, name.toLowerCase().split('/'));
  const folder = join(tmpdir(), 'agent-chat-recordings', name.replace('/', '+'), commit);
  if (existsSync(folder) && hasCommit(folder, commit)) return folder;
  mkdirSync(folder, { recursive: true });
  git(folder, ['init', '--quiet']);
  const address = `https://github.com/${name}`;
  // Git reports the reason of a failure itself.
  spawnSync('git', ['-C', folder, 'fetch', '--quiet', '--depth', '1', address, commit], { stdio: 'inherit' });
  return hasCommit(folder, commit) ? folder : undefined;
}

/** Searches three levels of folders. */
function findClone(folder: string, words: readonly string[], depth = 0): string | undefined {
  const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const isClone = ['HEAD', '.git'].some((name) => existsSync(join(folder, name)));
  if (isClone) return words.every((word) => folder.toLowerCase().includes(word)) ? folder : undefined;
  if (depth === 3) return undefined;
  for (const { name } of below) {
    const found = findClone(join(folder, name), words, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The files of a repository that match its pattern. `commit` is the one that was read: a clone may lack the named one. */
export function readFiles(
  clone: string,
  { commit, files }: Repository,
): { readonly commit: string; readonly files: readonly StoredFile[] } {
  const read = [commit, 'HEAD', 'FETCH_HEAD'].find((name) => hasCommit(clone, name)) ?? 'HEAD';
  const entries = String(git(clone, ['ls-tree', '-r', '-z', '--full-tree', read]))
    .split('\0')
    .map((line) => ({
      id: line.slice(0, line.indexOf('\t')).split(' ')[2] ?? '',
      name: line.slice(line.indexOf('\t') + 1),
    }))
    .filter(({ name }) => files.test(name));
  return {
    commit: String(git(clone, ['rev-parse', read])).trim(),
    files: readObjects(clone, presentFiles(clone, entries)),
  };
}

const hasCommit = (clone: string, name: string): boolean =>
  spawnSync('git', ['-C', clone, 'cat-file', '-e', `${name}^{commit}`]).status === 0;

interface Entry {
  readonly id: string;
  readonly name: string;
}

const idsOf = (entries: readonly Entry[]): string => entries.map(({ id }) => `${id}\n`).join('');

/** The files that the clone has, without those that are too large. */
function presentFiles(clone: string, entries: readonly Entry[]): readonly Entry[] {
  const lines = String(git(clone, ['cat-file', '--batch-check'], idsOf(entries))).split('\n');
  return entries.filter((_entry, index) => Number(lines[index]?.split(' ')[2]) <= MAX_FILE_BYTES);
}

function readObjects(clone: string, entries: readonly Entry[]): readonly StoredFile[] {
  const output = git(clone, ['cat-file', '--batch'], idsOf(entries));
  let position = 0;
  return entries.map(({ name }) => {
    const start = output.indexOf(0x0a, position) + 1;
    const end = start + Number(output.toString('utf8', position, start).split(' ')[2]);
    position = end + 1;
    return { name, bytes: output.subarray(start, end) };
  });
}
