import { noChange } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';

/**
 * Draws a part in its own try: a template runs when it is put in its place, long after the function that made it returned.
 * What fails is replaced by what `instead` gives.
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

export const contained = directive(Contained);

/** What was said of each renderer. */
const said = new WeakMap<object, Set<string>>();
/** Words that are others each time must not fill the console, or the memory. */
const SAID_MOST = 20;

/**
 * Says what could not be shown, for the page's developers: the reader has the rest of the conversation. A block is drawn again
 * with every token, so the same of a renderer is said once.
 */
export function warnOf(renderer: object, error: unknown): void {
  const words = String(error);
  const before = said.get(renderer) ?? new Set();
  said.set(renderer, before);
  if (before.has(words) || before.size >= SAID_MOST) return;
  before.add(words);
  console.warn(`<agent-chat>: a block can't be shown. ${words}`);
}
