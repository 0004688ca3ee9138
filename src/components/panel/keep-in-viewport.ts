/**
 * Keeps fixed elements in the window. A transformed, filtered or contained ancestor displaces them; they then move to the top layer,
 * where ancestors have no effect.
 *
 * @param onChange - called whenever the visible part of an element changes
 */
export const observeViewport = (onChange?: () => void): IntersectionObserver =>
  new IntersectionObserver(
    (entries) => {
      onChange?.();
      for (const { intersectionRatio, boundingClientRect, target } of entries) {
        const element = target as HTMLElement;
        if (boundingClientRect.width === 0 || element.matches('[popover]:popover-open')) continue;
        if (intersectionRatio > 0.5 && !isDisplaced(element, boundingClientRect)) continue;
        element.popover = 'manual';
        element.showPopover();
      }
    },
    { threshold: 0.5 },
  );

/** More than zoom and scroll bars displace an element (px). */
const TOLERANCE_PX = 64;

/** Whether a fixed element is positioned in an ancestor instead of the window. WebKit does not report the ancestor. */
function isDisplaced(element: HTMLElement, { bottom: edge }: DOMRectReadOnly): boolean {
  const { position, bottom } = getComputedStyle(element);
  return (
    position === 'fixed' &&
    (Boolean(element.offsetParent) || Math.abs(edge + parseFloat(bottom) - innerHeight) > TOLERANCE_PX)
  );
}
