import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import MagicString from 'magic-string';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { agentServer } from './demo/server/plugin.ts';
import manifest from './package.json' with { type: 'json' };

const { version } = manifest;

/**
 * Three bundles with the dependencies inlined, `agent-chat.js` and `markdown.js` with their lazy chunks and the classic
 * `embed.js`, and the library for bundlers, whose dependencies stay outside. Without a mode it is the demo's server.
 */
export default defineConfig(({ command, mode }): UserConfig => {
  if (command === 'serve') return demo;
  const build = builds[mode];
  if (!build) throw new Error(`There is no build "${mode}". Run "npm run build".`);
  return build;
});

/**
 * Lit makes a Trusted Types policy of its own name when its module is evaluated, and throws where the page's own Lit has
 * taken that name. Our copy uses the one policy of this package, made once and shared by every copy on the page.
 * Source: `security/README.md`, "CSP and Trusted Types".
 */
const sharedPolicy: Plugin = {
  name: 'agent-chat:shared-policy',
  transform(code, id) {
    if (!(id.split('?')[0] ?? '').endsWith('lit-html/lit-html.js')) return undefined;
    const text = new MagicString(code);
    text.replace(
      /(\w+)\.createPolicy\("lit-html",(\{createHTML:\w+=>\w+\})\)/,
      'globalThis[Symbol.for("agent-chat.policy")]??=$1.createPolicy("agent-chat",$2)',
    );
    if (!text.hasChanged()) throw new Error('lit-html no longer makes its policy the way this build knows.');
    return { code: text.toString(), map: text.generateMap({ hires: true }) };
  },
};

/**
 * Lazy parts take what they share with the element from the copy of it that runs, not by its address: a page may have loaded it
 * by another one (`agent-chat.js?v=2`, a redirect to a version), and an import of the file would run it twice.
 */
const shareWithChunks = (entry: string, open: readonly string[]): Plugin => ({
  name: 'agent-chat:share-with-chunks',
  renderChunk(code, chunk) {
    const text = new MagicString(code);
    const shared = `globalThis[Symbol.for("${entry}@${version}")]`;
    if (chunk.isEntry) {
      text.replace(/export \{([^}]*)\};?\s*$/, (_all, names: string) => {
        const list = names.split(',').map((name) => name.trim().split(' as '));
        const fields = list.map(([name = '', as = name]) => `${as}: ${name}`);
        const kept = list.filter(([name = '', as = name]) => open.includes(as));
        return `${shared} ??= { ${fields.join()} };\nexport { ${kept.map((names) => names.join(' as ')).join()} };\n`;
      });
    } else {
      const from = new RegExp(`import \\{([^}]*)\\} from "\\.\\./${entry}\\.js";`);
      text.replace(from, (_all, names: string) => `const {${names.replaceAll(' as ', ': ')}} = ${shared};`);
    }
    const wanted = chunk.isEntry || chunk.imports.includes(`${entry}.js`);
    if (text.hasChanged() !== wanted)
      throw new Error(`${chunk.fileName} shares in a way that this build does not know.`);
    return wanted ? { code: text.toString(), map: text.generateMap({ hires: true }) } : undefined;
  },
});

/** What told our own bundler to leave an address alone is not for that of the page, which has to bring the file along. */
const keepAddresses: Plugin = {
  name: 'agent-chat:keep-addresses',
  renderChunk(code) {
    const text = new MagicString(code);
    text.replaceAll('/* @vite-ignore */', '');
    return text.hasChanged() ? { code: text.toString(), map: text.generateMap({ hires: true }) } : undefined;
  },
};

/** A text of megabytes needs no map of itself, only its name in the list of contents. */
const textsWithoutMaps: Plugin = {
  name: 'agent-chat:texts-without-maps',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith('?raw')) return undefined;
    const text = await readFile(id.slice(0, -'?raw'.length), 'utf8');
    const map = { version: 3, sources: [id], sourcesContent: [''], names: [], mappings: 'AAAA' };
    return { code: `export default ${JSON.stringify(text)}`, map };
  },
};

