/** TeX to MathML, as nodes: there is no string of markup on the way. */
import temml from 'temml';
import css from '../theme/formula.css?inline';
import { adoptSheet, sheet } from '../theme/sheet.ts';

/** How large a size may be that a formula asks for, in `em` and in points, and how many macros it may unfold. */
const MAX_SIZE: [number, number] = [20, 240];
const MAX_EXPAND = 1000;

/** Temml's own form of a node, before it is one of the page. */
interface Branch {
  readonly attributes?: Record<string, string>;
  readonly style?: Record<string, string>;
  readonly children?: readonly Branch[];
  toNode(): Node;
}

export interface FormulaPlace {
  /** On a line of its own. */
  readonly display: boolean;
  /** A node of the root that it is going to stand in. */
  readonly near: Node;
}

/** Draws a formula. Throws where it is none. */
export function drawFormula(formula: string, { display, near }: FormulaPlace): Node {
  // Its types say nothing of the tree.
  const tree = temml.__renderToMathMLTree(formula, {
    displayMode: display,
    throwOnError: true,
    trust: false,
    maxSize: MAX_SIZE,
    maxExpand: MAX_EXPAND,
  }) as Branch;
  tame(tree);
  const node = tree.toNode();
  adoptSheet(near, formulaSheet);
  return node;
}

const formulaSheet = sheet(css);

/** Names and addresses are not a text's to give, and a strict policy takes styles as properties only. */
function tame(branch: Branch): void {
  const { attributes = {}, style = {}, children = [] } = branch;
  if ('href' in branch || 'src' in branch) throw new Error('A formula has no addresses.');
  for (const rule of attributes['style']?.split(';') ?? []) {
    const [name = '', value = ''] = rule.split(':').map((part) => part.trim());
    if (name) style[name] = value;
  }
  for (const name of ['style', 'id', 'href', 'src']) Reflect.deleteProperty(attributes, name);
  for (const child of children) tame(child);
}
