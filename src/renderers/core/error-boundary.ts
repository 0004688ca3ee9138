import { noChange } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';

/**
 * An error boundary. Lit runs a template when it is committed, long after the function that created it has returned, so
 * a `try` around that function is not enough. If rendering fails, `instead` is rendered.
 */
class Contained extends AsyncDirective {
  render(_shown: unknown, _instead: (error: unknown) => unknown): unknown {
    return noChange;
  }

  override update(_part: unknown, [shown, instead]: Parameters<this['render']>): unknown {
    try {
      this.setValue(shown);
    } catch (error) {
      this.setValue(instead(error));
    }
    return noChange;
  }
}

export const errorBoundary = directive(Contained);

/** Messages already logged for each renderer. */
const logged = new WeakMap<object, Set<string>>();
/** Maximum number of messages per renderer: messages that differ each time must not fill the console or the memory. */
const MAX_LOGGED = 20;

/**
 * Logs the failure for the page's developers; users see the rest of the conversation. A block is rendered with every
 * token, so the same message of a renderer is logged once.
 */
export function warnAboutRenderer(renderer: object, error: unknown): void {
  const message = String(error);
  const messages = logged.get(renderer) ?? new Set();
  logged.set(renderer, messages);
  if (messages.has(message) || messages.size >= MAX_LOGGED) return;
  messages.add(message);
  console.warn(`<agent-chat>: a block can't be shown. ${message}`);
}
