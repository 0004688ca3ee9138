/** A reply as a file: what came over the wire, so that it can be played again, and what became of it. */
import type { ChatMessage } from '../model/message.ts';
import type { Frame, Framing } from '../transport/frame.ts';
import type { TracedTurn } from './trace-log.ts';

/** A frame of a stream, and when it came. */
export interface RecordedFrame extends Frame {
  /** Milliseconds since the turn began. */
  readonly t: number;
  /** Which of the turn's streams it came in, from 0 (default): each round of tools has one. */
  readonly round?: number;
}

/** The file that the inspector downloads. */
export interface Recording {
  readonly version: 1;
  /** The id of the adapter; absent where nobody knew the stream. */
  readonly protocol?: string;
  readonly framing: Framing;
  readonly contentType: string;
  /** The connection was lost at the end. */
  readonly broken?: true;
  readonly frames: readonly RecordedFrame[];
  /** The reader's message, and behind it what the frames became. */
  readonly messages: readonly ChatMessage[];
}

/** A turn as a recording; undefined while nothing has come that could be played. */
export function toRecording(turn: TracedTurn): Recording | undefined {
  const { protocol, framing, contentType, broken, start, frames, fed, mask } = turn;
  if (framing === undefined || frames.size === 0) return undefined;
  // A stream that nobody knew has reached no decoder.
  const played = fed.length > 0 ? fed : [...frames.keys()].map((number) => ({ number, round: 0 }));
  return {
    version: 1,
    ...(protocol !== undefined && { protocol }),
    framing,
    contentType,
    ...(broken && { broken }),
    frames: played.flatMap(({ number, round }) => {
      const entry = frames.get(number);
      return entry ? [{ t: entry.time - start, ...entry.frame, ...(round > 0 && { round }) }] : [];
    }),
    // It was on its way when it was taken down; what has come is an answer to it.
    messages: mask([{ ...turn.message, status: 'complete' }, ...turn.messages]),
  };
}
