/** A complete chat widget, reduced to what the bench does with it. */
export interface Widget {
  mount(host: HTMLElement): Promise<Asking>;
}

export interface Asking {
  /** Sends a question to the agent at the URL. Resolves when the complete answer is rendered. */
  ask(url: string): Promise<void>;
}
