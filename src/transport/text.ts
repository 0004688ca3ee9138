import { tooLong, type Frame, type FrameLimits } from './frame.ts';

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
    const text = decoder.decode(chunk, { stream: true });
    if (text) yield text;
  }
  const rest = decoder.decode();
  if (rest) yield rest;
}

/** Plain text: what came is the frame. */
export async function* readPlainText(chunks: AsyncIterable<string>): AsyncGenerator<readonly Frame[]> {
  for await (const data of chunks) yield [{ data }];
}
