import { ChatError } from '../errors.ts';
import type { Framing, FrameStream } from '../transport/frame.ts';
import { openFrames } from '../transport/open-frames.ts';
import { readText } from '../transport/text.ts';
import type { Limits } from './limits.ts';
import { inTurns } from './pace.ts';
import { within } from './within.ts';

export interface ReadOptions {
  readonly limits: Limits;
  readonly signal: AbortSignal;
  readonly framing?: Framing | undefined;
}

/**
 * A response's body as frames. A body that falls silent is given up: after a while for the first byte, sooner once it has
 * begun. Where there is no stream (an old browser, a page's own `fetch`), the body is read whole and played.
 */
export async function readResponse(response: Response, { limits, signal, framing }: ReadOptions): Promise<FrameStream> {
  // Bytes that make no frame, such as comments without end, are work too.
  const bytes = inTurns(response.body ? readBody(response.body, limits, signal) : readWhole(response));
  const chunks = readText(bytes, { maxStreamBytes: limits.streamBytes });
  return openFrames(chunks, {
    framing,
    limits: { maxEventLength: limits.eventBytes, maxStreamBytes: limits.streamBytes },
  });
}

async function* readWhole(response: Response): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(await response.text());
}

async function* readBody(
  body: ReadableStream<Uint8Array>,
  { idle, firstByte }: Limits,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  // The page's own `fetch` may know nothing of the signal, and a pending read hears of nothing else.
  const letGo = (): void => {
    reader.cancel().catch(() => undefined);
  };
  let begun = false;
  signal.addEventListener('abort', letGo);
  try {
    signal.throwIfAborted();
    for (;;) {
      const { done, value } = await within(reader.read(), begun ? idle : firstByte, begun);
      if (done) return;
      begun = true;
      yield value;
    }
  } catch (cause) {
    throw cause instanceof ChatError || isAbort(cause) ? cause : dropped(cause);
  } finally {
    signal.removeEventListener('abort', letGo);
    letGo();
  }
}

const dropped = (cause: unknown): ChatError =>
  new ChatError('network', 'The connection to the agent was lost before the answer was complete.', {
    reason: 'dropped',
    retryable: true,
    cause,
  });

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
