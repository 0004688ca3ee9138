import { ChatError } from '../errors.ts';
import type { Framing, FrameStream } from '../transport/frame.ts';
import { openFrames } from '../transport/open-frames.ts';
import { readText } from '../transport/text.ts';
import type { Limits } from './limits.ts';
import { within } from './within.ts';

/**
 * A response's body as frames. A body that falls silent is given up: after a while for the first byte, sooner once it has
 * begun. Where there is no stream (an old browser, a page's own `fetch`), the body is read whole and played.
 */
export async function readResponse(
  response: Response,
  { limits, framing }: { readonly limits: Limits; readonly framing?: Framing | undefined },
): Promise<FrameStream> {
  const bytes = response.body ? readBody(response.body, limits) : readWhole(response);
  const chunks = readText(bytes, { maxStreamBytes: limits.streamBytes });
  return openFrames(chunks, {
    framing,
    limits: { maxEventLength: limits.eventBytes, maxStreamBytes: limits.streamBytes },
  });
}

async function* readWhole(response: Response): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(await response.text());
}

async function* readBody(body: ReadableStream<Uint8Array>, { idle, firstByte }: Limits): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let begun = false;
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), begun ? idle : firstByte, begun);
      if (done) return;
      begun = true;
      yield value;
    }
  } catch (cause) {
    throw cause instanceof ChatError || isAbort(cause) ? cause : dropped(cause, begun);
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

const dropped = (cause: unknown, begun: boolean): ChatError =>
  new ChatError('network', 'The connection to the agent was lost before the answer was complete.', {
    reason: begun ? 'dropped' : 'unreachable',
    retryable: true,
    cause,
  });

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
