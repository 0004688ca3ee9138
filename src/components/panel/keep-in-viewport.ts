/**
 * Keeps fixed elements in the window. A transformed or contained ancestor displaces them; they then move to the top layer, where
 * ancestors have no effect.
 *
 * @param onChange - called whenever the visible part of an element changes
 */
export const observeViewport = (onChange?: () => void): IntersectionObserver =>
  new IntersectionObserver(
    (entries) => {
      onChange?.();
      for (const { intersectionRatio, boundingClientRect, target } of entries) {
        const element = target as HTMLElement;
        if (intersectionRatio > 0.5 || boundingClientRect.width === 0 || element.matches('[popover]:popover-open'))
          continue;
        element.popover = 'manual';
        element.showPopover();
      }
    },
    { threshold: 0.5 },
  );
