import { enumerate } from '../../enumerate.ts';

/** Minimum height of an on-screen keyboard; browser toolbars are smaller. */
const KEYBOARD_PX = 100;

/**
 * Sets `--_view-top` and `--_view-height` to the part of the window above a phone's keyboard. Most browsers lay the keyboard over the
 * page without resizing it. @returns a function that stops the updates
 */
export function trackVisualViewport(element: HTMLElement): () => void {
  const view = visualViewport;
  if (!view) return () => undefined;
  const names = ['--_view-top', '--_view-height', '--_safe-end'] as const;
  const update = (): void => {
    // Pinch zoom also reduces the visual viewport, but must not resize the panel.
    const covered = view.scale < 1.05 && innerHeight - view.height > KEYBOARD_PX;
    const values = covered ? [`${String(view.offsetTop)}px`, `${String(view.height)}px`, '0px'] : [];
    for (const [index, name] of enumerate(names)) {
      const value = values[index];
      if (value === undefined) element.style.removeProperty(name);
      else element.style.setProperty(name, value);
    }
  };
  const types = ['resize', 'scroll'] as const;
  for (const type of types) view.addEventListener(type, update);
  update();
  return () => {
    for (const type of types) view.removeEventListener(type, update);
    for (const name of names) element.style.removeProperty(name);
  };
}
