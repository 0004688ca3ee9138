/** Sends answers of the user while the reply is still streaming, to a server that holds the stream for them. */
import type { Adapter, Answer } from '../../protocols/core/adapter.ts';
import { endpointAddress } from '../stream/request-with-retries.ts';
import { sendAdapterRequest } from '../request/build-request.ts';
import type { ReplyContext } from '../reply-context.ts';

/** Time limit for the server's answer (ms). */
const TIMEOUT_MS = 10_000;

/** Resolves with whether the server has accepted the answers. They are sent once. */
export async function sendAnswers(reply: ReplyContext, adapter: Adapter, answers: readonly Answer[]): Promise<boolean> {
  const { settings, limits, threadId, trace } = reply;
  const turn = { text: '', messages: reply.conversation(), threadId, answers };
  try {
    const signal = AbortSignal.any([reply.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const url = endpointAddress(settings);
    const answered = await sendAdapterRequest(
      { settings, limits, turn, url, adapter, signal, trace, isSideRequest: true },
      (options) => adapter.respond?.(turn, options),
    );
    if (answered && 'response' in answered) await answered.response.body?.cancel();
    return answered !== undefined;
  } catch {
    return false;
  }
}

/**
 * How long the stream has to stay open and silent after an answer (ms). A server that expects the answer in the next request
 * ends its stream in this time; one that waits for the answer does not.
 */
const HOLD_MS = 300;

/** Decides whether answers are sent now: a server that holds its stream for them sends nothing until it has them. */
export class HeldStream {
  readonly #deliver: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #delivery: Promise<void> | undefined;

  constructor(deliver: () => Promise<void>) {
    this.#deliver = deliver;
  }

  /** The user has answered everything, and the stream is open. */
  answered(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#delivery = this.#deliver();
    }, HOLD_MS);
  }

  /** The stream continues without the answers. */
  continued(): void {
    clearTimeout(this.#timer);
  }

  /** The stream has ended. Returns the delivery that has begun, if there is one. */
  ended(): Promise<void> | undefined {
    clearTimeout(this.#timer);
    const delivery = this.#delivery;
    this.#delivery = undefined;
    return delivery;
  }
}
