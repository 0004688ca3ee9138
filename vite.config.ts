import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import MagicString from 'magic-string';
import { minify } from 'terser';
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite';
import { agentServer } from './demo/server/plugin.ts';
import { onlyLexer } from './scripts/only-lexer.ts';
import { onlySyncZod } from './scripts/only-sync-zod.ts';
import manifest from './package.json' with { type: 'json' };

const { version } = manifest;

type CodeSplittingGroup = Rolldown.CodeSplittingGroup;
type CodeSplittingNameFunction = Rolldown.CodeSplittingNameFunction;
type GetModuleInfo = Rolldown.GetModuleInfo;

/**
 * Builds three bundles with inlined dependencies (`agent-chat.js` and `markdown.js` with their lazy chunks, and the
 * classic `embed.js`), and the library for bundlers with external dependencies. Without a mode it serves the demo.
 */
export default defineConfig(({ command, mode }): UserConfig => {
  if (command === 'serve') return demo;
  const build = builds[mode];
  if (!build) throw new Error(`There is no build "${mode}". Run "npm run build".`);
  return build;
});

/**
 * Lit creates a Trusted Types policy with its own name when its module is evaluated, and throws if the page's own Lit
 * already uses that name. Our copy uses this package's only policy, shared by every copy on the page.
 * Source: `docs/security.md`.
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
 * zod and the bundler's runtime iterate objects with a bare `for … in`, and throw if a page has added something
 * enumerable to `Object.prototype`. Our copies iterate own keys only, also in the functions that zod generates.
 */
const ownKeys: Plugin = {
  name: 'agent-chat:own-keys',
  transform(code, id) {
    if (!/\/node_modules\/zod\/|^\0rolldown\/runtime/.test(id)) return undefined;
    const text = new MagicString(code);
    text.replace(
      /for \(const (\w+) in ([\w.]+|\$\{accessor\})\) \{/g,
      (loop, key: string, object: string) => `${loop} if (!Object.hasOwn(${object}, ${key})) continue;`,
    );
    text.replaceAll('for (var name in all)', 'for (var name of Object.keys(all))');
    return text.hasChanged() ? { code: text.toString(), map: text.generateMap({ hires: true }) } : undefined;
  },
};

/**
 * Lazy parts get the modules shared with the element from its running copy, not by URL. A page may have loaded it under
 * another URL (`agent-chat.js?v=2`, a redirect to a version), and importing the file would evaluate it twice.
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

/**
 * The bundler puts its helper for module namespaces into a file of its own, which would be one more request before the
 * first answer. The helper is shorter than its import is expensive, so each chunk gets a copy.
 */
const ownNamespaceHelper: Plugin = {
  name: 'agent-chat:own-namespace-helper',
  renderChunk(code) {
    const text = new MagicString(code);
    text.replace(
      /import \{ \w+ as __exportAll \} from "\.\/rolldown-runtime-[^"]+";/,
      'const __exportAll = (all) => Object.keys(all).reduce((target, name) => Object.defineProperty(target, name, { get: all[name], enumerable: true }), {});',
    );
    return text.hasChanged() ? { code: text.toString(), map: text.generateMap({ hires: true }) } : undefined;
  },
};

/** Chunks that are loaded before any other: with the first interaction. The helper of the bundler has no file. */
const early = new Set(['turn', 'conversation', 'rolldown-runtime']);

/**
 * Loads a lazy part together with the files that it imports. Otherwise the browser learns of them only when the part has
 * arrived, one round trip later.
 */
const loadTogether: Plugin = {
  name: 'agent-chat:load-together',
  renderChunk(code, { fileName, dynamicImports }, _options, { chunks }) {
    const importsOf = (name: string, seen = new Set<string>()): ReadonlySet<string> => {
      for (const imported of chunks[name]?.imports ?? [])
        if (!seen.has(imported)) importsOf(imported, seen.add(imported));
      return seen;
    };
    const loaded = importsOf(fileName);
    const folder = fileName.includes('/') ? `${dirname(fileName)}/` : '';
    const importOf = (name: string): string => `import("./${name.slice(folder.length)}")`;
    const text = new MagicString(code);
    for (const part of dynamicImports) {
      const missing = [...importsOf(part)].filter(
        (name) => !loaded.has(name) && chunks[name]?.isEntry === false && !early.has(chunks[name].name),
      );
      // A failure is reported by the import of the part itself.
      const together = missing.map((name) => `${importOf(name)}.catch(() => {}), `).join('');
      if (together !== '') text.replaceAll(importOf(part), `(${together}${importOf(part)})`);
    }
    return text.hasChanged() ? { code: text.toString(), map: text.generateMap({ hires: true }) } : undefined;
  },
};

