/** Finds nodes in the tree of a surface. */
import type { NodeOf, UiNode } from './node-types.ts';

export type InputNode = NodeOf<'TextField' | 'CheckBox' | 'DateTimeInput' | 'ChoicePicker' | 'Slider'>;

export const isInput = (node: UiNode): node is InputNode => 'required' in node;

/** The nodes directly inside a node, also in its closed parts. */
function childrenOf(node: UiNode): readonly UiNode[] {
  if (node.type === 'Tabs') return node.tabs.flatMap(({ child }) => child ?? []);
  if (node.type === 'Modal') return node.content ? [node.content] : [];
  return 'children' in node ? node.children : [];
}

/** The inputs inside a node. */
export function inputsIn(node: UiNode | undefined): readonly InputNode[] {
  if (!node) return [];
  if (isInput(node)) return [node];
  return childrenOf(node).flatMap(inputsIn);
}

/** The node with a key. Its key is the same in other states of the surface. */
export function findNode(root: UiNode, key: string): UiNode | undefined {
  if (root.key === key) return root;
  for (const node of childrenOf(root)) {
    const found = findNode(node, key);
    if (found) return found;
  }
  return undefined;
}

/** The data paths of the password fields inside a node. */
export const secretPathsIn = (root: UiNode | undefined): readonly string[] =>
  inputsIn(root).flatMap((node) => (node.type === 'TextField' && node.kind === 'obscured' ? (node.path ?? []) : []));

/** The texts, and the addresses of links and images, of a surface, by the keys of their nodes. */
export const contentsIn = (root: UiNode | undefined): ReadonlyMap<string, string> => collect(root, contentOf);

/** What a press sends, and what an input contains: neither is a part of the look of a surface. */
const INVISIBLE = new Set(['key', 'id', 'path', 'value', 'dataValue', 'ariaHint']);

/**
 * What determines the look, the size and the position of the nodes of a surface, by their keys: texts, labels, options, styles,
 * alignments, weights, … What the user has entered is not included.
 */
export const appearancesIn = (root: UiNode | undefined): ReadonlyMap<string, Appearance> =>
  collect(root, (node) => [
    contentOf(node),
    ...Object.entries(node).flatMap(([name, value]: [string, unknown]) =>
      INVISIBLE.has(name) || typeof value === 'object' ? [] : value,
    ),
    ...(node.type === 'ChoicePicker' ? node.options.map(({ label }) => label) : []),
    ...(node.type === 'Tabs' ? node.tabs.map(({ title }) => title) : []),
  ]);

/** A list of values: images may have long addresses, which a text would copy. */
export type Appearance = readonly unknown[];

function collect<Content>(
  root: UiNode | undefined,
  read: (node: UiNode) => Content | undefined,
): ReadonlyMap<string, Content> {
  const contents = new Map<string, Content>();
  const visit = (node: UiNode): void => {
    const content = read(node);
    if (content !== undefined) contents.set(node.key, content);
    for (const child of childrenOf(node)) visit(child);
    if (node.type === 'Button' && node.image) visit(node.image);
    if (node.type === 'Modal' && node.trigger) visit(node.trigger);
  };
  if (root) visit(root);
  return contents;
}

/** The part of a node that can send something to another host. */
export function contentOf(node: UiNode): string | undefined {
  if (node.type === 'Text') return node.text;
  if (node.type === 'Image') return node.url;
  if (node.type === 'Media') return `${node.url}\n${node.poster}`;
  return node.type === 'Button' && node.press.kind === 'link' ? node.press.url : undefined;
}
