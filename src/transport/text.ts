import { limitExceeded, type Frame, type FrameLimits } from './frame.ts';

/**
 * Decodes bytes as UTF-8 with one decoder per body, so that characters may be split between reads. A byte order mark
 * is removed and invalid bytes become U+FFFD. The charset of the response is ignored.
 */
export async function* decodeUtf8(
  bytes: AsyncIterable<Uint8Array>,
  { maxStreamBytes }: Pick<FrameLimits, 'maxStreamBytes'>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let remaining = maxStreamBytes;
  for await (const chunk of bytes) {
    // The part within the limit is passed on.
    const text = decoder.decode(chunk.subarray(0, remaining), { stream: true });
    if (text) yield text;
    if (chunk.byteLength > remaining) throw limitExceeded('stream', maxStreamBytes);
    remaining -= chunk.byteLength;
  }
  const rest = decoder.decode();
  if (rest) yield rest;
}

/** Reads plain text: each chunk is a frame. */
export async function* readPlainText(chunks: AsyncIterable<string>): AsyncGenerator<readonly Frame[]> {
  for await (const data of chunks) yield [{ data }];
}
