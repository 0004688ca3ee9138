/** Reads the public classes from the sources: members with their documentation and types. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { create, ts } from '@custom-elements-manifest/analyzer/index.js';
import type { Attribute, ClassField, ClassMember, CustomElement } from 'custom-elements-manifest/schema';

export type Element = CustomElement & { readonly kind: 'class'; readonly members: ClassMember[] };

/** The classes of a file without inherited members, which are merged later, because a static and an instance field may share a name. */
export async function readClasses(file: string): Promise<readonly Element[]> {
  const source = await parse(file);
  const { modules } = create({ modules: [source], plugins: [], context: { dev: false } });
  const literals = await visibleLiterals(source);
  return (modules[0]?.declarations ?? [])
    .filter((declaration) => declaration.kind === 'class')
    .map((found) => {
      const declaration: Element = { members: [], ...(found as Partial<Element>) } as Element;
      for (const member of declaration.members) {
        if (member.kind === 'field' && member.type) member.type.text = spelledOut(member.type.text, literals);
      }
      return declaration;
    });
}

const parse = async (file: string): Promise<ts.SourceFile> =>
  ts.createSourceFile(file, await readFile(file, 'utf8'), ts.ScriptTarget.ES2022, true);

/** The string lists of a file and of the files it imports. */
async function visibleLiterals(source: ts.SourceFile): Promise<ReadonlyMap<string, readonly string[]>> {
  const imports = source.statements.filter(ts.isImportDeclaration).map(({ moduleSpecifier }) => moduleSpecifier);
  const files = imports.filter(ts.isStringLiteral).filter(({ text }) => /^\..*\.ts$/.test(text));
  const others = await Promise.all(files.map(({ text }) => parse(join(dirname(source.fileName), text))));
  return new Map([...others, source].flatMap((one) => [...literalsOf(one)]));
}

/** The string lists of a file, such as `const MODES = ['inline', …] as const`, by name. */
function literalsOf(source: ts.SourceFile): ReadonlyMap<string, readonly string[]> {
  const lists = new Map<string, readonly string[]>();
  for (const statement of source.statements.filter(ts.isVariableStatement)) {
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!initializer || !ts.isAsExpression(initializer) || !ts.isArrayLiteralExpression(initializer.expression))
        continue;
      const literals = initializer.expression.elements.filter(ts.isStringLiteral).map(({ text }) => text);
      lists.set(
        name.getText(),
        literals.filter((word) => word !== ''),
      );
    }
  }
  return lists;
}

/** Replaces `OneOf<typeof MODES>` with the union of its strings, which an editor can suggest. */
const spelledOut = (type: string, literals: ReadonlyMap<string, readonly string[]>): string =>
  type.replace(
    /OneOf<typeof (\w+)>/,
    (whole, name: string) =>
      literals
        .get(name)
        ?.map((word) => `'${word}'`)
        .join(' | ') ?? whole,
  );

/** Members of Lit that only the browser or Lit calls. */
const OF_LIT = new Set([
  'properties',
  'styles',
  'shadowRootOptions',
  'connectedCallback',
  'disconnectedCallback',
  'attributeChangedCallback',
  'requestUpdate',
]);

export const isPublic = ({ name, privacy }: ClassMember): boolean =>
  privacy === undefined || privacy === 'public' ? !OF_LIT.has(name) : false;

/** Lit's options for the properties of a class. */
export interface Declared {
  readonly elementProperties: ReadonlyMap<
    PropertyKey,
    { readonly attribute?: string | boolean; readonly reflect?: boolean }
  >;
  /** Reading this field makes Lit finalize the properties. */
  readonly observedAttributes: readonly string[];
}

/** The attributes of an element as the built class declares them, with the documentation of their properties. */
export function attributesOf(
  fields: readonly ClassField[],
  declared: Declared,
  defaults: Readonly<Record<string, unknown>>,
): Attribute[] {
  if (declared.observedAttributes.length === 0) return [];
  return fields.flatMap((field) => {
    const options = declared.elementProperties.get(field.name);
    if (!options || options.attribute === false) return [];
    const name = typeof options.attribute === 'string' ? options.attribute : field.name.toLowerCase();
    const value = defaults[field.name];
    if (typeof value === 'string') field.default = `'${value}'`;
    else if (typeof value === 'boolean' || typeof value === 'number') field.default = String(value);
    Object.assign(field, { attribute: name, ...(options.reflect === true && { reflects: true }) });
    const { description = '', type, default: initial } = field;
    return [
      {
        name,
        fieldName: field.name,
        description,
        ...(type && { type: { text: type.text.replace(/ \| undefined$/, '') } }),
        ...(initial !== undefined && { default: initial }),
      },
    ];
  });
}