/**
 * Tells V8 to compile all functions of a file on another thread while it downloads. Otherwise it only finds their ends, and
 * compiles each on the main thread when it is called first: on a phone that took half of the time until the composer, and
 * until the first word. Other engines ignore the comment. Source: v8.dev/blog/explicit-compile-hints.
 */
const compileHint = (chunk: Rolldown.RenderedChunk): string =>
  chunk.isEntry || isForFirstAnswer(chunk) ? '//# allFunctionsCalledOnLoad' : '';

const isForFirstAnswer = ({ name, moduleIds }: Rolldown.RenderedChunk): boolean =>
  ['turn', 'conversation', 'detection'].includes(name) || moduleIds.some((id) => id.includes('/src/protocols/'));

/** Adds the texts of the sources to a map that was made of another one. */
function withSources(map: string, before: string): string {
  const { sources, sourcesContent } = JSON.parse(before) as { sources: string[]; sourcesContent: (string | null)[] };
  const texts = new Map(sources.map((source, index) => [source, sourcesContent[index] ?? null]));
  const made = JSON.parse(map) as { sources: string[] };
  return JSON.stringify({ ...made, sourcesContent: made.sources.map((source) => texts.get(source) ?? null) });
}

/**
 * Minifies what a first answer needs a second time: terser still finds 1.7 % (2.8 KB) in what the bundler's own minifier leaves. It
 * comes last, because the bundler would print its code in a longer form.
 */
const minifyAgain: Plugin = {
  name: 'agent-chat:minify-again',
  async generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      const map = bundle[`${chunk.fileName}.map`];
      if (chunk.type !== 'chunk' || map?.type !== 'asset' || !(chunk.isEntry || isForFirstAnswer(chunk))) continue;
      const hint = compileHint(chunk);
      const { code, map: smaller } = await minify(chunk.code, {
        module: true,
        ecma: 2020,
        compress: { passes: 4, keep_fargs: false },
        format: { ...(hint && { preamble: hint }) },
        sourceMap: { content: String(map.source), url: basename(map.fileName) },
      });
      if (code === undefined || typeof smaller !== 'string') throw new Error(`${chunk.fileName} was not minified.`);
      chunk.code = code;
      map.source = withSources(smaller, String(map.source));
    }
  },
};

/**
 * The comments that exclude a URL from our bundler must not exclude it from the page's bundler, which has to include
 * the file.
 */
const keepAddresses: Plugin = {
  name: 'agent-chat:keep-addresses',
  renderChunk(code) {
    const text = new MagicString(code);
    text.replaceAll('/* @vite-ignore */', '');
    return text.hasChanged() ? { code: text.toString(), map: text.generateMap({ hires: true }) } : undefined;
  },
};

/**
 * The library takes the text of Mermaid from the element's chunks, which are built before: the package contains its
 * 3.6 MB once.
 */
const sharedMermaid: Plugin = {
  name: 'agent-chat:shared-mermaid',
  enforce: 'pre',
  resolveId: (source) =>
    source.endsWith('/mermaid-bundle.ts') ? { id: 'agent-chat:mermaid-bundle', external: true } : undefined,
  renderChunk(code) {
    const text = new MagicString(code);
    text.replaceAll('"agent-chat:mermaid-bundle"', () => {
      const file = readdirSync('dist/chunks').find((name) => /^mermaid-bundle-[\w-]+\.js$/.test(name));
      if (file === undefined) throw new Error('The element, with Mermaid in its chunks, is built before the library.');
      return JSON.stringify(`../chunks/${file}`);
    });
    return text.hasChanged() ? { code: text.toString(), map: text.generateMap({ hires: true }) } : undefined;
  },
};

/** A text of megabytes needs no source map, only its name in the list of sources. */
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

/** The oldest browsers that support the stylesheets as written: `light-dark()`, nesting and relative colours. */
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

/** The entry points in `exports` for bundlers; their dependencies are external. */
const entryPoints = [
  'index',
  'define',
  'model',
  'protocols',
  'renderers',
  'testing',
  'react',
  'vue',
  'svelte',
  'solid',
];

/**
 * The chunk of a module depends on the number of adapters that import it: up to this number it is in `adapter-parts`, so that
 * the other adapters do not load it.
 */
const MAX_USERS_OF_ADAPTER_PARTS = 3;
/**
 * Modules with more users, up to this number, are in `adapter-common`; modules with even more users are in `turn`. Helpers of
 * few adapters are in `adapter-common` too, if each of them loads it anyway.
 */
const MAX_USERS_OF_ADAPTER_COMMON = 20;

/** Returns a module and all its static imports. */
function closure(id: string, getModuleInfo: GetModuleInfo, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(id)) return seen;
  seen.add(id);
  for (const imported of getModuleInfo(id)?.importedIds ?? []) closure(imported, getModuleInfo, seen);
  return seen;
}

