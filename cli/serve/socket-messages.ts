/** Parses the messages of a server from the bytes of a forwarded WebSocket (RFC 6455, section 5.2). */
import type { Frame } from '../../src/transport/frame.ts';

/** Continued, text and binary, which the widget reads as text too. */
const MESSAGES = new Set([0, 1, 2]);
const CLOSE = 8;

/** The messages until the server closes the socket. */
export async function* socketMessages(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Frame[]> {
  let rest = Buffer.alloc(0);
  let message = '';
  for await (const chunk of bytes) {
    rest = Buffer.concat([rest, chunk]);
    const batch: Frame[] = [];
    let isClosed = false;
    for (let next = readMessage(rest); next; next = readMessage(rest)) {
      rest = rest.subarray(next.size);
      if (next.opcode === CLOSE) {
        isClosed = true;
        break;
      }
      if (!MESSAGES.has(next.opcode)) continue;
      message += next.payload.toString('utf8');
      if (next.final) {
        batch.push({ data: message });
        message = '';
      }
    }
    if (batch.length > 0) yield batch;
    if (isClosed) return;
  }
}

interface Message {
  readonly size: number;
  readonly opcode: number;
  readonly final: boolean;
  readonly payload: Buffer;
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
    payload: bytes.subarray(start, start + length),
  };
}
