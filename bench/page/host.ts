/** The element that contains everything rendered. */
export function host(): HTMLElement {
  const element = document.getElementById('host');
  if (!element) throw new Error('The page has no host.');
  return element;
}
