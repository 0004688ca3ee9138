import { css } from 'lit';

/**
 * The element's box, by `!important` rules: in a shadow root they win over those of the page. Floating and sidebar have no box
 * of their own. The height is that of `shell.css`.
 */
const hostDisplay = css`
  :host(:not([hidden], [mode='floating'], [mode='sidebar'])) {
    display: block !important;
    block-size: 36rem !important;
  }
  :host([mode='fullscreen']:not([hidden])) {
    position: fixed !important;
    inset: 0 !important;
    block-size: auto !important;
  }
`;

/**
 * Restores the element's box if a page rule such as `* { all: unset !important }` has made it inline: an inline box ignores its
 * height. `display: inline` is a sure sign, because no mode of the widget uses it. The stylesheet is added only then, because it
 * would also override the page's `display: none`.
 */
export function enforceHostDisplay(element: HTMLElement, root: ShadowRoot): void {
  const restoreIfInline = (): void => {
    if (getComputedStyle(element).display !== 'inline') return;
    const { styleSheet } = hostDisplay;
    if (styleSheet && !root.adoptedStyleSheets.includes(styleSheet)) root.adoptedStyleSheets.push(styleSheet);
  };
  restoreIfInline();
  // Stylesheets of the page may load after the element.
  if (document.readyState !== 'complete') addEventListener('load', restoreIfInline, { once: true });
}
