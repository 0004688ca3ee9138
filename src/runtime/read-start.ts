/**
 * As much of a body as is wanted, as text: what an error says of itself may be a page, an endless stream, or never come.
 *
 * @param bytes - read at most
 * @param milliseconds - waited at most
 * @returns `whole`: there was no more
 */
export async function readStart(
  response: Response,
  bytes: number,
  milliseconds: number,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  // An old browser, or a page's own `fetch`.
  if (!response.body) return { text: (await response.text()).slice(0, bytes), whole: true };
  const reader = response.body.getReader();
  let late = false;
  const letGo = (): void => {
    // A pending read is answered as if that were the end.
    reader.cancel().catch(() => undefined);
  };
  const timer = setTimeout(() => {
    late = true;
    letGo();
  }, milliseconds);
  const decoder = new TextDecoder();
  let text = '';
  let left = bytes;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { text: text + decoder.decode(), whole: !late };
      text += decoder.decode(value.subarray(0, left), { stream: true });
      left -= value.byteLength;
      if (left < 0) return { text, whole: false };
    }
  } finally {
    clearTimeout(timer);
    letGo();
  }
}
