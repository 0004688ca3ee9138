import { selectedRange } from './selected-range.ts';

/**
 * Whether the work of an agent's is open: by itself as long as it goes on, folded when it is done, unless the reader is in it.
 * What they have opened or closed stays so.
 */
export class Fold {
  /** The reader was in it when its work was done: it stays as it was. */
  kept = false;
  readonly #host: HTMLElement;
  /** The reader's own choice, once they have made one. */
  #chosen: boolean | undefined;

  constructor(host: HTMLElement) {
    this.#host = host;
  }

  /** Its work is done. To be called before that is drawn. */
  end(): void {
    this.kept = this.#isInUse();
  }

  isOpen(byItself: boolean): boolean {
    return this.#chosen ?? (this.kept || byItself);
  }

  /** A press on its line, of a key too. (The event of opening is no sign of it: the element opens and closes by itself as well.) */
  readonly press = (event: Event): void => {
    const details = (event.currentTarget as HTMLElement).parentElement;
    if (details instanceof HTMLDetailsElement) this.#chosen = !details.open;
  };

  /** The reader has the focus in it, has selected words of it, or has opened a part of it. */
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
