import { ContextProvider, type Context } from '@lit/context';
import type { ReactiveElement } from 'lit';

/** Gives its value to whoever asks, and does not announce itself: the announcement would leave the widget, and be the page's to see. */
export class QuietProvider<Value> extends ContextProvider<Context<unknown, Value>, ReactiveElement> {
  override hostConnected(): void {
    // Nobody has asked before: what asks is made after this.
  }
}
