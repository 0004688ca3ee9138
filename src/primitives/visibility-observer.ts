/**
 * Tells elements whether they are visible or nearly visible. Each observed element costs the browser time in every frame. Of
 * the elements in a box that it may skip (`content-visibility`), therefore only the box is observed until it is near.
 */
type VisibilityCallback = (isVisible: boolean) => void;

const MARGIN = '200px';
/** The boxes that `theme/markdown.css` lets the browser skip while they are off-screen. */
const BOX = '.prose-group, .part';

interface Box {
  readonly elements: Set<Element>;
  /** `undefined` until it is known. */
  isNear: boolean | undefined;
}

const callbacks = new WeakMap<Element, VisibilityCallback>();
const boxes = new WeakMap<Element, Box>();
/** The box of each element that is in one. */
const boxElements = new WeakMap<Element, Element>();
let elementObserver: IntersectionObserver | undefined;
let boxObserver: IntersectionObserver | undefined;

const createObserver = (onChange: (target: Element, isVisible: boolean) => void): IntersectionObserver =>
  new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) onChange(target, isIntersecting);
    },
    { rootMargin: MARGIN },
  );

const observe = (element: Element): void => {
  elementObserver ??= createObserver((target, isVisible) => callbacks.get(target)?.(isVisible));
  elementObserver.observe(element);
};

/** Returns what is known about a box, which is observed from now on. */
function observeBox(boxElement: Element): Box {
  const known = boxes.get(boxElement);
  if (known) return known;
  const box: Box = { elements: new Set(), isNear: undefined };
  boxes.set(boxElement, box);
  boxObserver ??= createObserver((target, isNear) => {
    const changed = boxes.get(target);
    if (changed) setNear(changed, isNear);
  });
  boxObserver.observe(boxElement);
  return box;
}

function setNear(box: Box, isNear: boolean): void {
  if (box.isNear === isNear) return;
  box.isNear = isNear;
  for (const element of box.elements)
    if (isNear) observe(element);
    else {
      elementObserver?.unobserve(element);
      callbacks.get(element)?.(false);
    }
}

/** Calls back with an element's visibility as soon as it is known, and after each change. */
export function observeVisibility(element: Element, callback: VisibilityCallback): void {
  callbacks.set(element, callback);
  const boxElement = element.parentElement?.closest(BOX);
  if (!boxElement) {
    observe(element);
    return;
  }
  const box = observeBox(boxElement);
  box.elements.add(element);
  boxElements.set(element, boxElement);
  if (box.isNear) observe(element);
  else if (box.isNear === false) callback(false);
}

export function unobserveVisibility(element: Element): void {
  callbacks.delete(element);
  elementObserver?.unobserve(element);
  const boxElement = boxElements.get(element);
  const box = boxElement && boxes.get(boxElement);
  if (!box) return;
  boxElements.delete(element);
  box.elements.delete(element);
  if (box.elements.size > 0) return;
  boxes.delete(boxElement);
  boxObserver?.unobserve(boxElement);
}
