/**
 * Loads something once. After a failure the next call tries again. An `import()` of a loaded module still takes a task,
 * so a frame may be rendered before it resolves; this promise resolves at once.
 */
export function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined;
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
}
