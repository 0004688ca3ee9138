/** `ShadowRoot.getSelection()` of browsers that don't support `getComposedRanges()` yet. */
interface RootWithSelection {
  getSelection?(): Selection | null;
}

/** The selected range inside a shadow root. Undefined when nothing is selected, or the selection is elsewhere. */
export function selectedRange(root: Node): StaticRange | undefined {
  if (!(root instanceof ShadowRoot)) return undefined;
  const selection = document.getSelection();
  if (!selection || selection.rangeCount === 0) return undefined;
  const range = composedRange(selection, root);
  const isInside = range && root.contains(range.startContainer) && root.contains(range.endContainer);
  return isInside && !range.collapsed ? range : undefined;
}

function composedRange(selection: Selection, root: ShadowRoot): StaticRange | undefined {
  if ('getComposedRanges' in selection) return selection.getComposedRanges({ shadowRoots: [root] })[0];
  const selectionInRoot = (root as RootWithSelection).getSelection?.();
  return selectionInRoot && selectionInRoot.rangeCount > 0 ? selectionInRoot.getRangeAt(0) : undefined;
}
