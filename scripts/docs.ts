/** The site as plain files in `site/dist/`: its scripts, the streams that it plays, its pages. Needs `dist/`. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';
import { collectStreams } from '../site/build/collect-streams.ts';

const root = join(import.meta.dirname, '..');
const site = join(root, 'site');
const assets = join(site, 'dist/assets');

/** Streams that the start page plays; the playground has the others too. */
const OF_START = ['agent-session/answer', 'agent-phase/citations', 'message-field/suggestions'];

function run(command: string, ...args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: site, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`"${command} ${args.join(' ')}" did not work in ${site}.`);
}

/** What the scripts of the site are made of: the sources, as the demo's are. */
const common: InlineConfig = {
  root,
  configFile: false,
  logLevel: 'warn',
  base: './',
  resolve: {
    conditions: ['module', 'browser'],
    alias: [
      { find: /^agent-chat-element$/, replacement: join(root, 'src/index.ts') },
      { find: /^agent-chat-element\/(.*)$/, replacement: join(root, 'src/$1.ts') },
    ],
  },
};
const output = {
  emptyOutDir: false,
  copyPublicDir: false,
  modulePreload: false,
  target: ['chrome125', 'firefox128', 'safari18'],
  reportCompressedSize: false,
  chunkSizeWarningLimit: 2000,
};

/** One classic script with all that it needs. */
const classic = (name: string): Promise<unknown> =>
  build({
    ...common,
    // Such a script can't ask for its own address: the page tells it.
    define: { 'import.meta.url': 'globalThis.siteScript' },
    build: {
      ...output,
      outDir: assets,
      lib: {
        entry: join(site, `client/${name}.ts`),
        formats: ['iife'],
        name: 'agentChatSite',
        fileName: () => `${name}.js`,
      },
    },
  });

/** A module with its lazy parts beside it, as a page of the web has them. */
const module = (name: string): Promise<unknown> =>
  build({
    ...common,
    build: {
      ...output,
      outDir: join(assets, name),
      rolldownOptions: {
        input: join(site, `client/${name}.ts`),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', assetFileNames: '[name][extname]' },
      },
    },
  });

if (!existsSync(join(site, 'node_modules'))) run('npm', 'ci', '--no-audit', '--no-fund', '--ignore-scripts');
await rm(join(site, 'dist'), { recursive: true, force: true });
await mkdir(assets, { recursive: true });
for (const name of ['scheme', 'site', 'chat']) await classic(name);
await module('chat');
await copyFile(join(root, 'src/frame.html'), join(assets, 'frame.html'));

const streams = await collectStreams(join(root, 'test/protocols'));
const ofStart = streams.filter(({ protocol, name }) => OF_START.includes(`${protocol}/${name}`));
await writeFile(join(assets, 'streams.js'), `globalThis.siteStreams = ${JSON.stringify(ofStart)};\n`);
const others = streams.filter((stream) => !ofStart.includes(stream));
await writeFile(
  join(assets, 'more-streams.js'),
  `globalThis.siteStreams = ${JSON.stringify(others)}.concat(globalThis.siteStreams ?? []);\n`,
);

run(
  process.execPath,
  '--import',
  'tsx',
  'node_modules/@11ty/eleventy/cmd.cjs',
  '--config=eleventy.config.ts',
  '--quiet',
);
