import { selectedRange } from '../../selection/composed-selection.ts';

/**
 * Keeps details of agent work open that would collapse when the work ends: because the user has opened them, or is interacting
 * with them. What the user has closed stays closed.
 */
export class KeptOpen {
  /** Whether the user was interacting with it when the work ended. It stays as it was. */
  wasInUse = false;
  readonly #host: HTMLElement;
  /** The choice of the user, if any. */
  #chosen: boolean | undefined;

  constructor(host: HTMLElement) {
    this.#host = host;
  }

  /** Records that the work ended. Call it before that is rendered. */
  finish(): void {
    this.wasInUse = this.#isInUse();
  }

  isOpen(openByDefault: boolean): boolean {
    return this.#chosen ?? (this.wasInUse || openByDefault);
  }

  /**
   * Handles a click on the summary, also from the keyboard. (The `toggle` event is no alternative: it also fires for automatic
   * changes.)
   */
  readonly onSummaryClick = (event: Event): void => {
    const details = (event.currentTarget as HTMLElement).parentElement;
    if (details instanceof HTMLDetailsElement) this.#chosen = !details.open;
  };

  /** Whether it contains the focus, part of the selection, or details that the user has opened. */
  #isInUse(): boolean {
    const selected = selectedRange(this.#host.getRootNode());
    return (
      this.#host.matches(':focus-within') ||
      this.#host.contains(selected?.startContainer ?? null) ||
      this.#host.contains(selected?.endContainer ?? null) ||
      this.#host.querySelector('.steps details.tool[open], .steps .thinking > details[open]') !== null
    );
  }
}
