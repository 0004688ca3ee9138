/** Converts TeX to MathML nodes with the library Temml, without any markup string. */
import temml from 'temml';
import css from './formula.css?inline';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';

/** Maximum size that a formula can set, in `em` and in points, and maximum number of macro expansions. */
const MAX_SIZE: [number, number] = [20, 240];
const MAX_EXPAND = 1000;
/** Definitions of macros. */
const DEFINITION = /\\(?:[egx]?def|(?:new|renew|provide)command|let|futurelet)(?![A-Za-z])/;
/** Units and chemical formulas, which Temml reads in quadratic time. */
const UNITS_OR_CHEMISTRY = /\\(?:pu|ce|cf|cee)(?![A-Za-z])/;
/**
 * Limits of a formula that defines macros, because a short one can expand to millions of parts: its length, the number of its `#`, and
 * expansions. The length is also that for units and chemistry.
 */
const MAX_LENGTH_IF_COSTLY = 500;
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
  /** Any node in the document or shadow root that will contain the formula; its stylesheet is added there. */
  readonly contextNode: Node;
}

/** Renders a formula. Throws if it is invalid. */
export function renderFormula(formula: string, { display, contextNode: near }: FormulaOptions): Node {
  adoptStylesheet(near, formulaSheet);
  const hasMacros = DEFINITION.test(formula);
  if (hasMacros && (formula.length > MAX_LENGTH_IF_COSTLY || formula.split('#').length - 1 > MAX_PARAMETERS))
    throw new Error('The definitions of the formula are too long.');
  if (UNITS_OR_CHEMISTRY.test(formula) && formula.length > MAX_LENGTH_IF_COSTLY)
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

/**
 * Temml rejects commands that set ids, classes or URLs (`trust: false`). As a second defence, ids and URLs are removed or refused here.
 * Inline styles become properties, which a strict CSP allows.
 */
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

/** A formula that leaves space for a number or a fraction hides fewer characters. */
const MAX_HIDDEN = 20;

/** The text for copying: the source, or the visible characters of a formula that hides text (`\phantom`), also by a macro. */
export function copiedText(source: string, rendered: Node): string {
  const visible = document.createElement('div');
  visible.append(rendered.cloneNode(true));
  let hidden = 0;
  for (const part of visible.querySelectorAll('mphantom')) {
    hidden += part.textContent.length;
    part.remove();
  }
  return hidden > MAX_HIDDEN ? visible.textContent : inOneLine(source);
}

/**
 * The source for copying, in one line: in a terminal, a hidden line would run as a command. TeX comments end at their line's end, so they
 * are removed.
 */
function inOneLine(source: string): string {
  const lines = source.split('\n');
  const last = lines.pop() ?? '';
  return [...lines.map((line) => line.replace(/(\\.)|%.*/gs, '$1')), last].join(' ');
}
