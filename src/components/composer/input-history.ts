/** Recalls sent messages with arrow up as in a shell: only in an empty composer, or over the text recalled last. */
export class InputHistory {
  #position = 0;
  #recalled = '';

  /** Whether the recalled text is the last sent message. */
  get isLast(): boolean {
    return this.#position === 1;
  }

  /**
   * Returns the text that replaces `text`; undefined where the key should move the caret.
   *
   * @param sent all sent texts, the newest last; none is empty
   */
  recall(sent: readonly string[], text: string, step: 'older' | 'newer'): string | undefined {
    if (text === '') this.#position = 0;
    else if (this.#position === 0 || text !== this.#recalled) return undefined;
    const position = this.#position + (step === 'older' ? 1 : -1);
    if (position < 0 || position > sent.length) return undefined;
    this.#position = position;
    this.#recalled = position === 0 ? '' : (sent.at(-position) ?? '');
    return this.#recalled;
  }
}
