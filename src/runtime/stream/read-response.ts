import { ChatError } from '../../errors.ts';
import type { Framing, FrameStream } from '../../transport/frame.ts';
import { openFrames } from '../../transport/open-frames.ts';
import { decodeUtf8 } from '../../transport/text.ts';
import type { Limits } from '../limits.ts';
import { readAhead } from './read-ahead.ts';
import { yieldBetweenSlices } from './yield-to-main.ts';
import { withTimeout, type SilenceFrom } from '../timeout.ts';

export interface ReadOptions {
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Undefined: the framing is detected from the first text. */
  readonly framing?: Framing | undefined;
  /** Time during which the agent waits for the user does not count as silence. Undefined: all time counts. */
  readonly silenceFrom?: SilenceFrom | undefined;
}

/**
 * Reads a response body as frames. A silent body is given up after a time limit, which is longer for the first byte.
 * Without a stream (an old browser, a custom `fetch`), the complete body is read first.
 */
export async function readResponse(response: Response, options: ReadOptions): Promise<FrameStream> {
  const { limits, signal, framing } = options;
  const bytes = response.body ? readBody(response.body, options) : readComplete(response, signal);
  // Bytes that form no frame, such as endless comments, cost time too.
  const text = decodeUtf8(yieldBetweenSlices(bytes), { maxStreamBytes: limits.streamBytes });
  return openFrames(text, {
    framing,
    limits: { maxEventLength: limits.eventBytes, maxStreamBytes: limits.streamBytes },
  });
}

/** Encoded again, so that text and stream take the same path: limits, byte order mark and cuts are handled in one place. */
async function* readComplete(response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield new TextEncoder().encode(await response.text());
  } catch (cause) {
    throw signal.aborted ? cause : dropped(cause);
  }
}

async function* readBody(
  body: ReadableStream<Uint8Array>,
  { limits: { idle, firstByte }, signal, silenceFrom }: ReadOptions,
): AsyncGenerator<Uint8Array> {
  const reader = readAhead(body);
  // The response of a custom `fetch` may ignore the signal, so a pending read has to be cancelled explicitly.
  const cancelRead = (): void => {
    reader.cancel().catch(() => undefined);
  };
  let hasStarted = false;
  signal.addEventListener('abort', cancelRead);
  try {
    signal.throwIfAborted();
    for (;;) {
      const limit = hasStarted ? idle : firstByte;
      const { done, value } = await withTimeout(reader.read(), limit, hasStarted, hasStarted ? silenceFrom : undefined);
      if (done) return;
      hasStarted = true;
      yield value;
    }
  } catch (cause) {
    // An abort that the widget did not request comes from a custom `fetch` and counts as a lost connection.
    throw cause instanceof ChatError || signal.aborted ? cause : dropped(cause);
  } finally {
    signal.removeEventListener('abort', cancelRead);
    cancelRead();
  }
}

const dropped = (cause: unknown): ChatError =>
  new ChatError('network', 'The connection to the agent was lost.', {
    reason: 'dropped',
    retryable: true,
    cause,
  });
