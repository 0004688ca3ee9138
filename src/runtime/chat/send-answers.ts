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
