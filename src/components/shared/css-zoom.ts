/**
 * The effective CSS zoom of an element; 1 in browsers without `currentCSSZoom`. Lengths in styles are multiplied by it, and
 * `getBoundingClientRect()` returns the multiplied values.
 */
export const zoomOf = (element: Partial<Pick<Element, 'currentCSSZoom'>>): number => element.currentCSSZoom ?? 1;
