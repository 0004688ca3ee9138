import { ChatError } from '../errors.ts';

/** One complete message of a response, not parsed yet. */
export interface Frame {
  /** The SSE event name. */
  readonly event?: string | undefined;
  /** The SSE event id, from which an interrupted stream can be resumed. */
  readonly id?: string | undefined;
  readonly data: string;
  /** The body ended before the frame did. The data may still be complete. */
  readonly unfinished?: true;
}

/**
 * How frames are delimited in the body. `sse`: server-sent events. `lines`: one frame per line (NDJSON, or a prefix
 * and JSON). `json`: consecutive JSON values or the elements of an array, on any number of lines. `text`: plain text
 * as it arrives. `html`: a web page instead of a stream. `messages`: the messages of a WebSocket.
 */
export type Framing = 'sse' | 'lines' | 'json' | 'text' | 'html' | 'messages';

/** A body that is being read. A batch has the frames that one part of the body completes: a network read may give several, or none. */
export interface FrameStream {
  readonly framing: Framing;
  readonly batches: AsyncIterable<readonly Frame[]>;
}

export interface FrameLimits {
  /** The maximum length of a line or event, in UTF-16 code units. */
  readonly maxEventLength: number;
  /** The maximum size of a body, in bytes. */
  readonly maxStreamBytes: number;
}

const MIB = 1024 * 1024;

/** The default limits. Source: `docs/security.md`. */
export const frameLimits: FrameLimits = { maxEventLength: 16 * MIB, maxStreamBytes: 64 * MIB };

export const limitExceeded = (part: 'event' | 'stream', limit: number): ChatError =>
  new ChatError(
    'limit',
    `The ${part} is longer than ${String(limit)} ${part === 'event' ? 'characters' : 'bytes'}, see "limits".`,
    {
      reason: part === 'event' ? 'event-too-long' : 'stream-too-long',
      values: { limit },
    },
  );
