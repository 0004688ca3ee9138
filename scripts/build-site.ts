/** Builds the documentation site in `site/dist/`: scripts, recorded streams and pages. Needs `dist/`. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';
import { collectStreams } from '../site/build/collect-streams.ts';

const root = join(import.meta.dirname, '..');
const site = join(root, 'site');
const assets = join(site, 'dist/assets');

/** The streams on the start page. The playground has all of them. */
const OF_START = ['agent-session/answer', 'agent-phase/citations', 'message-field/suggestions'];

function run(command: string, ...args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: site, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`"${command} ${args.join(' ')}" did not work in ${site}.`);
}

/** The scripts of the site are built from the sources, like the demo. */
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

/** Builds one self-contained classic script. */
const classic = (name: string): Promise<unknown> =>
  build({
    ...common,
    // A classic script has no `import.meta.url`: the page passes the URL.
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

/** Builds a module with its lazy chunks beside it. */
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
