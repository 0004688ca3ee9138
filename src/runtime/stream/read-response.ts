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
  /** Excludes the time during which the agent waited for the user from the idle limit. Undefined: all time counts. */
  readonly silenceFrom?: SilenceFrom | undefined;
}

/**
 * Reads a response body as frames. Rejects if no bytes arrive within a time limit; the first byte has its own, longer limit.
 * Without a stream (an old browser, a custom `fetch`), the complete body is read first.
 */
export async function readResponse(response: Response, options: ReadOptions): Promise<FrameStream> {
  const { limits, signal, framing } = options;
  const bytes = response.body ? readBody(response.body, options) : readComplete(response, signal);
  // Yields to the page between slices of bytes, not only between frames: endless SSE comments, for example, form no frame.
  const text = decodeUtf8(yieldBetweenSlices(bytes), { maxStreamBytes: limits.streamBytes });
  return openFrames(text, {
    framing,
    limits: { maxEventLength: limits.eventBytes, maxStreamBytes: limits.streamBytes },
  });
}

/**
 * Reads the complete text and encodes it again: `decodeUtf8` then applies the limit and removes the byte order mark, as for
 * a stream.
 */
async function* readComplete(response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield new TextEncoder().encode(await response.text());
  } catch (cause) {
    throw signal.aborted ? cause : connectionLost(cause);
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
      const { done, value } = hasStarted
        ? await withTimeout(reader.read(), idle, 'stalled', silenceFrom)
        : await withTimeout(reader.read(), firstByte, 'no-answer');
      if (done) return;
      hasStarted = true;
      yield value;
    }
  } catch (cause) {
    // An abort that the widget did not request comes from a custom `fetch` and counts as a lost connection.
    throw cause instanceof ChatError || signal.aborted ? cause : connectionLost(cause);
  } finally {
    signal.removeEventListener('abort', cancelRead);
    cancelRead();
  }
}

const connectionLost = (cause: unknown): ChatError =>
  new ChatError('network', 'The connection to the agent was lost.', {
    reason: 'dropped',
    retryable: true,
    cause,
  });
