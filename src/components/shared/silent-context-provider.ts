import { ContextProvider, type Context } from '@lit/context';
import type { ReactiveElement } from 'lit';

/** A context provider that does not announce itself: the `context-provider` event would leave the widget and be visible to the page. */
export class SilentContextProvider<Value> extends ContextProvider<Context<unknown, Value>, ReactiveElement> {
  override hostConnected(): void {
    // No announcement is needed: all consumers are created later.
  }
}
