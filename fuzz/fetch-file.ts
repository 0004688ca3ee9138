/** Files of public repositories, fetched once into `.cache`. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

export interface RepositoryFile {
  /** `owner/name` on GitHub. */
  readonly repository: string;
  readonly commit: string;
  /** Path in the repository. */
  readonly file: string;
}

/** Returns the text of a file. `folder`: below `.cache`. */
export async function fetchFile(folder: string, { repository, commit, file }: RepositoryFile): Promise<string> {
  const path = join(ROOT, '.cache', folder, repository, commit, file);
  try {
    return await readFile(path, 'utf8');
  } catch {
    const text = await download(`https://raw.githubusercontent.com/${repository}/${commit}/${file}`, path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return text;
  }
}

/** The error of `fetch` says "fetch failed" only. */
async function download(url: string, path: string): Promise<string> {
  const fail = (reason: string): Error =>
    new Error(`Can't download ${url}: ${reason}. Check the network, or save the file as ${relative(ROOT, path)}.`);
  const response = await fetch(url).catch((error: unknown) => {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw fail(String(reason));
  });
  if (!response.ok) throw fail(`the server returned ${String(response.status)}`);
  return await response.text();
}
