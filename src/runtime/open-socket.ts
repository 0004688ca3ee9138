import { ChatError } from '../errors.ts';
import type { FrameStream } from '../transport/frame.ts';
import { readSocket } from '../transport/websocket.ts';
import type { Limits } from './limits.ts';
import type { OutgoingRequest } from './settings.ts';

/**
 * Opens a socket for one turn: its first message is the request's body, its messages are the frames. The socket is closed
 * when the reply has ended or the signal says stop.
 */
export async function openSocket(
  { url, init, subProtocols }: OutgoingRequest,
  { limits, signal }: { readonly limits: Limits; readonly signal: AbortSignal },
): Promise<FrameStream> {
  const socket = new WebSocket(url, subProtocols ?? []);
  const stop = (): void => {
    socket.close();
  };
  signal.addEventListener('abort', stop, { once: true });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => {
      resolve();
    });
    socket.addEventListener('close', () => {
      signal.removeEventListener('abort', stop);
      reject(
        new ChatError('network', `${new URL(url).host} does not accept the socket.`, {
          reason: 'unreachable',
          values: { host: new URL(url).host },
          retryable: true,
        }),
      );
    });
  });
  if (typeof init.body === 'string') socket.send(init.body);
  return { framing: 'messages', batches: readSocket(socket, { maxEventLength: limits.eventBytes }) };
}
