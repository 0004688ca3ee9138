/**
 * Writes `custom-elements.json` and the data for editors, from the documentation in the sources and the built classes. It
 * names the modules of the package, not the source files.
 */
import { writeFile } from 'node:fs/promises';
import type { Attribute, ClassField, Module, Package } from 'custom-elements-manifest/schema';
import packageJson from '../../package.json' with { type: 'json' };
import { vscodeData, webTypes } from './editors.ts';
import { attributesOf, isPublic, readClasses, type Declared, type Element } from './read-classes.ts';

const isField = (member: Element['members'][number]): member is ClassField => member.kind === 'field';

async function classOf(file: string, name: string): Promise<Element> {
  const found = (await readClasses(`src/components/${file}.ts`)).find((declaration) => declaration.name === name);
  if (!found) throw new Error(`${file}.ts has no class ${name}.`);
  return found;
}

async function built(file: string, name: string): Promise<Declared> {
  const module = (await import(new URL(`../../dist/${file}`, import.meta.url).href)) as Readonly<
    Record<string, Declared>
  >;
  const found = module[name];
  if (!found) throw new Error(`dist/${file} has no ${name}.`);
  return found;
}

type Made = (new () => Readonly<Record<string, unknown>>) & Declared;

/** The default values. They come from the settings class, which can be created without a document. */
function defaultsOf(declared: Declared): Readonly<Record<string, unknown>> {
  let Settings = declared as Made;
  while (!Object.hasOwn(Settings.prototype as object, 'endpoint')) Settings = Object.getPrototypeOf(Settings) as Made;
  return new Settings();
}

async function chat(): Promise<Element> {
  const widget = await classOf('element/agent-chat', 'AgentChat');
  const conversation = await classOf('element/agent-chat-conversation', 'AgentChatConversation');
  const settings = await classOf('settings/agent-chat-properties', 'AgentChatSettings');
  const declared = await built('index.js', 'AgentChat');
  const members = [...settings.members, ...conversation.members, ...widget.members].filter(isPublic);
  const instance = members.filter(isField).filter((member) => member.static !== true);
  const attributes = attributesOf(instance, declared, defaultsOf(declared));
  attributes.push({
    name: 'status',
    description: 'Reflects the property; to be read alone.',
    type: { text: 'ChatStatus' },
  });
  return finished(widget, 'agent-chat', members, attributes);
}

async function markdown(): Promise<Element> {
  const element = await classOf('element/agent-chat-markdown', 'AgentChatMarkdown');
  const members = element.members.filter(isPublic);
  const declared = await built('lib/markdown.js', 'AgentChatMarkdown');
  return finished(
    element,
    'agent-chat-markdown',
    members,
    attributesOf(members.filter(isField), declared, { streaming: false }),
  );
}

function finished(element: Element, tagName: string, members: Element['members'], attributes: Attribute[]): Element {
  // The analyzer also finds calls of `dispatchEvent` without a name. The class documentation has the complete list.
  const events = element.events?.filter(({ name }) => (name as string | undefined)?.startsWith('agent-chat-')) ?? [];
  return {
    ...element,
    tagName,
    customElement: true,
    attributes,
    members,
    events,
    superclass: { name: 'LitElement', package: 'lit' },
  };
}

/** The event classes, with which a page can test an event by `instanceof`. */
async function eventClasses(): Promise<NonNullable<Module['declarations']>> {
  const classes = await readClasses('src/components/shared/events.ts');
  return classes
    .filter(({ name }) => name !== 'AgentChatEvent')
    .map(({ name, description = '' }) => ({ kind: 'class', name, description, superclass: { name: 'CustomEvent' } }));
}

const exported = (names: readonly string[], path: string): NonNullable<Module['exports']> =>
  names.map((name) => ({ kind: 'js', name, declaration: { name, module: path } }));

const registered = (tag: string, name: string, module: string): NonNullable<Module['exports']> => [
  { kind: 'custom-element-definition', name: tag, declaration: { name, module } },
];

/** Writes the manifest and the data for editors. Needs the built library. */
export async function writeManifest(): Promise<void> {
  const [index, door] = ['dist/index.js', 'dist/lib/markdown.js'];
  const widget = await chat();
  const text = await markdown();
  const events = await eventClasses();
  const javascript = { kind: 'javascript-module' } as const;
  const manifest: Package = {
    schemaVersion: '2.1.0',
    readme: 'README.md',
    modules: [
      {
        ...javascript,
        path: index,
        declarations: [widget, ...events],
        exports: exported(['AgentChat', ...events.map(({ name }) => name)], index),
      },
      { ...javascript, path: 'dist/define.js', exports: registered('agent-chat', 'AgentChat', index) },
      {
        ...javascript,
        path: door,
        declarations: [text],
        exports: [
          ...exported(['AgentChatMarkdown'], door),
          ...registered('agent-chat-markdown', 'AgentChatMarkdown', door),
        ],
      },
    ],
  };
  const files = {
    'custom-elements.json': manifest,
    'vscode.html-custom-data.json': vscodeData([widget, text]),
    'web-types.json': webTypes([widget, text], packageJson),
  };
  for (const [name, data] of Object.entries(files)) {
    await writeFile(`dist/${name}`, `${JSON.stringify(data, undefined, 2)}\n`);
  }
}
