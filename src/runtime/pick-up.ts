/** A stream that broke, picked up again where its protocol can. Never a second copy of a word. */
import { ChatError } from '../errors.ts';
import type { Resumption } from '../protocols/adapter.ts';
import type { Frame, FrameStream } from '../transport/frame.ts';
import { PICK_UPS } from './retry.ts';
import type { Answered } from './send-request.ts';

export interface PickedUp {
  readonly answered: Answered;
  readonly from: Resumption['from'];
}

export interface PickUp {
  /** Asks for the rest, after a short wait; undefined when the protocol can't, or has nothing more. */
  ask(lastEventId: string | undefined, attempt: number, error: ChatError): Promise<PickedUp | undefined>;
  /** Its frames. */
  open(answered: Answered): Promise<FrameStream>;
}

/** The server tells the reply from its start: whoever reads has to begin anew. */
export class Restarted extends Error {
  readonly answered: Answered;

  constructor(answered: Answered) {
    super('The reply is told from its start.');
    this.answered = answered;
  }
}

/**
 * The frames of a stream, over as many connections as it takes. What goes on behind the last frame is joined here, so that the
 * decoder keeps what it knows; what begins anew is thrown as `Restarted`.
 */
export async function* unbroken(
  batches: AsyncIterable<readonly Frame[]>,
  { ask, open }: PickUp,
): AsyncGenerator<readonly Frame[]> {
  /** The newest ids, and whether no two of all were the same. */
  const ids = new Set<string>();
  let unique = true;
  let lastId: string | undefined;
  let tries = 0;
  let source = batches;
  /** The ids before the break, where no two frames had the same. A server may begin with the frame that came last. */
  let before: ReadonlySet<string> | undefined;
  for (;;) {
    try {
      for await (const batch of source) {
        const fresh = before ? batch.filter(({ id }) => id === undefined || !before?.has(id)) : batch;
        for (const { id } of fresh) {
          if (id === undefined) continue;
          unique &&= !ids.has(id);
          ids.add(id);
          lastId = id;
          if (ids.size <= KEPT_IDS) continue;
          for (const [oldest] of ids.entries()) {
            ids.delete(oldest);
            break;
          }
        }
        if (fresh.length === 0) continue;
        tries = 0;
        yield fresh;
      }
      return;
    } catch (error) {
      if (!isBroken(error)) throw error;
      const again = tries < PICK_UPS ? await ask(lastId, tries++, error) : undefined;
      if (!again) throw error;
      if (again.from === 'start') throw new Restarted(again.answered);
      before = unique ? new Set(ids) : undefined;
      source = (await open(again.answered)).batches;
    }
  }
}

/** A server that picks up begins near the end: an endless stream is not kept by its ids. */
const KEPT_IDS = 1000;

const BREAKS = new Set(['dropped', 'stalled']);
const isBroken = (error: unknown): error is ChatError =>
  error instanceof ChatError && BREAKS.has(error.reason) && error.status === undefined;
