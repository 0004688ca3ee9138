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
  let room = maxStreamBytes;
  for await (const chunk of bytes) {
    // What fits is handed on, however much came at once.
    const fits = chunk.subarray(0, room);
    for (let start = 0; start < fits.byteLength; start += PIECE_BYTES) {
      const text = decoder.decode(fits.subarray(start, start + PIECE_BYTES), { stream: true });
      if (text) yield text;
    }
    if (chunk.byteLength > room) throw tooLong('stream', maxStreamBytes);
    room -= chunk.byteLength;
  }
  const rest = decoder.decode();
  if (rest) yield rest;
}

/** Plain text: what came is the frame. */
export async function* readPlainText(chunks: AsyncIterable<string>): AsyncGenerator<readonly Frame[]> {
  for await (const data of chunks) yield [{ data }];
}
