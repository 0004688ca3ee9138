/** Converts TeX to MathML nodes with the library Temml, without any markup string. */
import temml from 'temml';
import css from './formula.css?inline';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';

/** Maximum size that a formula can set, in `em` and in points, and maximum number of macro expansions. */
const MAX_SIZE: [number, number] = [20, 240];
const MAX_EXPAND = 1000;
/**
 * Definitions of macros. A short formula with some can have millions of parts, so it has limits of its own: characters,
 * parameters and expansions.
 */
const DEFINITION = /\\(?:[egx]?def|(?:new|renew|provide)command|let|futurelet)(?![A-Za-z])/;
/** Units and chemical formulas, which Temml reads in quadratic time. */
const UNITS_OR_CHEMISTRY = /\\(?:pu|ce|cf|cee)(?![A-Za-z])/;
const MAX_LENGTH_WITH_MACROS = 500;
const MAX_PARAMETERS = 8;
const MAX_EXPAND_WITH_MACROS = 100;

/** Temml's virtual node. */
interface Branch {
  readonly attributes?: Record<string, string>;
  readonly style?: Record<string, string>;
  readonly children?: readonly Branch[];
  toNode(): Node;
}

export interface FormulaOptions {
  /** Whether it is on its own line. */
  readonly display: boolean;
  /** A node of the root that will contain the formula. */
  readonly contextNode: Node;
}

/** Renders a formula. Throws if it is invalid. */
export function renderFormula(formula: string, { display, contextNode: near }: FormulaOptions): Node {
  adoptStylesheet(near, formulaSheet);
  const hasMacros = DEFINITION.test(formula);
  if (hasMacros && (formula.length > MAX_LENGTH_WITH_MACROS || formula.split('#').length - 1 > MAX_PARAMETERS))
    throw new Error('The definitions of the formula are too long.');
  if (UNITS_OR_CHEMISTRY.test(formula) && formula.length > MAX_LENGTH_WITH_MACROS)
    throw new Error('The chemical formula is too long.');
  // Temml's types do not include the tree.
  const tree = temml.__renderToMathMLTree(formula, {
    displayMode: display,
    throwOnError: true,
    trust: false,
    maxSize: MAX_SIZE,
    maxExpand: hasMacros ? MAX_EXPAND_WITH_MACROS : MAX_EXPAND,
  }) as Branch;
  sanitizeBranch(tree);
  return tree.toNode();
}

const formulaSheet = createStylesheet(css);

/** Formulas must not set ids, classes or URLs, and a strict CSP allows styles as properties only. */
function sanitizeBranch(branch: Branch): void {
  const { attributes = {}, style = {}, children = [] } = branch;
  if ('href' in branch || 'src' in branch) throw new Error('Formulas must not contain URLs.');
  for (const rule of attributes['style']?.split(';') ?? []) {
    const [name = '', value = ''] = rule.split(':').map((part) => part.trim());
    if (name) style[name] = value;
  }
  for (const name of ['style', 'id', 'href', 'src']) Reflect.deleteProperty(attributes, name);
  for (const child of children) sanitizeBranch(child);
}

/** The source for copying. Pasted into a terminal, a line that the formula does not show would run. Comments end with their line. */
export function inOneLine(source: string): string {
  const lines = source.split('\n');
  const last = lines.pop() ?? '';
  return [...lines.map((line) => line.replace(/(\\.)|%.*/gs, '$1')), last].join(' ');
}
