/** An element and its offset from the top of the content, in CSS pixels. */
interface AnchoredElement {
  readonly element: Element;
  top: number;
}

/**
 * The scroll anchor: the element at the top of the viewport. Its offset in the content is stored, so that changes above it can be
 * compensated. (Safari has no scroll anchoring, and the browser knows nothing of messages that are not in the document.)
 */
export class ScrollAnchor {
  readonly #scroller: HTMLElement;
  /** The innermost element, and its message as a fallback for when the inner element is rendered again. */
  #anchored: readonly AnchoredElement[] = [];

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller;
  }

  /** Anchors the element at the top of the viewport. */
  capture(): void {
    const rows = this.#content?.children;
    if (!rows) return;
    const view = this.#scroller.getBoundingClientRect();
    const first = firstBelow(rows, view.top);
    // Spacers and the loading line are no anchors: use the next element if it is visible.
    const next = first?.matches('.left-out, .history') ? first.nextElementSibling : null;
    const row = next && next.getBoundingClientRect().top < view.bottom ? next : first;
    const inner = row && this.#innermost(row, view);
    this.#anchored = [inner, row].flatMap((element) => (element ? [{ element, top: this.#topOf(element) }] : []));
  }

  /** Anchors an element with the given offset. */
  setAnchor(element: Element, top: number): void {
    this.#anchored = [{ element, top }];
  }

  /** Distance that the anchor has moved down in the content, in CSS pixels. */
  drift(): number {
    const anchored = this.#anchored.find(({ element }) => this.#scroller.contains(element));
    return anchored ? this.#topOf(anchored.element) - anchored.top : 0;
  }

  /** Accepts the current offset as the new one. */
  accept(): void {
    for (const anchored of this.#anchored) anchored.top = this.#topOf(anchored.element);
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
    // Sticky elements don't move with the content. Use the element below them.
    const hits = root.elementsFromPoint(view.left + view.width / 2, view.top + 1).filter((hit) => row.contains(hit));
    const hit = hits.find((candidate) => !isStuck(candidate, row)) ?? hits[0]?.parentElement;
    if (!hit || !row.contains(hit)) return undefined;
    let inner = hit;
    for (let element = hit; element !== row; element = element.parentElement ?? row) {
      const { overflowY } = getComputedStyle(element);
      // Content of an inner scroller moves independently.
      if (overflowY === 'auto' || overflowY === 'scroll') inner = element;
    }
    return inner;
  }
}

function isStuck(element: Element, row: Element): boolean {
  for (let ancestor: Element | null = element; ancestor && ancestor !== row; ancestor = ancestor.parentElement) {
    if (getComputedStyle(ancestor).position === 'sticky') return true;
  }
  return false;
}

/** The first row whose bottom is below `line`, by binary search. */
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
