import { MAX_TIMER_MS } from '../timeout.ts';

/**
 * Reads the start of a body as text. An error body may be a web page, an endless stream, or never arrive.
 *
 * @param bytes - maximum number of bytes
 * @param milliseconds - maximum time
 * @returns `whole`: the body was complete
 */
export async function readBodyPrefix(
  response: Response,
  bytes: number,
  milliseconds: number,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  // An old browser, or a custom `fetch`. The text is limited in code units, of which there are never more than bytes.
  if (!response.body) {
    const text = await response.text();
    return { text: text.slice(0, bytes), whole: text.length <= bytes };
  }
  const reader = response.body.getReader();
  let isTimedOut = false;
  const cancelRead = (): void => {
    // A pending read then resolves as if the body had ended.
    reader.cancel().catch(() => undefined);
  };
  const cancelLate = (): void => {
    isTimedOut = true;
    cancelRead();
  };
  const timer = setTimeout(cancelLate, Math.min(milliseconds, MAX_TIMER_MS));
  const decoder = new TextDecoder();
  let text = '';
  let remaining = bytes;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { text: text + decoder.decode(), whole: !isTimedOut };
      text += decoder.decode(value.subarray(0, remaining), { stream: true });
      remaining -= value.byteLength;
      if (remaining < 0) return { text, whole: false };
    }
  } finally {
    clearTimeout(timer);
    cancelRead();
  }
}
