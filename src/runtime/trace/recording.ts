/** A recorded reply: the received frames, for replay, and the resulting messages. */
import type { ChatMessage } from '../../model/message.ts';
import type { Frame, Framing } from '../../transport/frame.ts';
import type { TracedTurn } from './trace-log.ts';

/** A frame of a stream and its arrival time. */
export interface RecordedFrame extends Frame {
  /** Milliseconds since the start of the turn. */
  readonly t: number;
  /** Index of the turn's stream, from 0 (default): each round of tools has its own. */
  readonly round?: number;
}

/** The file that the stream inspector downloads. */
export interface Recording {
  readonly version: 1;
  /** Id of the adapter. Absent if the protocol was not detected. */
  readonly protocol?: string;
  readonly framing: Framing;
  readonly contentType: string;
  /** The connection was lost at the end. */
  readonly broken?: true;
  readonly frames: readonly RecordedFrame[];
  /** The user message, followed by the messages that the frames produced. */
  readonly messages: readonly ChatMessage[];
}

/** Converts a turn to a recording. Undefined if there are no frames yet. */
export function toRecording(turn: TracedTurn): Recording | undefined {
  const { protocol, framing, contentType, broken, start, frames, fed, mask } = turn;
  if (framing === undefined || frames.size === 0) return undefined;
  // Without a detected protocol no frame has reached a decoder.
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
    // The status at tracing time was `sending`; the recorded frames answer the message.
    messages: mask([{ ...turn.message, status: 'complete' }, ...turn.messages]),
  };
}
