/** The code samples in the documents. */
import { readdir, readFile } from 'node:fs/promises';

export interface Snippet {
  /** `docs/guides/tools.md, line 5` */
  readonly location: string;
  readonly file: string;
  readonly language: string;
  readonly code: string;
}

export async function documents(): Promise<readonly string[]> {
  const docs = (await readdir('docs', { recursive: true })).filter((file) => file.endsWith('.md')).sort();
  return ['README.md', ...docs.map((file) => `docs/${file}`)];
}

export async function snippets(): Promise<readonly Snippet[]> {
  const all = await Promise.all((await documents()).map(snippetsOf));
  return all.flat();
}

async function snippetsOf(file: string): Promise<readonly Snippet[]> {
  const text = await readFile(file, 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(({ index, 1: language = '', 2: code = '' }) => {
    const line = text.slice(0, index).split('\n').length;
    return { location: `${file}, line ${String(line)}`, file, language, code };
  });
}
