import { css } from 'lit';

/** An `!important` rule of a shadow root overrides one of the page. */
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
 * Restores the host's box if a page rule such as `* { all: unset !important }` has made it inline, which gives it no height. The
 * stylesheet is added only then, because it would also override the page's `display: none`. No mode of the widget uses `inline`.
 */
export function enforceHostDisplay(element: HTMLElement, root: ShadowRoot): void {
  const check = (): void => {
    if (getComputedStyle(element).display !== 'inline') return;
    const { styleSheet } = hostDisplay;
    if (styleSheet && !root.adoptedStyleSheets.includes(styleSheet)) root.adoptedStyleSheets.push(styleSheet);
  };
  check();
  // Stylesheets of the page may load after the element.
  if (document.readyState !== 'complete') addEventListener('load', check, { once: true });
}
