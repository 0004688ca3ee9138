import { z } from '../../model/schema.ts';
import type { Adapter } from '../../protocols/core/adapter.ts';
import { protocols } from '../../protocols/registry.ts';
import { writeFrames } from '../../transport/write-frames.ts';
import type { Recording } from './recording.ts';
import { sleep } from '../timeout.ts';

const { optional, exactOptional } = z;

/** The fields of a recording that a replay needs. */
const recorded = z.object({
  version: z.literal(1),
  protocol: optional(z.string()),
  framing: z.enum(['sse', 'lines', 'json', 'text', 'html', 'messages']),
  contentType: z.string(),
  broken: optional(z.literal(true)),
  frames: z.array(
    z.object({
      t: z.number(),
      event: optional(z.string()),
      id: optional(z.string()),
      data: z.string(),
      unfinished: exactOptional(z.literal(true)),
      round: optional(z.number()),
    }),
  ),
});
type Frames = z.infer<typeof recorded>['frames'];

/** Options of a replay. */
export interface ReplayOptions {
  /** `recorded`: frames arrive with the recorded timing. `fast` (default): as soon as they are read. */
  readonly pace?: 'fast' | 'recorded';
}

/** Settings of a widget that replays a recording. */
export interface Replay {
  readonly endpoint: string;
  readonly protocol: Adapter | 'auto';
  readonly fetch: typeof fetch;
}

/**
 * Replays a recorded turn. Returns settings with which every request is answered from the recording: the first request
 * with its first stream, the next with the next, as a turn with tools sends them. Nothing is sent over the network.
 *
 * @param recording - the file that the stream inspector downloads, parsed
 * @throws TypeError if it is not a recording.
 *
 * @example
 * Object.assign(chat, await replay(recording));
 * const reply = await chat.send('Anything');
 */
export async function replay(recording: Recording, { pace = 'fast' }: ReplayOptions = {}): Promise<Replay> {
  const { success, data } = recorded.safeParse(recording);
  if (!success) throw new TypeError('The object is not a recording of the stream inspector.');
  const adapter = data.protocol === undefined ? undefined : await protocols.get(data.protocol)?.load();
  return {
    endpoint: ENDPOINT,
    protocol: adapter ? withoutSideRequests(adapter) : 'auto',
    fetch: answerFrom(data, pace),
  };
}

/** A placeholder URL that is never requested. */
const ENDPOINT = 'recording';

/** The adapter without side requests, which a recording can't answer. */
function withoutSideRequests({ cancel: _cancel, resume: _resume, feedback: _feedback, ...adapter }: Adapter): Adapter {
  return { ...adapter, request: (_turn, { url }) => ({ url, init: {} }) };
}

function answerFrom(
  { framing, contentType, broken, frames }: z.infer<typeof recorded>,
  pace: ReplayOptions['pace'],
): typeof fetch {
  const rounds = [...new Set(frames.map(({ round = 0 }) => round))];
  let requestCount = 0;
  return (_input, { signal } = {}) => {
    const index = Math.min(requestCount++, rounds.length - 1);
    const roundFrames = frames.filter(({ round = 0 }) => round === rounds[index]);
    const body = playFrames(roundFrames, writeFrames(roundFrames, framing), {
      signal: signal ?? new AbortController().signal,
      paced: pace === 'recorded',
      broken: broken === true && index === rounds.length - 1,
    });
    // The messages of a WebSocket are written as events.
    const type = framing === 'messages' ? 'text/event-stream' : contentType;
    return Promise.resolve(new Response(body, { headers: { 'content-type': type } }));
  };
}

interface PlaybackOptions {
  readonly signal: AbortSignal;
  readonly paced: boolean;
  readonly broken: boolean;
}

/** A body with one chunk for each frame. */
function playFrames(
  frames: Frames,
  chunks: readonly string[],
  { signal, paced, broken }: PlaybackOptions,
): ReadableStream {
  const encoder = new TextEncoder();
  let index = 0;
  let startTime: number | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        const chunk = chunks[index];
        if (chunk === undefined) {
          if (broken) controller.error(new TypeError('The connection was lost, as in the recording.'));
          else controller.close();
          return;
        }
        startTime ??= Date.now();
        // Measured by the clock instead of added up, because the page's own work takes time too.
        const delay = startTime + (frames[index]?.t ?? 0) - (frames[0]?.t ?? 0) - Date.now();
        if (paced && delay > 0) await sleep(delay, signal);
        signal.throwIfAborted();
        index++;
        controller.enqueue(encoder.encode(chunk));
      },
    },
    { highWaterMark: 0 },
  );
}
