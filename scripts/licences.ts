/** The licences of what is in the bundles: their texts have to go along with them, and each has to be one that lets us. */
import { readdir, readFile } from 'node:fs/promises';

/** Licences that ask for no more than their text. One of DOMPurify's two is enough. */
const ALLOWED = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD']);

/** The text for `licences.txt`. Throws where a package has no text of its licence, or one that is not allowed. */
export async function licencesOf(packages: readonly string[]): Promise<string> {
  const texts = await Promise.all(packages.map(licenceOf));
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

async function licenceOf(name: string): Promise<string> {
  const home = `node_modules/${name}`;
  const { version, license = '' } = JSON.parse(await readFile(`${home}/package.json`, 'utf8')) as {
    readonly version: string;
    readonly license?: string;
  };
  const offered = license.replace(/[()]/g, '').split(' OR ');
  if (!offered.some((id) => ALLOWED.has(id)))
    throw new Error(`${name} has the licence "${license}", which is not allowed.`);
  const file = (await readdir(home)).find((entry) => /^licen[cs]e(?:\.|-|$)/i.test(entry));
  if (file === undefined) throw new Error(`${name} brings no text of its licence.`);
  return `${name} ${version} (${license})\n\n${(await readFile(`${home}/${file}`, 'utf8')).trim()}`;
}
