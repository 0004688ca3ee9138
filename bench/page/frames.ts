/** Resolves in the next frame, with its time. */
export const nextFrame = (): Promise<number> => new Promise(requestAnimationFrame);

/** Resolves after two frames and an idle moment of the page. */
export async function settled(): Promise<void> {
  await nextFrame();
  await nextFrame();
  await new Promise<unknown>((resolve) => requestIdleCallback(resolve, { timeout: 500 }));
  await nextFrame();
}
