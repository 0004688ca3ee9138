/** Reads the documents of the site: `docs/`, and some documents of the project's root. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pageOf } from './links.ts';

export interface Doc {
  /** Relative to `docs/`. */
  readonly source: string;
  readonly title: string;
  /** Relative to the site. */
  readonly url: string;
  readonly text: string;
}

/** Documents beside `docs/`. */
const BESIDE = ['../CHANGELOG.md', '../SECURITY.md'] as const;

export async function readDocs(folder: string): Promise<readonly Doc[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.md')).sort();
  return Promise.all([...files, ...BESIDE].map((source) => readDoc(folder, source)));
}

async function readDoc(folder: string, source: string): Promise<Doc> {
  const text = await readFile(join(folder, source), 'utf8');
  const title = /^# (.+)$/m.exec(text)?.[1]?.replaceAll(/[`*]/g, '');
  if (title === undefined) throw new Error(`${source} has no heading of the first level.`);
  return { source, title, url: pageOf(source), text };
}
