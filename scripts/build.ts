/** Builds `dist/`: the element and the Markdown element with their chunks, the library with types and manifest, the embed script, the artifact page and the command. */
import { chmod, copyFile, rm } from 'node:fs/promises';
import { build } from 'vite';
import { writeContents } from './contents.ts';
import { writeManifest } from './manifest/write.ts';
import { trimMaps } from './trim-maps.ts';
import { writeTypes } from './types.ts';

await rm('dist', { recursive: true, force: true });
for (const mode of ['element', 'markdown', 'library', 'embed', 'cli']) await build({ mode, logLevel: 'warn' });
await trimMaps();
await copyFile('src/frame.html', 'dist/frame.html');
for (const file of ['page.html', 'page.css']) await copyFile(`cli/page/${file}`, `dist/cli/${file}`);
await chmod('dist/cli/main.js', 0o755);
await writeContents();
await writeManifest();
await writeTypes();
