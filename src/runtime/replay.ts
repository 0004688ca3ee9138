import { z } from '../model/schema.ts';
import type { Adapter } from '../protocols/adapter.ts';
import { protocols } from '../protocols/registry.ts';
import { writeFrames } from '../transport/write-frames.ts';
import type { Recording } from './recording.ts';
import { sleep } from './within.ts';

const { optional, exactOptional } = z;

/** What is played of a recording. */
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

/** How a recording is played. */
export interface ReplayOptions {
  /** `recorded`: each frame comes when it came. `fast` (default): as soon as it is asked for. */
  readonly pace?: 'fast' | 'recorded';
}

/** Settings of a widget whose agent is a recording. */
export interface Replay {
  readonly endpoint: string;
  readonly protocol: Adapter | 'auto';
  readonly fetch: typeof fetch;
}

/**
 * Plays a recorded turn again: settings with which whatever is sent is answered as the recorded agent has answered, the first
 * request with the first stream of the recording and the next with the next, as a turn with tools asks for them. Nothing goes
 * out.
 *
 * @param recording - the file that the inspector downloads, parsed
 * @throws TypeError when it is none.
 *
 * @example
 * Object.assign(chat, await replay(recording));
 * const reply = await chat.send('Anything');
 */
export async function replay(recording: Recording, { pace = 'fast' }: ReplayOptions = {}): Promise<Replay> {
  const { success, data } = recorded.safeParse(recording);
  if (!success) throw new TypeError('This is no recording of the stream inspector.');
  const adapter = data.protocol === undefined ? undefined : await protocols.get(data.protocol)?.load();
  return { endpoint: ENDPOINT, protocol: adapter ? unasking(adapter) : 'auto', fetch: answerFrom(data, pace) };
}

/** It is asked for by nobody but the widget. */
const ENDPOINT = 'recording';

/** The adapter as a reader alone: a request for each stream and none beside it, since nobody is there to answer that. */
function unasking({ cancel: _cancel, resume: _resume, feedback: _feedback, ...adapter }: Adapter): Adapter {
  return { ...adapter, request: (_turn, { url }) => ({ url, init: {} }) };
}

function answerFrom(
  { framing, contentType, broken, frames }: z.infer<typeof recorded>,
  pace: ReplayOptions['pace'],
): typeof fetch {
  const rounds = [...new Set(frames.map(({ round = 0 }) => round))];
  let asked = 0;
  return (_input, { signal } = {}) => {
    const index = Math.min(asked++, rounds.length - 1);
    const own = frames.filter(({ round = 0 }) => round === rounds[index]);
    const body = playFrames(own, writeFrames(own, framing), {
      signal: signal ?? new AbortController().signal,
      paced: pace === 'recorded',
      broken: broken === true && index === rounds.length - 1,
    });
    // The messages of a socket are written as events.
    const type = framing === 'messages' ? 'text/event-stream' : contentType;
    return Promise.resolve(new Response(body, { headers: { 'content-type': type } }));
  };
}

interface Playing {
  readonly signal: AbortSignal;
  readonly paced: boolean;
  readonly broken: boolean;
}

/** A body that gives a piece for each frame. */
function playFrames(frames: Frames, pieces: readonly string[], { signal, paced, broken }: Playing): ReadableStream {
  const encoder = new TextEncoder();
  let index = 0;
  let begun: number | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        const piece = pieces[index];
        if (piece === undefined) {
          if (broken) controller.error(new TypeError('The connection was lost, as it was in the recording.'));
          else controller.close();
          return;
        }
        begun ??= Date.now();
        // By the clock, since what a page does meanwhile takes its time too.
        const wait = begun + (frames[index]?.t ?? 0) - (frames[0]?.t ?? 0) - Date.now();
        if (paced && wait > 0) await sleep(wait, signal);
        signal.throwIfAborted();
        index++;
        controller.enqueue(encoder.encode(piece));
      },
    },
    { highWaterMark: 0 },
  );
}
