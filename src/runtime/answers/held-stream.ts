/**
 * How long the stream has to stay open and silent after an answer (ms). A server that expects the answer in the next request
 * ends its stream in this time; one that waits for the answer does not.
 */
const HOLD_MS = 300;

/** Sends the answers while the stream is open, after a time of silence: it shows that the server holds the stream for them. */
export class HeldStream {
  readonly #deliver: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #delivery: Promise<void> | undefined;

  constructor(deliver: () => Promise<void>) {
    this.#deliver = deliver;
  }

  /** The user has answered everything, and the stream is open. */
  answered(): void {
    this.#stop();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#delivery = this.#deliver();
    }, HOLD_MS);
  }

  /**
   * An event has arrived before the answers were sent. It may have been on its way before them, so the silence begins again.
   *
   * @param isAsking - whether another question is open: the answers wait for its answer, so that all go out together
   */
  continued(isAsking: () => boolean): void {
    if (this.#timer === undefined) return;
    if (isAsking()) this.#stop();
    else this.answered();
  }

  /** The stream has ended. Returns the delivery that has begun, if there is one. */
  ended(): Promise<void> | undefined {
    this.#stop();
    const delivery = this.#delivery;
    this.#delivery = undefined;
    return delivery;
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
