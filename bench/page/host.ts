/** The place in the page where everything is shown. */
export function host(): HTMLElement {
  const found = document.getElementById('host');
  if (!found) throw new Error('The page has no host.');
  return found;
}
