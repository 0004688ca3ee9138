/** The licences of bundled packages. Their texts are published with the bundles, and each licence must allow that. */
import { readdir, readFile } from 'node:fs/promises';

/** Licences that require only their text. DOMPurify has two, of which one is enough. */
const ALLOWED = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'Unlicense']);

/** Returns the text for `licences.txt`. Throws if a package has no licence text, or a licence that is not allowed. */
export async function licencesOf(packages: readonly string[]): Promise<string> {
  const texts = await Promise.all(packages.map(licenceOf));
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

async function licenceOf(name: string): Promise<string> {
  const home = `node_modules/${name}`;
  const { version, author, ...told } = JSON.parse(await readFile(`${home}/package.json`, 'utf8')) as {
    readonly version: string;
    readonly license?: string;
    readonly author?: string | { readonly name?: string };
  };
  const file = (await readdir(home)).find((entry) => /^licen[cs]e(?:\.|-|$)/i.test(entry));
  const text = file === undefined ? undefined : (await readFile(`${home}/${file}`, 'utf8')).trim();
  // Some packages name their licence only in its text.
  const license = told.license ?? (/^The MIT License/i.test(text ?? '') ? 'MIT' : '');
  const offered = license.replace(/[()]/g, '').split(' OR ');
  if (!offered.some((id) => ALLOWED.has(id)))
    throw new Error(`${name} has the licence "${license}", which is not allowed.`);
  const holder = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`);
  const licenceText = text ?? (license === 'MIT' ? mitOf(holder) : undefined);
  if (licenceText === undefined) throw new Error(`${name} brings no text of its licence.`);
  return `${name} ${version} (${license})\n\n${licenceText}`;
}

/** Texts for packages that name their licence without including it. */
const mitOf = (holder: string): string =>
  `Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
