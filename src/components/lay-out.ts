import type { PanelPlace } from './open-state.ts';

const NAMES = ['width', 'height', 'inline', 'block'] as const;

/** Puts a panel where the reader wants it. The sheet keeps it in the window, also when that changes. */
export function layOut(panel: HTMLElement, place: PanelPlace): void {
  for (const name of NAMES) {
    const px = place[name];
    if (px === undefined) panel.style.removeProperty(`--_own-${name}`);
    else panel.style.setProperty(`--_own-${name}`, `${String(px)}px`);
  }
}
