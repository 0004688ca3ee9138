/** An element and where it stood, in CSS pixels from the top of the content. */
interface Held {
  readonly element: Element;
  top: number;
}

/**
 * What the reader has before them: the element at the top of the view. Where it stands in the content is remembered, so that
 * what comes, goes or grows above it can be made up for. (The browser's own anchoring is not in Safari, and it can't know of
 * messages that are left out.)
 */
export class Anchor {
  readonly #scroller: HTMLElement;
  /** The innermost element there, and the message around it for when that one is drawn anew. */
  #held: readonly Held[] = [];

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller;
  }

  /** Takes what is at the top of the view now. */
  take(): void {
    const rows = this.#content?.children;
    if (!rows) return;
    const view = this.#scroller.getBoundingClientRect();
    const first = firstBelow(rows, view.top);
    // Neither empty room is read nor a line about what is loading: what stands behind it is, if it is in view.
    const next = first?.matches('.left-out, .history') ? first.nextElementSibling : null;
    const row = next && next.getBoundingClientRect().top < view.bottom ? next : first;
    const inner = row && this.#innermost(row, view);
    this.#held = [inner, row].flatMap((element) => (element ? [{ element, top: this.#topOf(element) }] : []));
  }

  /** Takes an element, as if it had stood there. */
  hold(element: Element, top: number): void {
    this.#held = [{ element, top }];
  }

  /** How far down it has moved in the content. */
  drift(): number {
    const held = this.#held.find(({ element }) => this.#scroller.contains(element));
    return held ? this.#topOf(held.element) - held.top : 0;
  }

  /** Where it stands now is where it belongs. */
  accept(): void {
    for (const held of this.#held) held.top = this.#topOf(held.element);
  }

  get #content(): Element | null {
    return this.#scroller.firstElementChild;
  }

  #topOf(element: Element): number {
    return element.getBoundingClientRect().top - (this.#content?.getBoundingClientRect().top ?? 0);
  }

  #innermost(row: Element, view: DOMRect): Element | undefined {
    const root = this.#scroller.getRootNode();
    if (!(root instanceof ShadowRoot)) return undefined;
    // What sticks to the top of the view tells nothing of the content: what lies under it does.
    const hits = root.elementsFromPoint(view.left + view.width / 2, view.top + 1).filter((hit) => row.contains(hit));
    const hit = hits.find((candidate) => !isStuck(candidate, row)) ?? hits[0]?.parentElement;
    if (!hit || !row.contains(hit)) return undefined;
    let inner = hit;
    for (let element = hit; element !== row; element = element.parentElement ?? row) {
      const { overflowY } = getComputedStyle(element);
      // What is scrolled by itself moves by itself.
      if (overflowY === 'auto' || overflowY === 'scroll') inner = element;
    }
    return inner;
  }
}

function isStuck(element: Element, row: Element): boolean {
  for (let around: Element | null = element; around && around !== row; around = around.parentElement) {
    if (getComputedStyle(around).position === 'sticky') return true;
  }
  return false;
}

/** The first that ends below a line. They stand in order, so that a few looks find it. */
function firstBelow(rows: HTMLCollection, line: number): Element | undefined {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const bottom = rows[middle]?.getBoundingClientRect().bottom ?? Infinity;
    if (bottom > line) high = middle;
    else low = middle + 1;
  }
  return rows[low];
}
