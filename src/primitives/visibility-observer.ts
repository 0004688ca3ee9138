/** One observer shared by all elements that depend on being visible or nearly visible. */
type VisibilityCallback = (isVisible: boolean) => void;

const MARGIN = '200px';

let observer: IntersectionObserver | undefined;
const watchers = new WeakMap<Element, VisibilityCallback>();

/** Calls back with an element's visibility, now and after each change. */
export function observeVisibility(element: Element, callback: VisibilityCallback): void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) watchers.get(target)?.(isIntersecting);
    },
    { rootMargin: MARGIN },
  );
  watchers.set(element, callback);
  observer.observe(element);
}

export function unobserveVisibility(element: Element): void {
  watchers.delete(element);
  observer?.unobserve(element);
}
