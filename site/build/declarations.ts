/** Reads the exports of the package's modules and their documentation from the declarations in `dist/`, with the compiler. */
import { join } from 'node:path';
import ts from 'typescript';
import packageJson from '../../package.json' with { type: 'json' };

interface Export {
  readonly name: string;
  readonly id: string;
  readonly description: string;
  /** The TSDoc tags: parameters, return value, errors. */
  readonly notes: readonly string[];
  readonly examples: readonly string[];
  /** The declaration as TypeScript, without compiler-only modifiers. */
  readonly declaration: string;
}
export interface Door {
  /** The module specifier. */
  readonly name: string;
  /** Path of its page, relative to the root of the site. */
  readonly url: string;
  readonly description: string;
  readonly values: readonly Export[];
  readonly types: readonly Export[];
}

/** The modules in the order of `exports`. Each export is documented only once, in the first module. */
export function readDoors(root: string): readonly Door[] {
  const doors = Object.entries(packageJson.exports).flatMap(([name, target]) =>
    typeof target === 'string' ? [] : [{ name: packageJson.name + name.slice(1), file: join(root, target.types) }],
  );
  // The main module comes last, so that each export is documented in its specific module.
  doors.push(...doors.splice(0, 1));
  const program = ts.createProgram(
    doors.map(({ file }) => file),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ESNext, skipLibCheck: true, types: [] },
  );
  const checker = program.getTypeChecker();
  const told = new Set<ts.Symbol>();
  return doors.map(({ name, file }) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    const exported = (module ? checker.getExportsOfModule(module) : [])
      .map((symbol) => ({ name: symbol.name, symbol: original(symbol, checker) }))
      .filter(({ symbol }) => !told.has(symbol) && told.add(symbol));
    const all = exported.map((one) => ({ ...read(one, name, checker), isValue: isValue(one.symbol) }));
    return {
      name,
      url: `modules/${name.split('/')[1] ?? name}.html`,
      description: source ? leadOf(source.text) : '',
      values: all.filter((one) => one.isValue),
      types: all.filter((one) => !one.isValue),
    };
  });
}

const original = (symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

const isValue = ({ flags }: ts.Symbol): boolean => (flags & ts.SymbolFlags.Value) !== 0;

const idOf = (name: string): string => name.replaceAll(/[^\w]+/g, '-');

/** Returns the comment at the start of a file. */
const leadOf = (text: string): string =>
  (/^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? '')
    .replaceAll(/^\s*\*? ?/gm, '')
    .replace(/^`[^`]+`: /, '')
    .trim()
    .replace(/^./, (letter) => letter.toUpperCase());

function read(
  { name, symbol }: { readonly name: string; readonly symbol: ts.Symbol },
  door: string,
  checker: ts.TypeChecker,
): Export {
  const tags = symbol.getJsDocTags(checker).map(({ name: tag, text }) => ({ tag, text: plain(text) }));
  return {
    name,
    id: `${idOf(door)}-${name}`,
    description: plain(symbol.getDocumentationComment(checker)),
    notes: tags.flatMap(({ tag, text }) => {
      const [word = '', ...words] = text.split(' ');
      if (tag === 'param') return [`\`${word}\`: ${words.join(' ').replace(/^- /, '')}`];
      if (tag === 'returns') return [`Gives ${text}`];
      return tag === 'throws' ? [`Throws ${text}`] : [];
    }),
    examples: tags.filter(({ tag }) => tag === 'example').map(({ text }) => text),
    declaration: (symbol.declarations ?? []).map((declaration) => textOf(declaration, checker)).join('\n'),
  };
}

/** Replaces `{@link Name}` with the name. */
const plain = (parts: ts.SymbolDisplayPart[] | undefined): string =>
  ts.displayPartsToString(parts).replaceAll(/\{@link ([^}]+)\}/g, '`$1`');

function textOf(declaration: ts.Declaration, checker: ts.TypeChecker): string {
  // A type inferred from a schema is shown expanded; a schema is shown as its type.
  if (ts.isTypeAliasDeclaration(declaration) && /\binfer</.test(declaration.type.getText())) {
    const shape = checker.typeToString(checker.getTypeAtLocation(declaration), declaration, FULL);
    return `type ${declaration.name.text} = ${shape};`;
  }
  if (ts.isVariableDeclaration(declaration)) {
    const shape = declaration.type?.getText() ?? '';
    return `const ${declaration.name.getText()}: ${shape.length > LONG ? shortened(shape) : shape};`;
  }
  return declaration
    .getText()
    .replace(/^export (?:declare )?/, '')
    .replaceAll(/^\s*(?:#private|private .*|protected .*);\n/gm, '');
}

const shortened = (shape: string): string =>
  shape.startsWith('{') ? '{ … }' : `${shape.replace(/[<{][\s\S]*/, '')}<…>`;

/** Compiler flags overlap between two enums. */
const { NoTruncation, InTypeAlias, MultilineObjectLiterals } = ts.TypeFormatFlags;
const FULL: ts.TypeFormatFlags = [NoTruncation, InTypeAlias, MultilineObjectLiterals].reduce((all, flag) => all | flag);
/** Maximum line length (characters). */
const LONG = 120;
