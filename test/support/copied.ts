/** What is put on the clipboard while something is done; `refuse` stands for a page that may not use it. */
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
