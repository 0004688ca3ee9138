import { unsafeCSS, type CSSResult } from 'lit';

/** Creates a stylesheet of this package. Lit calls this unsafe for texts from elsewhere; these are files of the build. */
export const createStylesheet = (text: string): CSSResult => unsafeCSS(text);

/**
 * Adds the stylesheet of a lazy part after the existing ones of a root. A browser refuses a stylesheet in another document, such as
 * that of an iframe.
 */
export function adoptStylesheet(root: Node, style: CSSResult): void {
  const owner = root.getRootNode();
  const { styleSheet } = style;
  if (!(owner instanceof ShadowRoot) || owner.ownerDocument !== document) return;
  if (!styleSheet || owner.adoptedStyleSheets.includes(styleSheet)) return;
  owner.adoptedStyleSheets.push(styleSheet);
}
