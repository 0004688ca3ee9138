/** Resumes an interrupted stream if its protocol supports that, without duplicating text, and limits how often. */
import type { Run } from '../../conversation/run.ts';
import { ChatError } from '../../errors.ts';
import type { Resumption } from '../../protocols/core/adapter.ts';
import type { Frame, FrameStream } from '../../transport/frame.ts';
import type { ReplyContext } from '../reply-context.ts';
import { backoff } from '../request/retry-backoff.ts';
import type { RequestResult } from '../request/send-request.ts';

/**
 * Maximum number of attempts in succession to continue a broken reply without a new frame, or to restart it without new content. An
 * attempt that does not reach the server counts too, so one break may use all of them.
 */
export const MAX_RESUMES = 3;

export interface ResumedResponse {
  readonly answered: RequestResult;
  readonly from: Resumption['from'];
}

export interface StreamResumer {
  /**
   * Whether to resume a stream that broke before its first frame. In a later round of a turn, the protocol then only knows
   * the run of the earlier round, which would be repeated.
   */
  readonly resumesUnstarted: boolean;
  /** Requests the rest after a wait (`resumeWithRetries` in `request-with-retries.ts`). Undefined if the protocol can't resume, or nothing is left. */
  request(lastEventId: string | undefined, attempt: number, error: ChatError): Promise<ResumedResponse | undefined>;
  /** Opens the frames of a response. */
  open(answered: RequestResult): Promise<FrameStream>;
}

/** The server sends the reply from its start, so the consumer has to start over. */
export class StreamRestarted extends Error {
  readonly answered: RequestResult;

  constructor(answered: RequestResult) {
    super('The server sends the reply from its start.');
    this.answered = answered;
  }
}

/** Times of the resumes of each reply in the last minute, in milliseconds since the epoch. */
const resumedAt = new WeakMap<ReplyContext, readonly number[]>();
const MINUTE_MS = 60_000;

/**
 * Returns how many milliseconds to wait before a reply is resumed, and counts the resume. The wait is doubled with each attempt, or with
 * each resume in the last minute if those are more: a server whose stream breaks after each character then gets fewer requests.
 *
 * @param attempt - 0 for the first attempt after a break
 */
export function waitBeforeResume(reply: ReplyContext, attempt: number): number {
  const now = Date.now();
  const earlier = (resumedAt.get(reply) ?? []).filter((time) => now - time < MINUTE_MS);
  resumedAt.set(reply, [...earlier, now]);
  return backoff(Math.max(attempt, earlier.length));
}

/** The amount of content of a run. */
export const contentSize = ({ messages, length }: Run): number =>
  messages.reduce((sum, { blocks }) => sum + blocks.length, length);

/** Counts the restarts of a reply since the last one that brought new content. */
export class Restarts {
  #count = 0;
  #largest = 0;

  add(): void {
    this.#count++;
  }

  /**
   * Returns the count. It starts again when the run has more content than at any break before.
   * @param run - the run as it was when its stream broke off
   */
  countAfter(run: Run): number {
    const size = contentSize(run);
    if (size > this.#largest) {
      this.#largest = size;
      this.#count = 0;
    }
    return this.#count;
  }
}

/**
 * The frames of a stream. It is resumed after each break, up to `MAX_RESUMES` times without a new frame. A stream that broke before its
 * first frame is resumed only with `resumesUnstarted`. A continuation is joined here, so that the decoder keeps its state. A
 * restart from the beginning is thrown as `StreamRestarted`.
 */
export async function* withReconnect(
  batches: AsyncIterable<readonly Frame[]>,
  { resumesUnstarted, request, open }: StreamResumer,
): AsyncGenerator<readonly Frame[]> {
  const seen = new SeenIds();
  let attempts = 0;
  let mayResume = resumesUnstarted;
  let source = batches;
  /** The ids before the break, if all were unique. A server may repeat the last frame. */
  let before: ReadonlySet<string> | undefined;
  for (;;) {
    try {
      for await (const batch of source) {
        mayResume = true;
        const fresh = before ? batch.filter(({ id }) => id === undefined || !before?.has(id)) : batch;
        for (const { id } of fresh) seen.add(id);
        if (fresh.length === 0) continue;
        attempts = 0;
        yield fresh;
      }
      return;
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      const resumed = mayResume && attempts < MAX_RESUMES ? await request(seen.newest, attempts++, error) : undefined;
      if (!resumed) throw error;
      if (resumed.from === 'start') throw new StreamRestarted(resumed.answered);
      before = seen.unique();
      source = (await open(resumed.answered)).batches;
    }
  }
}

/** Maximum number of remembered ids. A resuming server starts near the end, and a stream may be endless. */
const MAX_IDS = 1000;

/** The newest ids of frames. */
class SeenIds {
  newest: string | undefined;
  readonly #ids = new Set<string>();
  #areUnique = true;

  add(id: string | undefined): void {
    if (id === undefined) return;
    this.#areUnique &&= !this.#ids.has(id);
    this.#ids.add(id);
    this.newest = id;
    if (this.#ids.size <= MAX_IDS) return;
    const [oldest] = this.#ids;
    if (oldest !== undefined) this.#ids.delete(oldest);
  }

  /** Returns the ids if all ids so far were unique. */
  unique(): ReadonlySet<string> | undefined {
    return this.#areUnique ? new Set(this.#ids) : undefined;
  }
}

const BREAKS = new Set(['dropped', 'stalled']);
/** Whether a connection was lost or fell silent, which a protocol may survive. */
export const isConnectionLost = (error: unknown): error is ChatError =>
  error instanceof ChatError && BREAKS.has(error.reason) && error.status === undefined;
