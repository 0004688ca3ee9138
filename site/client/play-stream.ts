/** Uses a recorded stream as the agent of a widget. Every message gets this answer; nothing is sent. */
import { AgentChat, type Adapter } from 'agent-chat-element';
import type { Stream } from './streams.ts';

/** Milliseconds between two frames, about the speed of a model. */
const PACE = 30;

/** Settings to assign to a widget. */
interface Settings {
  readonly endpoint: string;
  readonly protocol: Adapter | 'auto';
  readonly fetch: typeof fetch;
}

/** Plays the stream with its adapter, or detects the protocol. */
export async function playStream(stream: Stream, { pace = PACE } = {}): Promise<Settings> {
  const adapter = await AgentChat.protocols.get(stream.protocol)?.load();
  return { endpoint: addressOf(stream), protocol: adapter ? reading(adapter) : 'auto', fetch: answering(stream, pace) };
}

/** The adapter without side requests, which no server would answer. */
function reading({ cancel: _cancel, resume: _resume, ...adapter }: Adapter): Adapter {
  return { ...adapter, request: (_turn, { url }) => ({ url, init: {} }) };
}

/** A URL that is never requested. Each stream has its own, because detected protocols are stored per URL. */
export const addressOf = ({ protocol, name }: Stream): string =>
  `https://recorded.example/${protocol}/${encodeURIComponent(name)}`;

/** A `fetch` that always responds with the stream. */
export const answering =
  ({ body, contentType }: Stream, pace = PACE): typeof fetch =>
  (_address, { signal } = {}) => {
    // A frame ends with an empty line, or with its line. A single document is split into parts, as on a network.
    const frames = body.split(/(?<=\n\r?\n)/);
    const pieces = frames.length > 1 ? frames : body.split(/(?<=\n)/);
    const parts = pieces.flatMap((piece) => piece.match(/[^]{1,1000}/g) ?? []);
    const encoder = new TextEncoder();
    let index = 0;
    const stream = new ReadableStream(
      {
        async pull(controller) {
          const part = parts[index++];
          if (part === undefined) {
            controller.close();
            return;
          }
          if (pace > 0) await new Promise((resolve) => setTimeout(resolve, pace));
          signal?.throwIfAborted();
          controller.enqueue(encoder.encode(part));
        },
      },
      { highWaterMark: 0 },
    );
    return Promise.resolve(new Response(stream, { headers: { 'content-type': contentType } }));
  };
