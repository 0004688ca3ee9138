/**
 * How long the stream has to stay open and silent after an answer (ms). A server that expects the answer in the next request
 * ends its stream in this time; one that waits for the answer does not.
 */
const HOLD_MS = 300;

/** Decides whether answers are sent now: a server that holds its stream for them sends nothing until it has them. */
export class HeldStream {
  readonly #deliver: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #delivery: Promise<void> | undefined;

  constructor(deliver: () => Promise<void>) {
    this.#deliver = deliver;
  }

  /** The user has answered everything, and the stream is open. */
  answered(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#delivery = this.#deliver();
    }, HOLD_MS);
  }

  /** The stream continues without the answers. */
  continued(): void {
    clearTimeout(this.#timer);
  }

  /** The stream has ended. Returns the delivery that has begun, if there is one. */
  ended(): Promise<void> | undefined {
    clearTimeout(this.#timer);
    const delivery = this.#delivery;
    this.#delivery = undefined;
    return delivery;
  }
}
