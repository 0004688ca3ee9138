import { frameLimits } from '../transport/frame.ts';
import { mediaLimits } from '../safety/media-policy.ts';

/** The bound of every input. Source: `security/README.md`, rules 6, 12 and 16. */
export interface Limits {
  /** Decoded bytes of an inline picture. */
  readonly imageBytes: number;
  /** Width times height of a picture. */
  readonly imagePixels: number;
  /** MIME types of pictures. */
  readonly imageTypes: readonly string[];
  readonly attachments: number;
  /** Bytes of each attachment: one number, or one by MIME type or `image/*`. */
  readonly attachmentBytes: number | Readonly<Record<string, number>>;
  /** UTF-16 code units that a reader may send at once. */
  readonly inputLength: number;
  /** Bytes of one event or line of a stream. */
  readonly eventBytes: number;
  /** Bytes of one response. */
  readonly streamBytes: number;
  /** UTF-16 code units of text in one reply. */
  readonly messageBytes: number;
  readonly toolCalls: number;
  readonly blocks: number;
  /** Milliseconds without a byte once a reply has begun. */
  readonly idle: number;
  /** Milliseconds without a byte before it has begun: a model may be loading. */
  readonly firstByte: number;
}

const MIB = 1024 * 1024;

export const defaultLimits: Limits = {
  ...mediaLimits,
  attachments: 10,
  attachmentBytes: 10 * MIB,
  inputLength: 100_000,
  eventBytes: frameLimits.maxEventLength,
  streamBytes: frameLimits.maxStreamBytes,
  messageBytes: 4 * MIB,
  toolCalls: 1024,
  blocks: 4096,
  idle: 60_000,
  firstByte: 300_000,
};
