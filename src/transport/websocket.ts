import { ChatError } from '../errors.ts';
import { limitExceeded, type Frame, type FrameLimits } from './frame.ts';

/**
 * Reads the messages of an open socket, each as a frame, until it is closed. Throws when the close is not clean or
 * has an error code.
 */
export async function* readWebSocket(
  socket: WebSocket,
  { maxEventLength }: Pick<FrameLimits, 'maxEventLength'>,
): AsyncGenerator<readonly Frame[]> {
  socket.binaryType = 'arraybuffer';
  /** Messages that were received and not consumed yet. */
  const inbox: { batch: Frame[]; problem?: ChatError; closed: boolean; wake?: () => void } = {
    batch: [],
    closed: false,
  };
  const decoder = new TextDecoder();

  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    const text = typeof data === 'string' ? data : decoder.decode(data);
    if (text.length > maxEventLength) inbox.problem = limitExceeded('event', maxEventLength);
    // Some servers send the text of a server-sent event.
    else inbox.batch.push({ data: text.startsWith('data:') ? text.replace(/^data: ?/, '').trimEnd() : text });
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
