/** Registers an element unless the tag is already defined: as on the platform, the first definition wins. */
export function defineOnce(tag: string, part: CustomElementConstructor): void {
  if (!customElements.get(tag)) customElements.define(tag, part);
}

/** Registers the element of a module that was loaded on demand. */
export function defineFrom(module: { readonly define: () => void }): void {
  module.define();
}
