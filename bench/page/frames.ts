/** Resolves in the next frame, with its time. */
export const nextFrame = (): Promise<number> => new Promise(requestAnimationFrame);

/** Resolves when two frames were drawn and the page has had a moment to itself. */
export async function settled(): Promise<void> {
  await nextFrame();
  await nextFrame();
  await new Promise<unknown>((resolve) => requestIdleCallback(resolve, { timeout: 500 }));
  await nextFrame();
}