/**
 * Groups modules by when they are needed, because each small file is a separate request and compresses badly.
 * `agent-chat`, the entry itself, holds all that it imports, also what lazy parts share with it. `turn` sends a request
 * and decodes the reply, with the code that adapters share; `conversation` shows it. The bundler decides about the others.
 */
function chunkByNeed(): CodeSplittingNameFunction {
  const source = (path: string): string => new URL(`src/${path}`, import.meta.url).pathname;
  let names: ReadonlyMap<string, string> | undefined;
  return (module, context) => {
    names ??= namesByNeed((id) => context.getModuleInfo(id), source);
    return names.get(module) ?? null;
  };
}

function namesByNeed(getModuleInfo: GetModuleInfo, source: (path: string) => string): ReadonlyMap<string, string> {
  const shell = closure(source('define.ts'), getModuleInfo);
  const names = new Map([...shell].map((id) => [id, 'agent-chat']));
  // Smaller than the file that several lazy parts would share.
  names.set(source('components/shared/css-zoom.ts'), 'agent-chat');
  const add = (ids: Iterable<string>, name: string): void => {
    for (const id of ids) if (!shell.has(id) && !names.has(id)) names.set(id, name);
  };
  add(closure(source('components/turn-chunk.ts'), getModuleInfo), 'turn');
  // Smaller than the files that they would be.
  for (const name of ['model/text/thrown-message', 'model/exchange/press-redaction', 'runtime/masking/redact-number'])
    add([source(`${name}.ts`)], 'turn');
  // Only this adapter and the agents of a page need them.
  for (const name of ['exchange/agent-contents', 'exchange/response-data', 'exchange/response-events', 'agent-message'])
    add([source(`model/${name}.ts`)], 'deepchat-events');
  // Few adapters need it, and all of them need that file anyway.
  add([source('protocols/core/exact-json.ts')], 'adapter-common');
  // Stored conversations and one adapter are checked against them.
  for (const name of ['blocks', 'image-data', 'message', 'usage']) add([source(`model/${name}.ts`)], 'message-schemas');
  const conversation = closure(source('components/conversation-chunk.ts'), getModuleInfo);
  const detection = closure(source('runtime/stream/detect-protocol.ts'), getModuleInfo);
  const adapters = getModuleInfo(source('protocols/registry.ts'))?.dynamicallyImportedIds ?? [];
  const closures = adapters.map((adapter) => closure(adapter, getModuleInfo));
  const folders = new Set(adapters.map((adapter) => dirname(adapter)));
  const storage = closure(source('components/shared/storage-chunk.ts'), getModuleInfo);
  const helpers: string[] = [];
  for (const id of new Set(closures.flatMap((ids) => [...ids]))) {
    const users = adapters.filter((_, index) => closures[index]?.has(id));
    const folder = dirname(id);
    const isOfAdapter = folder !== source('protocols') && folders.has(folder);
    const importers = getModuleInfo(id)?.importers ?? [];
    const isOfOne = users.length === 1 && importers.every((importer) => closures.some((ids) => ids.has(importer)));
    // An adapter must wait neither for the conversation nor for the storage.
    const isOfAll =
      users.length > MAX_USERS_OF_ADAPTER_COMMON || [conversation, detection, storage].some((ids) => ids.has(id));
    // The turn itself uses most of them.
    const isHelper = !isOfOne && ['model/', 'protocols/core/'].some((folder) => id.startsWith(source(folder)));
    const sharedChunk = users.length > MAX_USERS_OF_ADAPTER_PARTS ? 'adapter-common' : 'adapter-parts';
    if (isOfAdapter && users.length > 1) add([id], `${basename(folder)}-shared`);
    else if (isOfAll) add([id], 'turn');
    else if (isHelper) helpers.push(id);
    else add([id], users.length > 1 ? sharedChunk : basename(users[0] ?? '', '.ts'));
  }
  // No part may need one more file because of a helper.
  const loadsCommon = (id: string): boolean =>
    [...closure(id, getModuleInfo)].some((part) => names.get(part) === 'adapter-common');
  for (const id of helpers) {
    const users = adapters.filter((_, index) => closures[index]?.has(id));
    const others = (getModuleInfo(id)?.importers ?? []).filter((part) => !closures.some((ids) => ids.has(part)));
    add([id], [...users, ...others].every(loadsCommon) ? 'adapter-common' : 'turn');
  }
  add(conversation, 'conversation');
  for (const name of ['runtime/request/poll', 'runtime/stream/read-polls']) add([source(`${name}.ts`)], 'poll');
  // Smaller than the files that they would be.
  for (const name of [
    'safety/link-text',
    'markdown/render/link-template',
    'renderers/text/source-line',
    'components/transcript/open-markup',
  ])
    add([source(`${name}.ts`)], 'link-text');
  // Nearly every lazy part needs both.
  const lazyTexts = closure(source('locales/english/en-lazy-parts.ts'), getModuleInfo);
  add([source('locales/english/all-english.ts'), ...lazyTexts, source('primitives/lazy-icons.ts')], 'all-english');
  add(detection, 'detection');
  add(storage, 'storage');
  for (const tools of [
    'markdown/render/table-columns.ts',
    'markdown/render/table-tools.ts',
    'primitives/code/code-tools.ts',
  ])
    add(closure(source(tools), getModuleInfo), 'block-tools');
  // The page's functions need the second one too. As a file of its own, each of seven parts would name it.
  add([source('renderers/tools/format-arguments.ts'), source('model/text/is-lossless.ts')], 'format-arguments');
  return names;
}

