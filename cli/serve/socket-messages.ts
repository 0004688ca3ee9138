/**
 * Parses the text messages of a server from the bytes of a WebSocket (RFC 6455, section 5.2), as far as protocol
 * detection needs it.
 */
import type { Frame } from '../../src/transport/frame.ts';

const TEXT = 1;
const CONTINUED = 0;

export async function* socketMessages(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Frame[]> {
  let rest = Buffer.alloc(0);
  let message = '';
  for await (const piece of bytes) {
    rest = Buffer.concat([rest, piece]);
    const batch: Frame[] = [];
    for (let next = readMessage(rest); next; next = readMessage(rest)) {
      rest = rest.subarray(next.size);
      if (next.opcode !== TEXT && next.opcode !== CONTINUED) continue;
      message += next.text;
      if (next.final) {
        batch.push({ data: message });
        message = '';
      }
    }
    if (batch.length > 0) yield batch;
  }
}

interface Message {
  readonly size: number;
  readonly opcode: number;
  readonly final: boolean;
  readonly text: string;
}

/** The first complete message. A server's messages are not masked. */
function readMessage(bytes: Buffer): Message | undefined {
  if (bytes.length < 2) return undefined;
  const head = bytes.readUInt8(0);
  const short = bytes.readUInt8(1) & 0x7f;
  const wide = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (bytes.length < 2 + wide) return undefined;
  const length = wide === 0 ? short : wide === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const start = 2 + wide;
  if (bytes.length < start + length) return undefined;
  return {
    size: start + length,
    opcode: head & 0x0f,
    final: (head & 0x80) !== 0,
    text: bytes.toString('utf8', start, start + length),
  };
}
