/**
 * Writes files for audits of the build: `sbom.cdx.json` lists the bundled packages (CycloneDX 1.6), `licences.txt` their
 * licences, `integrity.json` the hash of every file for `integrity` attributes, and `importmap.json` the hashes of the
 * modules for an import map. The packages are read from the source maps, so modules that were tree-shaken are not listed.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import manifest from '../package.json' with { type: 'json' };
import { licencesOf } from './licences.ts';

/** Bundles that contain their dependencies. Those of the library are external. */
const BUNDLES = /^(?:agent-chat|markdown|embed|chunks\/[^/]+)\.js\.map$/;

/** The modules that a page without a bundler loads. */
const MODULES = /^(?:agent-chat|markdown|chunks\/[^/]+)\.js$/;
/** Placeholder for the URL of the `dist/` folder. Pages replace it. */
const SAMPLE = 'https://cdn.example/agent-chat-element@';

interface Component {
  readonly type: 'library';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly license: { readonly id: string } }[];
}

async function componentOf(name: string): Promise<Component> {
  const { version, license } = JSON.parse(await readFile(`node_modules/${name}/package.json`, 'utf8')) as {
    readonly version: string;
    readonly license?: string;
  };
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licenses = license === undefined ? [] : [{ license: { id: license } }];
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses };
}

/** Packages published as one file contain their dependencies, which no source map names. */
async function addBundled(name: string, names: Set<string>): Promise<void> {
  names.add(name);
  const { dependencies = {} } = JSON.parse(await readFile(`node_modules/${name}/package.json`, 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  for (const inner of Object.keys(dependencies))
    if (!inner.startsWith('@types/') && !names.has(inner)) await addBundled(inner, names);
}

/** Writes the files. */
export async function writeContents(): Promise<void> {
  const files = (await readdir('dist', { recursive: true })).map((file) => file.replaceAll('\\', '/')).sort();
  const names = new Set<string>();
  for (const file of files.filter((path) => BUNDLES.test(path))) {
    const { sources } = JSON.parse(await readFile(`dist/${file}`, 'utf8')) as { readonly sources: readonly string[] };
    for (const source of sources) {
      // The last `node_modules` in the path: packages may be nested.
      const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
      if (name !== undefined) names.add(name);
    }
  }
  await addBundled('mermaid', names);
  // An empty list would look like a build without dependencies.
  for (const name of ['lit-html', 'marked', 'dompurify', 'zod'])
    if (!names.has(name)) throw new Error(`The source maps no longer name ${name}.`);
  const { name, version } = manifest;
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'library',
        'bom-ref': `pkg:npm/${name}@${version}`,
        name,
        version,
        purl: `pkg:npm/${name}@${version}`,
      },
    },
    components: await Promise.all([...names].sort().map(componentOf)),
  };
  await writeFile('dist/licences.txt', await licencesOf([...names].sort()));
  await writeFile('dist/sbom.cdx.json', `${JSON.stringify(bom, undefined, 2)}\n`);

  const hashes: Record<string, string> = {};
  for (const file of files.filter((path) => /\.(?:js|html)$/.test(path))) {
    const hash = createHash('sha384').update(await readFile(`dist/${file}`));
    hashes[file] = `sha384-${hash.digest('base64')}`;
  }
  await writeFile('dist/integrity.json', `${JSON.stringify(hashes, undefined, 2)}\n`);
  const modules = Object.entries(hashes).filter(([file]) => MODULES.test(file));
  const map = {
    integrity: Object.fromEntries(modules.map(([file, hash]) => [`${SAMPLE}${version}/dist/${file}`, hash])),
  };
  await writeFile('dist/importmap.json', `${JSON.stringify(map, undefined, 2)}\n`);
  console.log(`${String(bom.components.length)} packages in the bundles: ${[...names].sort().join(', ')}`);
  console.log(
    `dist/importmap.json: the hashes of ${String(modules.length)} modules, as <script type="importmap"> takes them`,
  );
  for (const file of ['agent-chat.js', 'markdown.js', 'embed.js']) console.log(`${file} ${hashes[file] ?? ''}`);
}
