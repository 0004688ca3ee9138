/** What a page loads, against its budget. KB are 1,024 bytes, gzipped. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { protocols } from '../src/protocols/registry.ts';

const KB = 1024;

/** Fetched until an idle widget is visible: the file and all its static imports. */
async function loadedWith(file: string, seen = new Set<string>()): Promise<ReadonlySet<string>> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const code = await readFile(file, 'utf8');
  for (const [, path = ''] of code.matchAll(
    /(?:^|[;}])\s*(?:import|export)\s*(?:[\w*{}\s,$]+?from)?\s*["'](\.[^"']+)["']/g,
  )) {
    await loadedWith(join(dirname(file), path), seen);
  }
  return seen;
}

const gzipped = async (files: Iterable<string>): Promise<number> => {
  let sum = 0;
  for (const file of files) sum += gzipSync(await readFile(file), { level: 9 }).length;
  return sum;
};

interface Budget {
  readonly name: string;
  readonly bytes: number;
  readonly limit: number;
}

const chunks = (await readdir('dist/chunks'))
  .filter((file) => file.endsWith('.js'))
  .map((file) => join('dist/chunks', file));
const largest = async (pattern: RegExp): Promise<number> => {
  const sizes = await Promise.all(chunks.filter((file) => pattern.test(file)).map((file) => gzipped([file])));
  return Math.max(0, ...sizes);
};

const ids = protocols.list().map(({ id }) => id);
const ADAPTER = new RegExp(`/(?:${ids.join('|')})-[\\w-]{7}\\.js$`);

const budgets: readonly Budget[] = [
  {
    name: 'first load of agent-chat.js',
    bytes: await gzipped(await loadedWith('dist/agent-chat.js')),
    limit: 59.9 * KB,
  },
  { name: 'markdown.js alone', bytes: await gzipped(await loadedWith('dist/markdown.js')), limit: 50 * KB },
  { name: 'embed.js', bytes: await gzipped(['dist/embed.js']), limit: 2 * KB },
  { name: 'largest lazy adapter', bytes: await largest(ADAPTER), limit: 6.8 * KB },
];

let failed = 0;
for (const { name, bytes, limit } of budgets) {
  const over = bytes > limit;
  if (over) failed++;
  console.log(`${over ? 'OVER ' : 'ok   '} ${name}: ${(bytes / KB).toFixed(1)} of ${(limit / KB).toFixed(1)} KB`);
}
process.exit(failed > 0 ? 1 : 0);
