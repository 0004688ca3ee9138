const told = new Set<string>();

/** For whoever builds the page, once for each endpoint: what was recognised, and how to be sure of it from now on. */
export function tellProtocol({ origin, pathname }: URL, id: string): void {
  const words = `<agent-chat>: ${origin}${pathname} speaks "${id}". Set protocol="${id}" to have it so from the first request.`;
  if (told.has(words)) return;
  told.add(words);
  console.info(words);
}
