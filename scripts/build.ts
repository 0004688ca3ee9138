/** `dist/`: the element and the Markdown alone with their chunks, the library with its types, the embed script, the page of artifacts. */
import { spawnSync } from 'node:child_process';
import { copyFile, rm } from 'node:fs/promises';
import { build } from 'vite';
import { writeContents } from './contents.ts';

await rm('dist', { recursive: true, force: true });
for (const mode of ['element', 'markdown', 'library', 'embed']) await build({ mode, logLevel: 'warn' });
await copyFile('src/frame.html', 'dist/frame.html');
await writeContents();

const { status } = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json'],
  {
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
