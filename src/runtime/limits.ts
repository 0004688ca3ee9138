import { frameLimits } from '../transport/frame.ts';
import { mediaLimits } from '../safety/media-policy.ts';

/**
 * The bound of every input that a page may want otherwise. Those that no page needs otherwise stand beside what they bound;
 * `docs/guides/limits.md` lists all of them. Source: `security/README.md`, rules 6, 10, 12 and 16.
 */
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
  /** Pixels on the longer side of an attached photo; a larger one is scaled down before it goes out. */
  readonly photoEdge: number;
  /** UTF-16 code units that a reader may send at once. */
  readonly inputLength: number;
  /** Bytes of one event or line of a stream. */
  readonly eventBytes: number;
  /** Bytes of one response. */
  readonly streamBytes: number;
  /** UTF-16 code units of text in one reply. */
  readonly messageBytes: number;
  /** UTF-16 code units of Markdown in one message that are drawn before the reader asks for the rest. */
  readonly shownLength: number;
  /** UTF-16 code units of arguments and results of tools in one stream. */
  readonly toolBytes: number;
  /** Calls of tools in one reply. */
  readonly toolCalls: number;
  /** Blocks in one reply. */
  readonly blocks: number;
  /** Messages in one reply: one for each agent that speaks, where the protocol tells them apart. */
  readonly messages: number;
  /** Pictures in one reply. */
  readonly images: number;
  /** Citations in one stream. */
  readonly citations: number;
  /** UTF-16 code units of an id, or of the name of a tool, an agent, a server or a phase. */
  readonly nameLength: number;
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
  photoEdge: 2048,
  inputLength: 100_000,
  eventBytes: frameLimits.maxEventLength,
  streamBytes: frameLimits.maxStreamBytes,
  messageBytes: 4 * MIB,
  shownLength: MIB,
  toolBytes: 16 * MIB,
  toolCalls: 1024,
  blocks: 4096,
  messages: 1024,
  images: 256,
  citations: 1024,
  nameLength: 4096,
  idle: 60_000,
  firstByte: 300_000,
};
