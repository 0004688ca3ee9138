/** Registers a part of the widget unless a copy of it is there already: the first one wins, as the platform has it. */
export function defineOnce(tag: string, part: CustomElementConstructor): void {
  if (!customElements.get(tag)) customElements.define(tag, part);
}
