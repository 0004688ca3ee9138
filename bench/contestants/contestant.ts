/** The common interface of all ways to render streaming text, so that one harness drives them all. */
export interface Contestant {
  /**
   * Mounts the contestant into the host, ready for `write`.
   *
   * @param completeText - the complete text; only the limit may read it
   */
  mount(host: HTMLElement, completeText: string): Sink | Promise<Sink>;
}

export interface Sink {
  write(delta: string): void;
  /** Resolves when the complete text is rendered. */
  end(): Promise<void>;
}

/** A text sink that renders once per frame, with all text that arrived since the previous frame. */
export function createFrameSink(render: (text: string, ended: boolean) => void): Sink {
  let text = '';
  let isScheduled = false;
  return {
    write(delta) {
      text += delta;
      if (isScheduled) return;
      isScheduled = true;
      requestAnimationFrame(() => {
        isScheduled = false;
        render(text, false);
      });
    },
    async end() {
      await new Promise(requestAnimationFrame);
      render(text, true);
    },
  };
}
