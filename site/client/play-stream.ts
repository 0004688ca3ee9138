/** A recorded stream as the agent of a widget. Whatever is sent, it is answered so; nothing goes out. */
import { AgentChat, type Adapter } from 'agent-chat-element';
import type { Stream } from './streams.ts';

/** Milliseconds between two frames: about as a model writes. */
const PACE = 30;

/** The settings of a widget, to be assigned. */
interface Settings {
  readonly endpoint: string;
  readonly protocol: Adapter | 'auto';
  readonly fetch: typeof fetch;
}

/** Plays it by its adapter, or leaves it to be recognised. */
export async function playStream(stream: Stream, { pace = PACE } = {}): Promise<Settings> {
  const adapter = await AgentChat.protocols.get(stream.protocol)?.load();
  return { endpoint: addressOf(stream), protocol: adapter ? reading(adapter) : 'auto', fetch: answering(stream, pace) };
}

/** The adapter as a reader alone: nobody is there to answer what it asks beside the stream. */
function reading({ cancel: _cancel, resume: _resume, ...adapter }: Adapter): Adapter {
  return { ...adapter, request: (_turn, { url }) => ({ url, init: {} }) };
}

/** No request goes there; an address for each, since what a server speaks is remembered by its address. */
export const addressOf = ({ protocol, name }: Stream): string =>
  `https://recorded.example/${protocol}/${encodeURIComponent(name)}`;

/** A `fetch` that gives it, whatever is asked. */
export const answering =
  ({ body, contentType }: Stream, pace = PACE): typeof fetch =>
  (_address, { signal } = {}) => {
    // A frame ends with an empty line, or with its line; one document comes in parts, as the network would bring it.
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
