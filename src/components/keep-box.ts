import { css } from 'lit';

/** An `!important` of a shadow root wins over one of the page. */
const kept = css`
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
 * A page's `* { all: unset !important }` makes an inline box of the widget, which has no height. A sheet that always forbids that
 * would take the page's `display: none` away, too. So it is looked at: `inline` is what no mode gives the element and no page means.
 */
export function keepBox(element: HTMLElement, root: ShadowRoot): void {
  const look = (): void => {
    if (getComputedStyle(element).display !== 'inline') return;
    const { styleSheet } = kept;
    if (styleSheet && !root.adoptedStyleSheets.includes(styleSheet)) root.adoptedStyleSheets.push(styleSheet);
  };
  look();
  // Sheets may come behind the element.
  if (document.readyState !== 'complete') addEventListener('load', look, { once: true });
}
