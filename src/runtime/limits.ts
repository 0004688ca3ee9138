import { frameLimits } from '../transport/frame.ts';
import { mediaLimits } from '../safety/media-limits.ts';

/**
 * The configurable limits of all inputs. Fixed limits are defined next to the code that they apply to.
 * `docs/guides/limits.md` lists all of them.
 */
export interface Limits {
  /** Decoded bytes of an inline image. */
  readonly imageBytes: number;
  /** Width times height of an image. */
  readonly imagePixels: number;
  /** Allowed MIME types of images. */
  readonly imageTypes: readonly string[];
  readonly attachments: number;
  /** Bytes of each attachment: one number, or one by MIME type or `image/*`. */
  readonly attachmentBytes: number | Readonly<Record<string, number>>;
  /** Pixels of the longer side of an attached photo. A larger one is scaled down before it is sent. */
  readonly photoEdge: number;
  /** UTF-16 code units of one user message. */
  readonly inputLength: number;
  /**
   * UTF-16 code units of one event or line of a stream: its text is measured, not its bytes. Only for the response to a rating or to
   * a side request, it is bytes.
   */
  readonly eventBytes: number;
  /** Bytes of one response. For a WebSocket, UTF-16 code units of all its messages, and 16 for each. */
  readonly streamBytes: number;
  /** UTF-16 code units, not bytes, of text and reasoning in one reply. */
  readonly messageBytes: number;
  /** UTF-16 code units of Markdown in one message that are rendered before the user asks for the rest. */
  readonly shownLength: number;
  /** UTF-16 code units, not bytes, of tool arguments and results in one stream. */
  readonly toolBytes: number;
  /** Tool calls in one reply. */
  readonly toolCalls: number;
  /** Blocks in one reply. */
  readonly blocks: number;
  /** Messages in one reply: one for each agent that speaks, if the protocol distinguishes them. */
  readonly messages: number;
  /** Images in one reply. */
  readonly images: number;
  /** Citations in one stream. */
  readonly citations: number;
  /** UTF-16 code units of an id, or of the name of a tool, agent, server or phase. */
  readonly nameLength: number;
  /**
   * Milliseconds without a byte after a reply has started. For the response to a rating or to a side request: until the
   * complete body has arrived.
   */
  readonly idle: number;
  /**
   * Milliseconds without a byte before a reply starts: a model may have to be loaded. The limit applies to the response, and again to
   * the first byte of its body.
   */
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
