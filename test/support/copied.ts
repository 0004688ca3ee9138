/** Records the clipboard during a function. With `refuse`, the page may not use the clipboard. */
export async function copiedBy(act: () => unknown, refuse = false): Promise<readonly string[]> {
  const copied: string[] = [];
  const writeText = (text: string): Promise<void> => {
    if (refuse) return Promise.reject(new DOMException('Not allowed', 'NotAllowedError'));
    copied.push(text);
    return Promise.resolve();
  };
  Object.defineProperty(navigator.clipboard, 'writeText', { configurable: true, value: writeText });
  try {
    await act();
  } finally {
    Reflect.deleteProperty(navigator.clipboard, 'writeText');
  }
  return copied;
}
