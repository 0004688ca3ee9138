/** A whole chat in a page, brought down to what the bench does with one. */
export interface Widget {
  mount(host: HTMLElement): Promise<Asking>;
}

export interface Asking {
  /** Asks the agent at the address. Resolves when its whole answer is shown. */
  ask(url: string): Promise<void>;
}
