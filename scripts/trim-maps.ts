/** Removes the sources of dependencies from the source maps: everyone has them, and they are most of the package. */
import { readdir, readFile, writeFile } from 'node:fs/promises';

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent?: readonly (string | null)[];
}

export async function trimMaps(): Promise<void> {
  const files = (await readdir('dist', { recursive: true })).filter((file) => file.endsWith('.js.map'));
  for (const file of files) {
    const map = JSON.parse(await readFile(`dist/${file}`, 'utf8')) as SourceMap;
    const sourcesContent = map.sourcesContent?.map((content, index) =>
      map.sources[index]?.includes('/node_modules/') ? null : content,
    );
    await writeFile(`dist/${file}`, JSON.stringify({ ...map, sourcesContent }));
  }
}
