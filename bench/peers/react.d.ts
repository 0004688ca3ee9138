/** The part of React that the bench uses. */
export type Element = object;
export function createElement<P extends object>(component: (props: P) => Element, props: P): Element;
