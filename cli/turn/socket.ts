/** A WebSocket in Node for one turn: its first message is the request's body. */
import { ChatError } from '../../src/errors.ts';
import type { Frame } from '../../src/transport/frame.ts';
import { readWebSocket } from '../../src/transport/websocket.ts';

interface SocketOptions {
  readonly body: string | undefined;
  readonly signal: AbortSignal;
  piece(): void;
}

/** @throws ChatError if this Node has no WebSocket (before 22), or if the server accepts none. */
export async function openSocket(
  url: URL,
  { body, signal, piece }: SocketOptions,
): Promise<AsyncGenerator<readonly Frame[]>> {
  const { WebSocket: Socket } = globalThis as { WebSocket?: typeof WebSocket };
  if (!Socket) throw new ChatError('network', 'A WebSocket needs Node 22 or newer here.', { reason: 'unreachable' });
  const socket = new Socket(url.href);
  signal.addEventListener('abort', () => {
    socket.close();
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => {
      resolve();
    });
    socket.addEventListener('close', () => {
      reject(new ChatError('network', `${url.host} does not accept the socket.`, { reason: 'unreachable' }));
    });
  });
  socket.addEventListener('message', piece);
  const messages = readWebSocket(socket, { maxEventLength: 16 * 1024 * 1024 });
  if (body !== undefined) socket.send(body);
  return messages;
}
