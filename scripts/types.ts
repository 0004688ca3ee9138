/**
 * Writes the declarations of the library. Declarations that no entry point reaches are left out, because they would become
 * public API. Imports end in `.js`: the compiler leaves `.ts` in declarations, which older tools can't resolve.
 */
import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };

const IMPORT = /(from |import\(|import )(['"])(\.[^'"]+)\.ts\2/g;

/** Writes the declarations into `dist`. Throws on a type error in the sources. */
export async function writeTypes(): Promise<void> {
  const compiler = ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json'];
  if (spawnSync(process.execPath, compiler, { stdio: 'inherit' }).status !== 0) throw new Error('The types are wrong.');
  const entryPoints = Object.values(packageJson.exports)
    .flatMap((target) => (typeof target === 'string' ? [] : [target.types]))
    .map((file) => posix.relative('dist', file));
  const declarations = new Set<string>();
  for (const entryPoint of entryPoints) await keepDeclaration(entryPoint, declarations);
  for (const file of await readdir('dist', { recursive: true })) {
    const path = file.replaceAll('\\', '/');
    if (path.endsWith('.d.ts') && !declarations.has(path)) await rm(join('dist', path));
  }
  await removeEmpty('dist');
}

async function keepDeclaration(file: string, declarations: Set<string>): Promise<void> {
  if (declarations.has(file)) return;
  declarations.add(file);
  const text = await readFile(`dist/${file}`, 'utf8');
  await writeFile(`dist/${file}`, text.replace(IMPORT, '$1$2$3.js$2'));
  for (const [, , , path = ''] of text.matchAll(IMPORT)) {
    await keepDeclaration(`${posix.join(posix.dirname(file), path)}.d.ts`, declarations);
  }
}

async function removeEmpty(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeEmpty(join(folder, entry.name));
  }
  if ((await readdir(folder)).length === 0) await rmdir(folder);
}
