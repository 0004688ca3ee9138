/** A complete chat widget, reduced to what the bench does with it. */
export interface Widget {
  mount(host: HTMLElement): Promise<MountedWidget>;
}

export interface MountedWidget {
  /** Sends a question to the agent at the URL. Resolves when the complete answer is rendered. */
  ask(url: string): Promise<void>;
}
