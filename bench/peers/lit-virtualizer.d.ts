/** The part of the Lit team's virtualizer that the bench uses. */
import type { LitElement, TemplateResult } from 'lit';

export class LitVirtualizer<T> extends LitElement {
  items: T[];
  renderItem: (item: T, index: number) => TemplateResult;
  scroller: boolean;
  get layoutComplete(): Promise<void> | undefined;
  element(index: number): { scrollIntoView(options?: ScrollIntoViewOptions): void } | undefined;
}
