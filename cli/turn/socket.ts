/**
 * A WebSocket in Node for one turn: its first message is the request's body. Node 20 has no `WebSocket`, and that of newer
 * versions neither sends headers nor reports the status of a refusal. Source: RFC 6455.
 */
import { createHash, randomBytes } from 'node:crypto';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { ChatError } from '../../src/errors.ts';
import { frameLimits, limitExceeded, type Frame, type FrameStream } from '../../src/transport/frame.ts';
import { readStart } from '../request.ts';
import { socketMessages } from '../serve/socket-messages.ts';
import { dropped } from './decode.ts';
import type { Outgoing } from './outgoing.ts';

interface SocketOptions {
  readonly signal: AbortSignal;
  piece(): void;
}

type OpenedSocket = { readonly status: number; readonly headers: IncomingHttpHeaders } & (
  { readonly refusal: string } | { stream(): Promise<FrameStream> }
);

/** The constant of the handshake; section 1.3. */
const KEY_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export function openSocket(
  { url, headers, body }: Pick<Outgoing, 'url' | 'headers' | 'body'>,
  { signal, piece }: SocketOptions,
): Promise<OpenedSocket> {
  const key = randomBytes(16).toString('base64');
  const address = new URL(url.href.replace(/^ws/, 'http'));
  const { request } = address.protocol === 'https:' ? https : http;
  const { 'content-type': _type, ...sent } = headers;
  return new Promise((resolve, reject) => {
    const outgoing = request(address, {
      headers: {
        ...sent,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': key,
      },
      agent: false,
      signal,
    });
    outgoing.on('error', reject);
    outgoing.on('response', (answer: IncomingMessage) => {
      const { statusCode: status = 0, headers } = answer;
      if (status < 300) {
        answer.destroy();
        reject(unopened(`The server answered ${String(status)} and opened no WebSocket: it has none at this path.`));
      } else
        void readStart(answer).then((refusal) => {
          resolve({ status, headers, refusal });
        });
    });
    outgoing.on('upgrade', (answer: IncomingMessage, socket: Duplex, head: Buffer) => {
      const accepted = createHash('sha1')
        .update(key + KEY_SUFFIX)
        .digest('base64');
      if (answer.headers['sec-websocket-accept'] !== accepted) {
        socket.destroy();
        reject(unopened('The server does not accept the WebSocket.'));
        return;
      }
      const stop = (): void => {
        socket.destroy();
      };
      signal.addEventListener('abort', stop);
      socket.on('close', () => {
        signal.removeEventListener('abort', stop);
      });
      // Read by the messages below; without a listener it would end the process.
      socket.on('error', () => undefined);
      if (head.length > 0) socket.unshift(head);
      if (body !== undefined) socket.write(clientFrame(TEXT, Buffer.from(body)));
      const batches = readMessages(socket, piece);
      resolve({
        status: 101,
        headers: answer.headers,
        stream: () => Promise.resolve({ framing: 'messages', batches }),
      });
    });
    outgoing.end();
  });
}

const unopened = (message: string): ChatError => new ChatError('network', message, { reason: 'unreachable' });

const TEXT = 1;
const PONG = 10;
/** Codes of a regular close; 1005 is a close without a code. */
const REGULAR = new Set([1000, 1005]);

async function* readMessages(socket: Duplex, piece: () => void): AsyncGenerator<readonly Frame[]> {
  let length = 0;
  let code: number | undefined;
  const timed = async function* (): AsyncGenerator<Uint8Array> {
    for await (const bytes of socket as AsyncIterable<Buffer>) {
      piece();
      length += bytes.length;
      if (length > frameLimits.maxStreamBytes) throw limitExceeded('stream', frameLimits.maxStreamBytes);
      yield bytes;
    }
  };
  try {
    const messages = socketMessages(timed(), {
      closed: (given) => (code = given),
      ping: (payload) => socket.write(clientFrame(PONG, payload)),
    });
    for await (const batch of messages)
      yield batch.map((frame) =>
        frame.data.startsWith('data:') ? { data: frame.data.replace(/^data: ?/, '').trimEnd() } : frame,
      );
  } finally {
    socket.destroy();
  }
  if (code === undefined || !REGULAR.has(code)) throw dropped(`The socket was closed with ${String(code ?? 1006)}`);
}

/** A frame of a client, which is always masked; section 5.3. */
function clientFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const wide = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + wide);
  head.writeUInt8(0x80 | opcode, 0);
  head.writeUInt8(0x80 | (wide === 0 ? length : wide === 2 ? 126 : 127), 1);
  if (wide === 2) head.writeUInt16BE(length, 2);
  if (wide === 8) head.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomBytes(4);
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([head, mask, masked]);
}
