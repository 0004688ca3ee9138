/**
 * A page's `* { all: unset !important }` makes an inline box of the widget, which has no height. Our own sheet could forbid that
 * with an `!important` of its own, which wins, but then the page's `display: none` would lose too. So it is looked at: `inline` is
 * what no mode gives the element and no page means.
 */
export function keepBox(element: HTMLElement, set: (unset: boolean) => void): void {
  const look = (): void => {
    set(false);
    set(element.isConnected && getComputedStyle(element).display === 'inline');
  };
  look();
  // Sheets may come behind the element.
  if (document.readyState !== 'complete') addEventListener('load', look, { once: true });
}
