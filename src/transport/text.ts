import { tooLong, type Frame, type FrameLimits } from './frame.ts';

/** So many bytes are made text at once: whoever reads on can let the page have its turn in between, however much came. */
const PIECE_BYTES = 32 * 1024;

/**
 * Bytes to text: one UTF-8 decoder that lives as long as the body, so that a character may be cut anywhere. A byte order
 * mark is dropped, bad bytes become U+FFFD, whatever charset the response claims.
 */
export async function* readText(
  bytes: AsyncIterable<Uint8Array>,
  { maxStreamBytes }: Pick<FrameLimits, 'maxStreamBytes'>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.byteLength;
    if (length > maxStreamBytes) throw tooLong('stream', maxStreamBytes);
    for (let start = 0; start < chunk.byteLength; start += PIECE_BYTES) {
      const text = decoder.decode(chunk.subarray(start, start + PIECE_BYTES), { stream: true });
      if (text) yield text;
    }
  }
  const rest = decoder.decode();
  if (rest) yield rest;
}

/** Plain text: what came is the frame. */
export async function* readPlainText(chunks: AsyncIterable<string>): AsyncGenerator<readonly Frame[]> {
  for await (const data of chunks) yield [{ data }];
}
