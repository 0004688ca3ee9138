import { ChatError } from '../../errors.ts';
import type { Frame, FrameStream } from '../../transport/frame.ts';
import { maskSecrets } from '../../safety/mask-secrets.ts';
import { sentSecrets } from '../../safety/sent-secrets.ts';
import { readWebSocket } from '../../transport/websocket.ts';
import type { Limits } from '../limits.ts';
import { offlineError } from './wait-online.ts';
import type { OutgoingRequest } from '../chat-settings.ts';
import { withTimeout, type SilenceFrom } from '../timeout.ts';

interface SocketOptions {
  readonly limits: Limits;
  readonly silenceFrom?: SilenceFrom | undefined;
}

/**
 * Opens a WebSocket for one request. It sends `firstMessages` and then the request body; received messages are the frames.
 * The socket is closed when the reply ends or the signal is aborted. The caller limits the time until it is open
 * (`send-adapter-request.ts`).
 */
export async function openSocket(
  { url, init, subProtocols }: OutgoingRequest,
  options: SocketOptions & { readonly signal: AbortSignal },
  firstMessages: readonly string[] = [],
): Promise<FrameStream> {
  const { signal } = options;
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
      reject(navigator.onLine ? unreachable(new URL(url)) : offlineError());
    });
  });
  const { eventBytes, streamBytes } = options.limits;
  const messages = readWebSocket(socket, { maxEventLength: eventBytes, maxStreamBytes: streamBytes });
  // Start to read now: a generator does not run before its first `next()`.
  const first = messages.next();
  first.catch(() => undefined);
  for (const message of firstMessages) socket.send(message);
  if (typeof init.body === 'string') socket.send(init.body);
  return { framing: 'messages', batches: readInTime(messages, first, { ...options, socket }) };
}

const unreachable = ({ host }: URL): ChatError =>
  new ChatError('network', `${host} does not accept the WebSocket connection.`, {
    reason: 'unreachable',
    values: { host },
    retryable: true,
  });

/** The messages of a socket, with the same limits of time as a response body. */
async function* readInTime(
  messages: AsyncGenerator<readonly Frame[]>,
  first: Promise<IteratorResult<readonly Frame[]>>,
  { socket, limits, silenceFrom }: SocketOptions & { readonly socket: WebSocket },
): AsyncGenerator<readonly Frame[]> {
  try {
    let next = await withTimeout(first, limits.firstByte, 'no-answer');
    while (!next.done) {
      yield next.value;
      next = await withTimeout(messages.next(), limits.idle, 'stalled', silenceFrom);
    }
  } catch (error) {
    throw error instanceof ChatError ? masked(error) : error;
  } finally {
    // `messages.return()` would wait for a message that may never come.
    socket.close();
  }
}

/** The reason of a close is the server's text, which may repeat what it has received. */
const masked = ({ kind, message, reason, values, retryable }: ChatError): ChatError =>
  new ChatError(kind, maskSecrets(message, sentSecrets()), { reason, values, retryable });
