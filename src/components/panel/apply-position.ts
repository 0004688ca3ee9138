import type { PanelPosition } from './persisted-panel-state.ts';

const PROPERTIES = ['width', 'height', 'inline', 'block'] as const;

/** Applies the user's position and size to a panel. The stylesheet clamps them to the window. */
export function applyPosition(panel: HTMLElement, position: PanelPosition): void {
  for (const name of PROPERTIES) {
    const px = position[name];
    if (px === undefined) panel.style.removeProperty(`--_own-${name}`);
    else panel.style.setProperty(`--_own-${name}`, `${String(px)}px`);
  }
}
