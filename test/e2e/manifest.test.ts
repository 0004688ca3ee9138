/**
 * `custom-elements.json` against the sources and the build: it has everything that a page can use, with a description,
 * and nothing else.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { ClassMember, CustomElement, Package } from 'custom-elements-manifest/schema';

/** The types are those of an older schema. */
type Element = CustomElement & {
  readonly members: readonly ClassMember[];
  readonly cssStates?: readonly { readonly name: string; readonly description?: string }[];
};

const json = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8')) as unknown;

async function sources(): Promise<string> {
  const files = (await readdir('src', { recursive: true })).filter((file) => /\.(?:ts|css)$/.test(file));
  return (await Promise.all(files.map((file) => readFile(`src/${file}`, 'utf8')))).join('\n');
}

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort();

const names = (list: readonly { readonly name: string }[] = []): readonly string[] => list.map(({ name }) => name);

function missing(expected: readonly string[], list: readonly string[]): readonly string[] {
  assert.ok(expected.length > 0);
  return expected.filter((name) => !list.includes(name));
}

describe('custom-elements.json', async () => {
  const manifest = (await json('dist/custom-elements.json')) as Package;
  const text = await sources();
  const declarations = manifest.modules.flatMap((module) => module.declarations ?? []);
  const elements = declarations.filter((one) => 'customElement' in one) as readonly Element[];
  const element = (tag: string): (typeof elements)[number] => elements.find(({ tagName }) => tagName === tag)!;
  const chat = element('agent-chat');

  it('has the elements that a page may write, and how they are registered', () => {
    assert.deepEqual(
      elements.map(({ tagName }) => tagName),
      ['agent-chat', 'agent-chat-markdown'],
    );
    const definitions = manifest.modules
      .flatMap((module) => module.exports ?? [])
      .filter(({ kind }) => kind === 'custom-element-definition');
    assert.deepEqual(names(definitions), ['agent-chat', 'agent-chat-markdown']);
  });

  it('names existing modules, and their exports', async () => {
    for (const { path, exports = [] } of manifest.modules) {
      const module = (await import(new URL(`../../${path}`, import.meta.url).href)) as object;
      for (const { kind, name } of exports) if (kind === 'js') assert.ok(name in module, `${path}: ${name}`);
    }
  });

  for (const [tag, path, name] of [
    ['agent-chat', 'index.js', 'AgentChat'],
    ['agent-chat-markdown', 'lib/markdown.js', 'AgentChatMarkdown'],
  ] as const) {
    it(`has each property and attribute of <${tag}>`, async () => {
      const module = (await import(new URL(`../../dist/${path}`, import.meta.url).href)) as Record<
        string,
        { observedAttributes: string[]; elementProperties: ReadonlyMap<string, { readonly state?: boolean }> }
      >;
      const { observedAttributes, elementProperties } = module[name]!;
      assert.deepEqual(missing(observedAttributes, names(element(tag).attributes)), []);
      const settings = [...elementProperties].filter(([, { state }]) => state !== true).map(([property]) => property);
      assert.deepEqual(missing(settings, names(element(tag).members)), []);
    });
  }

  it('has each event, and its class', () => {
    assert.deepEqual(missing(matches(text, /super\('(agent-chat-[\w-]+)',/g), names(chat.events)), []);
    assert.deepEqual(
      missing(matches(text, /class (AgentChat\w+Event) extends AgentChatEvent/g), names(declarations)),
      [],
    );
    for (const { name, type } of chat.events ?? []) assert.ok(names(declarations).includes(type.text), name);
  });

  it('has each part of the templates', () => {
    const used = matches(text, /(?:part="|'part', ')([^"'$]+)/g)
      .flatMap((parts) => parts.split(' '))
      .filter((part) => !part.startsWith('block-'));
    const listed = elements.flatMap(({ cssParts }) => names(cssParts));
    assert.deepEqual(missing(used, listed), []);
    assert.deepEqual(
      missing(listed, [...used, ...matches(text, /'([\w-]+)'/g), 'message-user', 'message-assistant']),
      [],
      'a part that is nowhere',
    );
  });

  it('has each slot of the templates', () => {
    assert.deepEqual(missing(matches(text, /<slot[^>]* name="([\w-]+)"/g), names(chat.slots)), []);
  });

  it('has each custom property of the stylesheets, and no other', () => {
    const sheets = matches(text, /var\(\s*(--agent-chat-[\w-]+)/g);
    assert.deepEqual([...names(chat.cssProperties)].sort(), sheets);
  });

  it('has a description for everything', () => {
    const all = elements.flatMap(({ tagName = '', ...list }) =>
      [list.attributes, list.members, list.events, list.slots, list.cssParts, list.cssProperties, list.cssStates]
        .flatMap((entries) => entries ?? [])
        .map(({ name, description }) => ({ name: `${tagName}: ${name}`, description })),
    );
    assert.deepEqual(names(all.filter(({ description }) => !description)), []);
  });

  it('has nothing private', () => {
    const members = elements.flatMap((one) => one.members);
    assert.deepEqual(names(members.filter(({ name, privacy }) => /^[#_]/.test(name) || privacy !== undefined)), []);
    assert.doesNotMatch(JSON.stringify(manifest), /"src\/|OneOf</);
  });

  it('matches the files for editors', async () => {
    const { tags } = (await json('dist/vscode.html-custom-data.json')) as {
      readonly tags: readonly { name: string; attributes: { name: string; values?: { name: string }[] }[] }[];
    };
    assert.deepEqual(names(tags), ['agent-chat', 'agent-chat-markdown']);
    assert.deepEqual(names(tags[0]?.attributes), names(chat.attributes));
    const mode = tags[0]?.attributes.find(({ name }) => name === 'mode');
    assert.deepEqual(names(mode?.values), ['inline', 'floating', 'sidebar', 'fullscreen']);
    const types = (await json('dist/web-types.json')) as {
      readonly contributions: {
        readonly html: { readonly elements: readonly { name: string; attributes: object[] }[] };
      };
    };
    assert.equal(types.contributions.html.elements[0]?.attributes.length, chat.attributes?.length);
  });
});
