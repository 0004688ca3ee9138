/** One observer for all elements that want to know whether they are in sight, or nearly. */
type Told = (inSight: boolean) => void;

const MARGIN = '200px';

let observer: IntersectionObserver | undefined;
const watchers = new WeakMap<Element, Told>();

/** Tells an element whether it is in sight, now and whenever that changes. */
export function watchSight(element: Element, told: Told): void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) watchers.get(target)?.(isIntersecting);
    },
    { rootMargin: MARGIN },
  );
  watchers.set(element, told);
  observer.observe(element);
}

export function unwatchSight(element: Element): void {
  watchers.delete(element);
  observer?.unobserve(element);
}
