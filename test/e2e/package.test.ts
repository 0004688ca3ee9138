/**
 * The package as it would be published: its files, and that its types hold for a page that takes it from
 * `node_modules`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { pack, type Packed } from '../../scripts/pack.ts';

/** Inside the project, so that the package's dependencies are found as in an installation. */
const FOLDER = '.cache/package';
const CONSUMERS = ['consumer.ts', 'consumer-define.ts', 'consumer-react.tsx'];
/** Packages whose framework has declarations that are not for this project to check. */
const SOLID = 'consumer-solid.tsx';
/** Read by the checkers of their frameworks. */
const TEMPLATES = ['Consumer.vue', 'Consumer.svelte'];

/** Each published file is one of these. */
const PUBLISHED = [
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/(?:agent-chat|markdown|embed|index|define|model|protocols|renderers|testing|react|vue|svelte|solid)\.js(?:\.map)?$/,
  /^dist\/(?:chunks|lib)\/[\w-]+\.js(?:\.map)?$/,
  /^dist\/(?:[\w-]+\/)*[\w-]+\.d\.ts$/,
  /^dist\/cli\/(?:(?:main|page)\.js|page\.(?:html|css)|lib\/[\w-]+\.js)$/,
  /^dist\/(?:frame\.html|(?:custom-elements|web-types|vscode\.html-custom-data|integrity|importmap|sbom\.cdx)\.json|licences\.txt)$/,
];

/** Found by name from the outside: none of them may be missing. */
const WANTED = [
  'dist/agent-chat.js',
  'dist/embed.js',
  'dist/frame.html',
  'dist/index.d.ts',
  'dist/react.d.ts',
  'dist/custom-elements.json',
  'dist/cli/main.js',
  'dist/cli/page.html',
  'dist/sbom.cdx.json',
  'dist/licences.txt',
];

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
}

describe('the package', () => {
  let packed: Packed;
  before(async () => {
    const home = `${FOLDER}/node_modules/agent-chat-element`;
    await rm(FOLDER, { recursive: true, force: true });
    await mkdir(home, { recursive: true });
    packed = pack(FOLDER);
    const { status } = spawnSync('tar', ['-xzf', packed.tarball, '-C', home, '--strip-components=1']);
    assert.equal(status, 0);
    for (const file of [...CONSUMERS, SOLID, ...TEMPLATES]) await copyFile(`test/package/${file}`, `${FOLDER}/${file}`);
  });
  after(() => rm(FOLDER, { recursive: true, force: true }));

  it('has what a page needs, and nothing else', () => {
    assert.deepEqual(
      packed.files.filter((file) => !PUBLISHED.some((pattern) => pattern.test(file))),
      [],
    );
    assert.deepEqual(
      WANTED.filter((file) => !packed.files.includes(file)),
      [],
    );
  });

  it('contains Mermaid once, and the sources of no other package', async () => {
    assert.equal(packed.files.filter((file) => file.includes('/mermaid-bundle-') && file.endsWith('.js')).length, 1);
    for (const file of packed.files.filter((path) => path.endsWith('.js.map'))) {
      const map = JSON.parse(await readFile(file, 'utf8')) as SourceMap;
      const texts = map.sources.filter(
        (source, index) => source.includes('/node_modules/') && map.sourcesContent[index],
      );
      assert.deepEqual(texts, [], file);
    }
  });

  it('has a source map for each minified script of a page', () => {
    const scripts = packed.files.filter(
      (file) =>
        /^dist\/(?:agent-chat|markdown|embed|chunks\/.*)\.js$/.test(file) && !file.includes('/rolldown-runtime-'),
    );
    assert.ok(scripts.length > 100);
    assert.deepEqual(
      scripts.filter((file) => !packed.files.includes(`${file}.map`)),
      [],
    );
  });

  for (const moduleResolution of ['node16', 'nodenext', 'bundler']) {
    it(`has types that hold with ${moduleResolution}`, async () => {
      const module = moduleResolution === 'bundler' ? 'ESNext' : moduleResolution;
      await holds(CONSUMERS, { module, moduleResolution, skipLibCheck: false });
    });
  }

  // Among others, a page gets the types that it needs from them.
  for (const consumer of [...CONSUMERS.slice(1), SOLID]) {
    it(`has types that hold for a page with only ${consumer}`, async () => {
      await holds([consumer], {});
    });
  }

  it('has types that hold in a template of Vue, where a wrong value is an error', async () => {
    await writeFile(`${FOLDER}/tsconfig.json`, JSON.stringify({ compilerOptions: STRICT, include: ['*.vue'] }));
    const { status, stdout } = run('vue-tsc/bin/vue-tsc.js', '--project', `${FOLDER}/tsconfig.json`);
    assert.equal(status, 0, stdout);
  });

  it('has types that hold in a template of Svelte, where a wrong value is an error', async () => {
    await writeFile(`${FOLDER}/tsconfig.json`, JSON.stringify({ compilerOptions: STRICT, include: ['*.svelte'] }));
    // The nearest other settings would be those of this project.
    await writeFile(`${FOLDER}/svelte.config.js`, 'export default {};');
    const where = ['--workspace', FOLDER, '--tsconfig', 'tsconfig.json'];
    const { stdout } = run('svelte-check/bin/svelte-check', ...where, '--output', 'machine');
    // A comment that expects an error only works in scripts: the markup has none.
    const errors = stdout.split('\n').filter((line) => line.includes(' ERROR '));
    assert.deepEqual(
      errors.map((line) => /'(?:\\"flying\\"|weather)'/.exec(line)?.[0]),
      [`'\\"flying\\"'`, "'weather'"],
      stdout,
    );
  });
});

const STRICT = {
  target: 'ES2022',
  module: 'ESNext',
  moduleResolution: 'bundler',
  lib: ['ES2024', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
};

const run = (tool: string, ...args: string[]) =>
  spawnSync(process.execPath, [`node_modules/${tool}`, ...args], { encoding: 'utf8' });

async function holds(files: readonly string[], options: Readonly<Record<string, unknown>>): Promise<void> {
  const compilerOptions = { ...STRICT, jsx: 'react-jsx', noUncheckedSideEffectImports: true, ...options };
  await writeFile(`${FOLDER}/tsconfig.json`, JSON.stringify({ compilerOptions, files }));
  const { status, stdout } = run('typescript-native/bin/tsc', '--project', `${FOLDER}/tsconfig.json`);
  assert.equal(status, 0, stdout);
}
