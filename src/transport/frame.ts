import { ChatError } from '../errors.ts';

/** One whole message of the wire, before anybody has looked into it. */
export interface Frame {
  /** The SSE event name. */
  readonly event?: string | undefined;
  /** The SSE id, from which a broken stream can be picked up. */
  readonly id?: string | undefined;
  readonly data: string;
  /** The body ended before the frame did. It may be whole all the same. */
  readonly unfinished?: true;
}

/**
 * How frames lie in the bytes: `sse`; `lines`, one a line (NDJSON, or a prefix and JSON); `json`, values one behind the
 * other or in an array, over any number of lines; `text`, whatever came; `html`, a page instead of a stream; `messages`,
 * those of a WebSocket.
 */
export type Framing = 'sse' | 'lines' | 'json' | 'text' | 'html' | 'messages';

/** A body on its way: what one read of the network gave is one batch. */
export interface FrameStream {
  readonly framing: Framing;
  readonly batches: AsyncIterable<readonly Frame[]>;
}

export interface FrameLimits {
  /** The longest line or event, in UTF-16 code units. */
  readonly maxEventLength: number;
  /** The longest body, in bytes. */
  readonly maxStreamBytes: number;
}

const MIB = 1024 * 1024;

/** The bounds of `security/README.md`, rule 12. */
export const frameLimits: FrameLimits = { maxEventLength: 16 * MIB, maxStreamBytes: 64 * MIB };

export const tooLong = (what: 'event' | 'stream', limit: number): ChatError =>
  new ChatError('limit', `The ${what} is longer than ${String(limit)} bytes, which is what "limits" allows.`, {
    reason: what === 'event' ? 'event-too-long' : 'stream-too-long',
    values: { limit },
  });