/** The oldest engines in which the sheets work as they are written: `light-dark()`, nesting and relative colours. */
const engines = ['chrome125', 'edge125', 'firefox128', 'safari18'];

const shared = {
  target: engines,
  cssTarget: engines,
  modulePreload: false,
  emptyOutDir: false,
  copyPublicDir: false,
  sourcemap: true,
  reportCompressedSize: false,
} as const;

/** The entries of `exports` that bundlers take; their dependencies stay outside. */
const doors = ['index', 'define', 'model', 'protocols', 'renderers', 'testing', 'react', 'vue', 'svelte', 'solid'];

/** What the element shares with its lazy parts by import: one request in place of four, and half a KB less. */
const FIRST =
  /\/(?:@lit\/reactive-element|lit-element)\/|\/lit-html\/(?:lit-html|is-server|directive|directive-helpers)\.js|\/lit\/index\.js|\/src\/errors\.ts/;

/**
 * One file for a page without a bundler, with its dependencies inlined and its lazy parts beside it. `open`: what it exports.
 * `groups`: what is fetched with it in files of their own.
 */
const bundle = (
  name: string,
  entry: string,
  open: readonly string[],
  groups: { readonly name: string; readonly test: RegExp }[] = [],
): UserConfig => ({
  base: './',
  plugins: [sharedPolicy, textsWithoutMaps, shareWithChunks(name, open)],
  build: {
    ...shared,
    lib: { entry: { [name]: entry }, formats: ['es'] },
    minify: 'oxc',
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Lazy parts take what they share with the element from the element: it is one file.
      preserveEntrySignatures: 'allow-extension',
      output: {
        minify: true,
        codeSplitting: { groups },
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        assetFileNames: '[name][extname]',
      },
    },
  },
});

/** As `integrity=` has it. Only the script that loads the element needs it, and is built behind it. */
function hashOf(file: string): string {
  return existsSync(file) ? `sha384-${createHash('sha384').update(readFileSync(file)).digest('base64')}` : '';
}

const builds: Readonly<Record<string, UserConfig>> = {
  element: bundle('agent-chat', 'src/define.ts', ['AgentChat', 'define'], [{ name: 'lit', test: FIRST }]),
  markdown: bundle('markdown', 'src/markdown.ts', ['AgentChatMarkdown']),
  library: {
    base: './',
    plugins: [keepAddresses, textsWithoutMaps],
    build: {
      ...shared,
      lib: {
        // (`markdown.js` itself is the bundle: one that is self-contained cannot be imported in Node.)
        entry: {
          ...Object.fromEntries(doors.map((door) => [door, `src/${door}.ts`])),
          'lib/markdown': 'src/markdown.ts',
        },
        formats: ['es'],
      },
      minify: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        // (A text is no module that the page's own bundler could find.)
        external: (id) => !/^(?:[./]|\0)|\?raw$/.test(id) && !id.startsWith(import.meta.dirname),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'lib/[name]-[hash].js',
          assetFileNames: '[name][extname]',
        },
      },
    },
  },
  embed: {
    define: { AGENT_CHAT_INTEGRITY: JSON.stringify(hashOf('dist/agent-chat.js')) },
    build: {
      ...shared,
      // Below the engines above it still has to say so.
      target: 'es2020',
      lib: { entry: 'src/embed.ts', formats: ['iife'], name: 'agentChatEmbed', fileName: () => 'embed.js' },
      minify: 'oxc',
    },
  },
};

const demo: UserConfig = {
  root: 'demo',
  plugins: [agentServer()],
  resolve: {
    // Without "development": a reader who opens the console is not told that Lit is in development mode.
    conditions: ['module', 'browser'],
    alias: [
      { find: /^agent-chat-element$/, replacement: new URL('src/index.ts', import.meta.url).pathname },
      { find: /^agent-chat-element\/(.*)$/, replacement: `${new URL('src', import.meta.url).pathname}/$1.ts` },
    ],
  },
};
