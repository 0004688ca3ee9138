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

/** Says what could not be shown, for the page's developers: the reader has the rest of the conversation. */
export function warnOf(error: unknown): void {
  console.warn(`<agent-chat>: a block can't be shown. ${String(error)}`);
}
