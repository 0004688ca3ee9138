import { ChatError } from '../errors.ts';
import { limitExceeded, type Frame, type FrameLimits } from './frame.ts';

/** What each message counts in addition to its text (UTF-16 code units): an empty one takes memory too. */
const MESSAGE_LENGTH = 16;

/**
 * Reads the messages of an open socket, each as a frame, until it is closed. Throws when the close is not clean or
 * has an error code. The limits apply when a message arrives, not when it is read: a server can't be slowed down, and may send
 * faster than its messages are consumed.
 */
export async function* readWebSocket(
  socket: WebSocket,
  { maxEventLength, maxStreamBytes }: FrameLimits,
): AsyncGenerator<readonly Frame[]> {
  socket.binaryType = 'arraybuffer';
  /** Messages that were received and not consumed yet. */
  const inbox: { batch: Frame[]; problem?: ChatError; closed: boolean; wake?: () => void } = {
    batch: [],
    closed: false,
  };
  const decoder = new TextDecoder();
  let length = 0;

  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (inbox.problem) return;
    const text = typeof data === 'string' ? data : decoder.decode(data);
    length += text.length + MESSAGE_LENGTH;
    if (text.length > maxEventLength) inbox.problem = limitExceeded('event', maxEventLength);
    else if (length > maxStreamBytes) inbox.problem = limitExceeded('stream', maxStreamBytes);
    // Some servers send the text of a server-sent event.
    else inbox.batch.push({ data: text.startsWith('data:') ? text.replace(/^data: ?/, '').trimEnd() : text });
    if (inbox.problem) socket.close();
    inbox.wake?.();
  });
  socket.addEventListener('close', ({ wasClean, code, reason }) => {
    inbox.closed = true;
    if (!wasClean || (code !== 1000 && code !== 1005)) {
      inbox.problem ??= new ChatError(
        'network',
        `The socket was closed with ${String(code)}${reason ? `: ${reason}` : ''}.`,
        {
          reason: 'dropped',
          retryable: true,
        },
      );
    }
    inbox.wake?.();
  });
  try {
    for (;;) {
      const { batch, problem, closed } = inbox;
      if (batch.length > 0) {
        inbox.batch = [];
        yield batch;
      } else if (problem) throw problem;
      else if (closed) return;
      else {
        await new Promise<void>((resolve) => {
          inbox.wake = resolve;
        });
      }
    }
  } finally {
    socket.close();
  }
}
