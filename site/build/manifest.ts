/** Prepares `custom-elements.json` for the reference pages. */
import { readFile } from 'node:fs/promises';
import type { ClassMember, CustomElement, Package } from 'custom-elements-manifest/schema';

interface Row {
  readonly name: string;
  readonly type?: string | undefined;
  readonly initial?: string | undefined;
  readonly description?: string | undefined;
}
interface Table {
  readonly title: string;
  readonly id: string;
  readonly rows: readonly Row[];
}
export interface Reference {
  readonly tag: string;
  readonly description: string;
  readonly tables: readonly Table[];
}

export const readManifest = async (file: string): Promise<Package> =>
  JSON.parse(
    await readFile(file, 'utf8').catch(() => {
      throw new Error('The reference is made of dist/: run "npm run build" first.');
    }),
  ) as Package;

/** `send(input: SendInput, options?: …): Promise<ChatMessage>` */
function signatureOf(member: ClassMember): string {
  if (member.kind !== 'method') return member.name;
  const given = member.parameters?.map(({ name, type, optional, default: initial }) => {
    const mark = optional === true || initial !== undefined ? '?' : '';
    return `${name}${mark}: ${type?.text ?? 'unknown'}`;
  });
  return `${member.name}(${given?.join(', ') ?? ''}): ${member.return?.type?.text ?? 'void'}`;
}

const table = (title: string, rows: readonly Row[] | undefined): readonly Table[] =>
  rows && rows.length > 0 ? [{ title, id: title.toLowerCase().replaceAll(' ', '-'), rows }] : [];

/** Returns the tables of one element. */
export function chatOf({ modules }: Package, tag: string): Reference {
  // The types of the manifest do not distinguish an element from a mixin.
  const element = modules
    .flatMap(({ declarations }) => declarations ?? [])
    .find((one) => 'tagName' in one && one.tagName === tag) as
    | (CustomElement & { readonly cssStates?: readonly Row[] })
    | undefined;
  if (!element) throw new Error(`The manifest has no <${tag}>.`);
  const { members = [], attributes, events, slots, cssParts, cssProperties, cssStates } = element;
  const own = members.filter((member) => member.static !== true);
  const fields = own.flatMap((member): Row[] =>
    member.kind === 'field'
      ? [{ name: member.name, type: member.type?.text, initial: member.default, description: member.description }]
      : [],
  );
  const methods = (from: readonly ClassMember[]): Row[] =>
    from.flatMap((member) =>
      member.kind === 'method' ? [{ name: signatureOf(member), description: member.description }] : [],
    );
  return {
    tag,
    description: element.description ?? '',
    tables: [
      ...table(
        'Attributes',
        attributes?.map(({ name, type, default: initial, description }) => ({
          name,
          type: type?.text,
          initial,
          description,
        })),
      ),
      ...table('Properties', fields),
      ...table('Methods', methods(own)),
      ...table(
        'Events',
        events?.map(({ name, type, description }) => ({ name, type: type.text, description })),
      ),
      ...table('Slots', slots),
      ...table('Parts', cssParts),
      ...table('Custom properties', cssProperties),
      ...table('States', cssStates),
      ...table(
        'Registries',
        members.flatMap((member) =>
          member.static === true && member.kind === 'field'
            ? [{ name: `AgentChat.${member.name}`, type: member.type?.text, description: member.description }]
            : [],
        ),
      ),
    ],
  };
}

/** The values that an attribute may have. */
export const valuesOf = ({ tables }: Reference, attribute: string): readonly string[] => {
  const row = tables.find(({ title }) => title === 'Attributes')?.rows.find(({ name }) => name === attribute);
  return [...(row?.type ?? '').matchAll(/'([\w-]+)'/g)].map(([, value = '']) => value);
};
