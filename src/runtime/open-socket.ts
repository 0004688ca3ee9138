import { ChatError } from '../errors.ts';
import { tooLong, type Frame, type FrameStream } from '../transport/frame.ts';
import { readSocket } from '../transport/websocket.ts';
import type { Limits } from './limits.ts';
import { offline } from './online.ts';
import type { OutgoingRequest } from './settings.ts';
import { within } from './within.ts';

/**
 * Opens a socket for one turn: its first message is the request's body, its messages are the frames. The socket is closed
 * when the reply has ended or the signal says stop.
 */
export async function openSocket(
  { url, init, subProtocols }: OutgoingRequest,
  { limits, signal }: { readonly limits: Limits; readonly signal: AbortSignal },
): Promise<FrameStream> {
  signal.throwIfAborted();
  const socket = new WebSocket(url, subProtocols ?? []);
  const stop = (): void => {
    socket.close();
  };
  signal.addEventListener('abort', stop);
  socket.addEventListener('close', () => {
    signal.removeEventListener('abort', stop);
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => {
      resolve();
    });
    socket.addEventListener('close', () => {
      reject(navigator.onLine ? unreachable(new URL(url)) : offline());
    });
  });
  const messages = readSocket(socket, { maxEventLength: limits.eventBytes });
  // Listened to from now on: a generator does nothing before it is first asked.
  const first = messages.next();
  first.catch(() => undefined);
  if (typeof init.body === 'string') socket.send(init.body);
  return { framing: 'messages', batches: readWithin(messages, first, { socket, limits }) };
}

const unreachable = ({ host }: URL): ChatError =>
  new ChatError('network', `${host} does not accept the socket.`, {
    reason: 'unreachable',
    values: { host },
    retryable: true,
  });

/** The messages of a socket, within the limits that a response's body has. */
async function* readWithin(
  messages: AsyncGenerator<readonly Frame[]>,
  first: Promise<IteratorResult<readonly Frame[]>>,
  { socket, limits }: { readonly socket: WebSocket; readonly limits: Limits },
): AsyncGenerator<readonly Frame[]> {
  let length = 0;
  try {
    let next = await within(first, limits.firstByte, false);
    while (!next.done) {
      const over = next.value.findIndex(({ data }) => (length += data.length) > limits.streamBytes);
      // What fits is handed on, however much came at once.
      if (over !== 0) yield over < 0 ? next.value : next.value.slice(0, over);
      if (over >= 0) throw tooLong('stream', limits.streamBytes);
      next = await within(messages.next(), limits.idle, true);
    }
  } finally {
    // Not `messages.return()`, which would wait for a message that may never come.
    socket.close();
  }
}
