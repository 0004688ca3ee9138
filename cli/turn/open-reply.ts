/** Sends a turn's request, over HTTP or a WebSocket, and gives the stream of its reply. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Adapter } from '../../src/protocols/core/adapter.ts';
import type { FrameStream } from '../../src/transport/frame.ts';
import { openFrames } from '../../src/transport/open-frames.ts';
import { decodeUtf8 } from '../../src/transport/text.ts';
import { readStart } from '../request.ts';
import { sendWire, type Outgoing } from './outgoing.ts';
import { openSocket } from './socket.ts';

type Opened = { readonly status: number; readonly headers: IncomingHttpHeaders } & (
  | { readonly refusal: string }
  | { stream(): Promise<FrameStream> }
);

/** Comments of server-sent events, which the frames don't contain. */
export interface Comments {
  count: number;
}

interface Opening {
  readonly signal: AbortSignal;
  readonly known: Adapter | undefined;
  readonly comments: Comments;
  piece(): void;
}

const COMMENT = /^:/gm;

export async function openReply(wire: Outgoing, { signal, known, comments, piece }: Opening): Promise<Opened> {
  if (wire.url.protocol.startsWith('ws')) return openSocket(wire, { signal, piece });
  const { status, headers, body } = await sendWire(wire, signal);
  if (status < 200 || status >= 300) return { status, headers, refusal: await readStart(body) };
  if (wire.trigger) {
    const started = await sendWire(wire.trigger, signal);
    const refusal = await readStart(started.body);
    if (started.status >= 300) return { status: started.status, headers: started.headers, refusal };
  }
  const timed = async function* (): AsyncGenerator<Uint8Array> {
    for await (const bytes of body as AsyncIterable<Buffer>) {
      piece();
      comments.count += bytes.toString('latin1').match(COMMENT)?.length ?? 0;
      yield bytes;
    }
  };
  return {
    status,
    headers,
    stream: () => openFrames(decodeUtf8(timed(), { maxStreamBytes: 64 * 1024 * 1024 }), { framing: known?.framing }),
  };
}
