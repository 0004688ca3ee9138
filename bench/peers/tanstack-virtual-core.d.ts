/** The part of TanStack Virtual that the bench uses. */
export interface VirtualItem {
  readonly index: number;
  readonly start: number;
}

type Stop = () => void;

export interface VirtualizerOptions<Scroller, Item> {
  readonly count: number;
  readonly getScrollElement: () => Scroller;
  readonly estimateSize: (index: number) => number;
  readonly overscan: number;
  readonly anchorTo: 'start' | 'end';
  readonly scrollToFn: typeof elementScroll;
  readonly observeElementRect: typeof observeElementRect;
  readonly observeElementOffset: typeof observeElementOffset;
  readonly measureElement: (element: Item) => number;
  readonly onChange: () => void;
}

export class Virtualizer<Scroller extends Element, Item extends Element> {
  constructor(options: VirtualizerOptions<Scroller, Item>);
  _didMount(): Stop;
  _willUpdate(): void;
  getTotalSize(): number;
  getVirtualItems(): readonly VirtualItem[];
  measureElement(element: Item): void;
  scrollToIndex(index: number, options: { readonly align: 'end' }): void;
}

export function elementScroll(offset: number): void;
export function observeElementRect(instance: unknown, changed: (rect: DOMRect) => void): Stop;
export function observeElementOffset(instance: unknown, changed: (offset: number) => void): Stop;
export function measureElement(element: Element): number;
