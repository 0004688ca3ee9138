/** What every way of showing a growing text is brought down to, so that one harness drives them all. */
export interface Contestant {
  /**
   * Puts the contestant into the host, ready to be written to.
   *
   * @param whole - the text that will come; only the limit may look at it
   */
  mount(host: HTMLElement, whole: string): Sink | Promise<Sink>;
}

export interface Sink {
  write(delta: string): void;
  /** Resolves when all of the text is shown. */
  end(): Promise<void>;
}

/** A sink of text that is drawn once a frame, which all of what came since then goes into. */
export function sinkOfFrames(draw: (text: string, ended: boolean) => void): Sink {
  let text = '';
  let asked = false;
  return {
    write(delta) {
      text += delta;
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        draw(text, false);
      });
    },
    async end() {
      await new Promise(requestAnimationFrame);
      draw(text, true);
    },
  };
}
