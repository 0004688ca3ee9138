/** What the bench uses of React. */
export type Element = object;
export function createElement<P extends object>(component: (props: P) => Element, props: P): Element;
