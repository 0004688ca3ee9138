import MagicString from 'magic-string';
import { parseSync, Visitor, type ESTree, type Plugin } from 'vite';

/** Options of marked that are the same for every text: GitHub's rules, and its own errors instead of a message. */
const FIXED_OPTIONS: Readonly<Record<string, string>> = {
  'this.options.gfm': '!0',
  'this.options.pedantic': '!1',
  'this.options.breaks': '!1',
  'this.options.silent': '!1',
  'this.options.hooks': 'null',
};

/**
 * We use the lexer of marked, with GitHub's rules only. Its other exports are also properties of a function that is built
 * when the module is evaluated, and the expressions of other rules are built there too, so the bundler keeps both: 16 KB
 * that parse and render in another way.
 */
export const onlyLexer: Plugin = {
  name: 'agent-chat:only-lexer',
  transform(code, id) {
    if (!id.endsWith('/marked/lib/marked.esm.js')) return undefined;
    const text = new MagicString(code);
    removeOtherExports(text);
    for (const [option, value] of Object.entries(FIXED_OPTIONS)) text.replaceAll(option, value);
    // The steps work with the positions of the text before them.
    const lexer = new MagicString(text.toString());
    removeOtherRules(lexer);
    let rest = lexer.toString();
    for (let step = new MagicString(rest); removeUnused(step); step = new MagicString(rest)) rest = step.toString();
    // The file is minified, so nobody reads its positions.
    return { code: rest, map: { mappings: '' } };
  },
};

function removeOtherExports(text: MagicString): void {
  text.replace(
    /var \w+=new \w+;function (\w+)\(\w+,\w+\)\{return[^]*?\}\1\.options=[^]*;export\{([^}]*)\};/,
    (_all, _name, names: string) => {
      const kept = names.split(',').filter((name) => /as (?:Lexer|Tokenizer)$/.test(name));
      return `export{${kept.join()}};`;
    },
  );
  if (!text.hasChanged()) throw new Error('marked no longer ends the way this build knows.');
}

/** Empties the tables of the rules that are not GitHub's, and the rules that GitHub's replace. */
function removeOtherRules(text: MagicString): void {
  const objects = new Map<string, ESTree.ObjectExpression>();
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init?.type === 'ObjectExpression') objects.set(id.name, init);
    },
  }).visit(parseSync('marked.js', text.original).program);
  let count = 0;
  for (const table of objects.values()) {
    const rules = new Map(propertiesOf(table).map((property) => [keyOf(property), property]));
    const gfm = rules.get('gfm')?.value;
    if (!rules.has('pedantic') || gfm?.type !== 'Identifier') continue;
    count++;
    for (const [name, { value }] of rules) if (name !== 'gfm') text.update(value.start, value.end, '0');
    const replaced = new Set(propertiesOf(objects.get(gfm.name)).map(keyOf));
    const base = rules.get('normal')?.value;
    if (base?.type !== 'Identifier') continue;
    for (const property of propertiesOf(objects.get(base.name)))
      if (replaced.has(keyOf(property))) text.update(property.value.start, property.value.end, '0');
  }
  if (count !== 2) throw new Error('marked no longer has its rules in two tables.');
}

/** Empties the variables of the module, and removes the properties of their objects, that nothing refers to. */
function removeUnused(text: MagicString): boolean {
  const module = parseSync('marked.js', text.original).program;
  const { names, members } = references(module);
  for (const statement of module.body) {
    if (statement.type === 'FunctionDeclaration' && !names.has(statement.id?.name ?? ''))
      text.remove(statement.start, statement.end);
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { id, init } of statement.declarations) {
      if (id.type !== 'Identifier' || !init) continue;
      if (!names.has(id.name) && init.type !== 'Literal') text.update(init.start, init.end, '0');
      else if (init.type === 'ObjectExpression') removeUnusedProperties(text, init, members);
    }
  }
  return text.hasChanged();
}

function removeUnusedProperties(
  text: MagicString,
  { properties }: ESTree.ObjectExpression,
  members: ReadonlySet<string>,
): void {
  for (const [index, property] of properties.entries()) {
    if (property.type !== 'Property' || property.key.type !== 'Identifier' || members.has(property.key.name)) continue;
    text.remove(property.start, properties[index + 1]?.start ?? property.end);
  }
}

/** The names that expressions of the module refer to, and those of the properties that they read. */
function references(module: ESTree.Program): { readonly names: Set<string>; readonly members: Set<string> } {
  const names = new Set<string>();
  const members = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, child] of Object.entries(node)) {
      const { type, computed } = node as { type?: string; computed?: boolean };
      const isMember = type === 'MemberExpression' && key === 'property' && computed !== true;
      const isDeclared = /^(?:Function|VariableDeclarator)/.test(type ?? '') && key === 'id';
      const isKey = /^(?:Property|MethodDefinition|PropertyDefinition)$/.test(type ?? '') && key === 'key';
      const { type: kind, name } = (child ?? {}) as { type?: string; name?: string };
      if (kind !== 'Identifier' || name === undefined) visit(child);
      else if (isMember) members.add(name);
      else if (!isDeclared && !isKey) names.add(name);
    }
  };
  visit(module);
  return { names, members };
}

const propertiesOf = (object: ESTree.ObjectExpression | undefined): readonly ESTree.ObjectProperty[] =>
  (object?.properties ?? []).filter((property) => property.type === 'Property');

const keyOf = ({ key }: ESTree.ObjectProperty): string => (key.type === 'Identifier' ? key.name : '');
