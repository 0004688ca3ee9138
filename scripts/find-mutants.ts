/**
 * Mutants of source files: small changes that a test should notice. All mutants of a sample are compiled into one
 * build, and `globalThis.isMutant(number)` tells whether this one is active.
 */
import ts from 'typescript';

export interface Mutant {
  readonly file: string;
  readonly line: number;
  /** The original code and its replacement. */
  readonly before: string;
  readonly after: string;
  readonly start: number;
  readonly end: number;
  /** Renders the mutant from the code of its children. */
  readonly render: (textOf: (node: ts.Node) => string) => string;
}

const { SyntaxKind } = ts;

const OPERATORS = new Map<ts.SyntaxKind, string>([
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
  [SyntaxKind.AmpersandAmpersandToken, '||'],
  [SyntaxKind.BarBarToken, '&&'],
  [SyntaxKind.PlusToken, '-'],
  [SyntaxKind.MinusToken, '+'],
]);

/** A map, because every object has a `toString`, which would be taken for an opposite. */
const OPPOSITES = new Map([
  ['some', 'every'],
  ['every', 'some'],
]);

/** Finds all mutants of a file in the order of the code. */
export function mutantsOf(file: string, code: string): readonly Mutant[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const add = (node: ts.Node, render: Mutant['render']): void => {
    const text = (of: ts.Node): string => of.getText(source);
    found.push({
      file,
      line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
      before: shorten(text(node)),
      after: shorten(render(text)),
      start: node.getStart(source),
      end: node.end,
      render,
    });
  };
  const visit = (node: ts.Node): void => {
    // Types, imports and the values of enums do nothing at run time.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    mutate(node, add);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function mutate(node: ts.Node, add: (node: ts.Node, render: Mutant['render']) => void): void {
  if (ts.isBinaryExpression(node)) {
    const other = OPERATORS.get(node.operatorToken.kind);
    if (other && !isTextConcatenation(node)) {
      add(node, (textOf) => `(${textOf(node.left)} ${other} ${textOf(node.right)})`);
    }
    if (node.operatorToken.kind === SyntaxKind.QuestionQuestionToken) add(node, (textOf) => `(${textOf(node.left)})`);
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
    add(node, (textOf) => `!!${textOf(node.operand)}`);
  } else if (node.kind === SyntaxKind.TrueKeyword) add(node, () => 'false');
  else if (node.kind === SyntaxKind.FalseKeyword) add(node, () => 'true');
  else if (ts.isNumericLiteral(node) && !ts.isPropertyAssignment(node.parent)) add(node, () => `(${node.text} + 1)`);
  else if (ts.isIfStatement(node)) {
    add(node.expression, () => 'true');
    add(node.expression, () => 'false');
  } else if (ts.isConditionalExpression(node)) {
    add(node, (textOf) => `(${textOf(node.whenTrue)})`);
    add(node, (textOf) => `(${textOf(node.whenFalse)})`);
  } else if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
    if (node.expression.expression.kind !== SyntaxKind.SuperKeyword) add(node, () => ';');
  } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression: object, name } = node.expression;
    if (name.text === 'filter' && node.arguments.length === 1) add(node, (textOf) => textOf(object));
    const opposite = OPPOSITES.get(name.text);
    const [argument] = node.arguments;
    if (opposite && argument) add(node, (textOf) => `${textOf(object)}.${opposite}(${textOf(argument)})`);
  }
}

const isTextConcatenation = (node: ts.BinaryExpression): boolean =>
  node.operatorToken.kind === SyntaxKind.PlusToken &&
  [node.left, node.right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));

const shorten = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};

/** Returns the code of a file in which each mutant runs if `globalThis.isMutant` says so for its number. */
export function withMutants(file: string, code: string, mutants: ReadonlyMap<number, Mutant>): string {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const at = new Map<string, [number, Mutant][]>();
  for (const [number, mutant] of mutants) {
    const key = `${String(mutant.start)}-${String(mutant.end)}`;
    at.set(key, [...(at.get(key) ?? []), [number, mutant]]);
  }
  const plain = (node: ts.Node): string => {
    let text = '';
    let position = node.getStart(source);
    ts.forEachChild(node, (child) => {
      const start = child.getStart(source);
      // Two nodes may begin at the same place, such as a modifier and its declaration.
      if (start < position) return;
      text += code.slice(position, start) + render(child);
      position = child.end;
    });
    return text + code.slice(position, node.end);
  };
  const render = (node: ts.Node): string => {
    const here = at.get(`${String(node.getStart(source))}-${String(node.end)}`);
    if (!here) return plain(node);
    if (ts.isExpressionStatement(node)) {
      // In a block of its own, because an `else` may follow, which would belong to this condition.
      return here.reduce((text, [number]) => `{if (!globalThis.isMutant?.(${String(number)})) {${text}}}`, plain(node));
    }
    // A node with the same range, such as the only expression of a statement, is rendered by its own mutants.
    return here.reduce((text, [number, mutant]) => {
      return `(globalThis.isMutant?.(${String(number)}) ? (${mutant.render(plain)}) : (${text}))`;
    }, plain(node));
  };
  return code.slice(0, source.getStart()) + render(source) + code.slice(source.end);
}
