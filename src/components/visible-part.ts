/** A keyboard takes more than this, bars of the browser less. */
const KEYBOARD_PX = 100;

/**
 * Tells an element what is left of the window beside a phone's keyboard, which most browsers lay over the page without telling it
 * anything: `--_view-top`, `--_view-height`. @returns what ends it
 */
export function followVisiblePart(element: HTMLElement): () => void {
  const view = visualViewport;
  if (!view) return () => undefined;
  const names = ['--_view-top', '--_view-height', '--_safe-end'] as const;
  const look = (): void => {
    // Who has zoomed in with two fingers sees a part of the window, too: that is theirs to move.
    const covered = view.scale < 1.05 && innerHeight - view.height > KEYBOARD_PX;
    const values = covered ? [`${String(view.offsetTop)}px`, `${String(view.height)}px`, '0px'] : [];
    for (const [index, name] of names.entries()) {
      const value = values[index];
      if (value === undefined) element.style.removeProperty(name);
      else element.style.setProperty(name, value);
    }
  };
  const types = ['resize', 'scroll'] as const;
  for (const type of types) view.addEventListener(type, look);
  look();
  return () => {
    for (const type of types) view.removeEventListener(type, look);
    for (const name of names) element.style.removeProperty(name);
  };
}
