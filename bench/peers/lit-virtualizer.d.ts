/** What the bench uses of the virtualizer of the Lit team. */
import type { LitElement, TemplateResult } from 'lit';

export class LitVirtualizer<T> extends LitElement {
  items: T[];
  renderItem: (item: T, index: number) => TemplateResult;
  scroller: boolean;
  get layoutComplete(): Promise<void> | undefined;
  element(index: number): { scrollIntoView(options?: ScrollIntoViewOptions): void } | undefined;
}
