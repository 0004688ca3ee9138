/** More than zoom and scroll bars displace an element (px). */
const TOLERANCE_PX = 64;

/**
 * Returns the launcher to its corner when a panel opens, which would otherwise cover it. A transformed, filtered or contained ancestor
 * displaces fixed elements; in the top layer ancestors have no effect.
 */
export function returnLauncher(panel: HTMLElement): void {
  const launcher = (panel.getRootNode() as ShadowRoot).querySelector<HTMLElement>('.launcher');
  if (!launcher || launcher.matches('[popover]:popover-open') || !isDisplaced(launcher)) return;
  launcher.popover = 'manual';
  launcher.showPopover();
}

/** Whether a fixed element is positioned in an ancestor instead of the window. WebKit does not report the ancestor. */
function isDisplaced(element: HTMLElement): boolean {
  const { position, bottom } = getComputedStyle(element);
  const gap = innerHeight - element.getBoundingClientRect().bottom;
  return position === 'fixed' && (element.offsetParent !== null || Math.abs(gap - parseFloat(bottom)) > TOLERANCE_PX);
}
