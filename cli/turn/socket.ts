/**
 * A WebSocket for one turn: its first message is the request's body. That of Node neither sends headers nor reports the
 * status of a refusal, and Node 20 has none.
 */
import { on } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { WebSocket, type RawData } from 'ws';
import { ChatError } from '../../src/errors.ts';
import { frameLimits, limitExceeded, type Frame, type FrameStream } from '../../src/transport/frame.ts';
import { readStart } from '../request.ts';
import { dropped } from './decode.ts';
import type { Outgoing } from './outgoing.ts';

interface SocketOptions {
  readonly signal: AbortSignal;
  piece(): void;
}

type OpenedSocket = { readonly status: number; readonly headers: IncomingHttpHeaders } & (
  | { readonly refusal: string }
  | { stream(): Promise<FrameStream> }
);

/** Codes of a regular close; 1005 is a close without a code. */
const REGULAR = new Set([1000, 1005]);

export function openSocket(
  { url, headers, body }: Pick<Outgoing, 'url' | 'headers' | 'body'>,
  { signal, piece }: SocketOptions,
): Promise<OpenedSocket> {
  const { 'content-type': _type, ...sent } = headers;
  const socket = new WebSocket(url, { headers: sent, signal, maxPayload: frameLimits.maxStreamBytes });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('unexpected-response', (_request, answer: IncomingMessage) => {
      const { statusCode: status = 0, headers: answered } = answer;
      if (status < 300) {
        socket.terminate();
        reject(unopened(`The server answered ${String(status)} and opened no WebSocket: it has none at this path.`));
      } else
        void readStart(answer).then((refusal) => {
          resolve({ status, headers: answered, refusal });
        });
    });
    socket.on('upgrade', (answer: IncomingMessage) => {
      const batches = readMessages(socket, { signal, piece });
      resolve({
        status: 101,
        headers: answer.headers,
        stream: () => Promise.resolve({ framing: 'messages', batches }),
      });
    });
    socket.on('open', () => {
      if (body !== undefined) socket.send(body);
    });
  });
}

const unopened = (message: string): ChatError => new ChatError('network', message, { reason: 'unreachable' });

function readMessages(socket: WebSocket, { signal, piece }: SocketOptions): AsyncGenerator<readonly Frame[]> {
  let code: number | undefined;
  socket.on('close', (given) => (code = given));
  const stop = (): void => {
    socket.terminate();
  };
  signal.addEventListener('abort', stop);
  // Listens from now on: the first messages may arrive before they are read.
  const messages = on(socket, 'message', { close: ['close'] }) as AsyncIterable<[RawData]>;
  const read = async function* (): AsyncGenerator<readonly Frame[]> {
    let length = 0;
    try {
      for await (const [data] of messages) {
        piece();
        const text = textOf(data);
        length += text.length;
        if (length > frameLimits.maxStreamBytes) throw limitExceeded('stream', frameLimits.maxStreamBytes);
        yield [{ data: text.startsWith('data:') ? text.replace(/^data: ?/, '').trimEnd() : text }];
      }
    } finally {
      signal.removeEventListener('abort', stop);
      socket.terminate();
    }
    if (code === undefined || !REGULAR.has(code)) throw dropped(`The socket was closed with ${String(code ?? 1006)}`);
  };
  return read();
}

/** A text, or bytes that the widget reads as text too. */
const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Uint8Array)).toString('utf8');