/**
 * Builds one file for pages without a bundler, with inlined dependencies and lazy chunks next to it. `open`: its
 * exports. `groups`: modules bundled into files of their own.
 */
const bundle = (
  name: string,
  entry: string,
  open: readonly string[],
  groups: CodeSplittingGroup[] = [],
): UserConfig => ({
  base: './',
  plugins: [
    sharedPolicy,
    onlyLexer,
    onlySyncZod(),
    ownKeys,
    textsWithoutMaps,
    loadTogether,
    shareWithChunks(name, open),
    ownNamespaceHelper,
    minifyAgain,
  ],
  build: {
    ...shared,
    lib: { entry: { [name]: entry }, formats: ['es'] },
    minify: 'oxc',
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Lazy parts import what they share with the element from the element, which is one file.
      preserveEntrySignatures: 'allow-extension',
      output: {
        minify: true,
        codeSplitting: { groups, includeDependenciesRecursively: false },
        postBanner: compileHint,
        entryFileNames: '[name].js',
        // Short, because the first load names many of them.
        chunkFileNames: 'chunks/[name]-[hash:7].js',
        assetFileNames: '[name][extname]',
      },
    },
  },
});

/**
 * Returns the hash in the format of `integrity=`. Only the script that loads the element needs it, so it is built after
 * the element.
 */
function hashOf(file: string): string {
  return existsSync(file) ? `sha256-${createHash('sha256').update(readFileSync(file)).digest('base64')}` : '';
}

/**
 * The command line tool for Node, and the script of its page. Dependencies are external: they are installed with the
 * package.
 */
const command: UserConfig = {
  plugins: [keepAddresses],
  build: {
    ...shared,
    target: 'node20',
    sourcemap: false,
    outDir: 'dist/cli',
    lib: { entry: { main: 'cli/main.ts', page: 'cli/page/page.ts' }, formats: ['es'] },
    minify: false,
    rolldownOptions: {
      external: (id) => !/^(?:[./]|\0)/.test(id) && !id.startsWith(import.meta.dirname),
      output: { entryFileNames: '[name].js', chunkFileNames: 'lib/[name]-[hash].js' },
    },
  },
};

const builds: Readonly<Record<string, UserConfig>> = {
  element: bundle(
    'agent-chat',
    'src/define.ts',
    ['AgentChat', 'define'],
    [{ name: chunkByNeed(), debugName: 'by need' }],
  ),
  markdown: bundle('markdown', 'src/markdown.ts', ['AgentChatMarkdown']),
  library: {
    base: './',
    plugins: [keepAddresses, sharedMermaid],
    build: {
      ...shared,
      lib: {
        // `markdown.js` itself is the bundle, and a self-contained bundle cannot be imported in Node.
        entry: {
          ...Object.fromEntries(entryPoints.map((entry) => [entry, `src/${entry}.ts`])),
          'lib/markdown': 'src/markdown.ts',
        },
        formats: ['es'],
      },
      minify: false,
      // Its files are readable as they are.
      sourcemap: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        // A raw text is not a module that the page's bundler could resolve.
        external: (id) => !/^(?:[./]|\0)|\?raw$/.test(id) && !id.startsWith(import.meta.dirname),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'lib/[name]-[hash].js',
          assetFileNames: '[name][extname]',
        },
      },
    },
  },
  cli: command,
  embed: {
    define: { AGENT_CHAT_INTEGRITY: JSON.stringify(hashOf('dist/agent-chat.js')) },
    build: {
      ...shared,
      // It must still report an error in browsers older than those above.
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
    // Without "development": otherwise users would see in the console that Lit is in development mode.
    conditions: ['module', 'browser'],
    alias: [
      { find: /^agent-chat-element$/, replacement: new URL('src/index.ts', import.meta.url).pathname },
      { find: /^agent-chat-element\/(.*)$/, replacement: `${new URL('src', import.meta.url).pathname}/$1.ts` },
    ],
  },
};
