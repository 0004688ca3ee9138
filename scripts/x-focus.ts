/**
 * Gives the focus to the windows of a screen without a window manager, with three requests of the X11 protocol.
 * Source: https://www.x.org/releases/X11R7.7/doc/xproto/x11protocol.html, read 2026-11-23.
 */
import { createConnection } from 'node:net';

const HELLO = Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const QUERY_TREE = 15;
const SET_INPUT_FOCUS = 42;
const TO_PARENT = 2;

/** Length of the fixed part of a reply or event, and the code of a reply, which states at offset 4 how many 4-byte units follow. */
const HEAD = 32;
const REPLY = 1;

/** `screen`: a local display such as `:99`. A hidden window refuses the focus, which is harmless. */
export async function focusWindows(screen: string): Promise<void> {
  const socket = createConnection(`/tmp/.X11-unix/X${screen.replace(/\D/g, '')}`);
  let bytes = Buffer.alloc(0);
  const incoming = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const take = async (length: number): Promise<Buffer> => {
    while (bytes.length < length) {
      const next: IteratorResult<Buffer, unknown> = await incoming.next();
      if (next.done) throw new Error(`The screen ${screen} does not answer.`);
      bytes = Buffer.concat([bytes, next.value]);
    }
    const taken = bytes.subarray(0, length);
    bytes = bytes.subarray(length);
    return taken;
  };
  const reply = async (): Promise<Buffer> => {
    for (;;) {
      const head = await take(HEAD);
      if (head[0] === REPLY) return Buffer.concat([head, await take(head.readUInt32LE(4) * 4)]);
    }
  };
  try {
    socket.write(HELLO);
    const greeting = await take(8);
    const setup = await take(greeting.readUInt16LE(6) * 4);
    // The root window follows the vendor name and the pixmap formats.
    const vendor = Math.ceil(setup.readUInt16LE(16) / 4) * 4;
    const root = setup.readUInt32LE(32 + vendor + (setup[21] ?? 0) * 8);
    socket.write(request(QUERY_TREE, 0, root));
    const tree = await reply();
    for (let at = HEAD; at < tree.length; at += 4)
      socket.write(request(SET_INPUT_FOCUS, TO_PARENT, tree.readUInt32LE(at), 0));
    // Its reply confirms that the earlier requests were processed.
    socket.write(request(QUERY_TREE, 0, root));
    await reply();
  } finally {
    socket.destroy();
  }
}

function request(code: number, option: number, ...words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + words.length * 4);
  bytes[0] = code;
  bytes[1] = option;
  bytes.writeUInt16LE(bytes.length / 4, 2);
  for (const [index, word] of words.entries()) bytes.writeUInt32LE(word, 4 + index * 4);
  return bytes;
}
