/** `Selection` of a shadow root, where a browser has that and not yet `getComposedRanges()`. */
interface RootWithSelection {
  getSelection?(): Selection | null;
}

/** What is selected inside a shadow root. Undefined when that is nothing, or when the selection is elsewhere. */
export function selectedRange(root: Node): StaticRange | undefined {
  if (!(root instanceof ShadowRoot)) return undefined;
  const selection = document.getSelection();
  if (!selection || selection.rangeCount === 0) return undefined;
  const range = composedRange(selection, root);
  const inside = range && root.contains(range.startContainer) && root.contains(range.endContainer);
  return inside && !range.collapsed ? range : undefined;
}

function composedRange(selection: Selection, root: ShadowRoot): StaticRange | undefined {
  if ('getComposedRanges' in selection) return selection.getComposedRanges({ shadowRoots: [root] })[0];
  const own = (root as RootWithSelection).getSelection?.();
  return own && own.rangeCount > 0 ? own.getRangeAt(0) : undefined;
}
