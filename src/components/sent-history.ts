/** What the reader has sent, brought back by arrow up as in a shell: only into an empty composer, or over what it brought last. */
export class SentHistory {
  #place = 0;
  #shown = '';

  /** What it has brought last is what was sent last. */
  get isLast(): boolean {
    return this.#place === 1;
  }

  /**
   * The words to show in the place of `text`; undefined where the key is to move the caret.
   *
   * @param sent all that was sent, the newest last
   */
  recall(sent: readonly string[], text: string, step: 'older' | 'newer'): string | undefined {
    if (text === '') this.#place = 0;
    else if (this.#place === 0 || text !== this.#shown) return undefined;
    const place = this.#place + (step === 'older' ? 1 : -1);
    if (place < 0 || place > sent.length) return undefined;
    this.#place = place;
    this.#shown = place === 0 ? '' : (sent.at(-place) ?? '');
    return this.#shown;
  }
}
