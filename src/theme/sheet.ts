import { unsafeCSS, type CSSResult } from 'lit';

/** A sheet of this package. (Lit calls it unsafe for texts that come from elsewhere; these are files of the build.) */
export const sheet = (text: string): CSSResult => unsafeCSS(text);

/** Puts a sheet that came with a lazy part behind those that a root has already. */
export function adoptSheet(root: Node, style: CSSResult): void {
  const owner = root.getRootNode();
  const { styleSheet } = style;
  if (!(owner instanceof ShadowRoot) || !styleSheet || owner.adoptedStyleSheets.includes(styleSheet)) return;
  owner.adoptedStyleSheets.push(styleSheet);
}
