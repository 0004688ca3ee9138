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

/** The same with the labels of fields and buttons, the options and the titles of tabs. */
export const textsIn = (root: UiNode | undefined): ReadonlyMap<string, string> =>
  collect(root, (node) => {
    const labels = [
      contentOf(node),
      'label' in node ? node.label : undefined,
      ...(node.type === 'ChoicePicker' ? node.options.map(({ label }) => label) : []),
      ...(node.type === 'Tabs' ? node.tabs.map(({ title }) => title) : []),
      node.type === 'Icon' ? node.name + node.drawing : undefined,
    ].filter((text) => text !== undefined);
    return labels.length > 0 ? labels.join('\n') : undefined;
  });

function collect(root: UiNode | undefined, read: (node: UiNode) => string | undefined): ReadonlyMap<string, string> {
  const contents = new Map<string, string>();
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
