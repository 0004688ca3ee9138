/** Sends answers of the user while the reply is still streaming, to a server that holds the stream for them. */
import type { Adapter, Answer } from '../../protocols/core/adapter.ts';
import { endpointAddress } from '../stream/request-with-retries.ts';
import { sendAdapterRequest } from '../request/send-adapter-request.ts';
import type { ReplyContext } from '../reply-context.ts';
import { isAnswerForPage } from '../tools/open-calls.ts';
import { questionOf, type PendingAnswers } from './pending-answers.ts';

/** Time limit for the server's answer (ms). */
const TIMEOUT_MS = 10_000;

/**
 * Sends the answers of the user that are for the server. What it refuses is sent with the next request, unless the user has
 * answered a later form of the question meanwhile.
 */
export async function deliverAnswers(reply: ReplyContext, adapter: Adapter, pending: PendingAnswers): Promise<void> {
  const answers = pending.take();
  const forServer = answers.filter((answer) => !isAnswerForPage(answer));
  const isDelivered = forServer.length > 0 && (await sendAnswers(reply, adapter, forServer));
  const kept = isDelivered ? answers.filter(isAnswerForPage) : answers;
  for (const answer of kept) {
    const question = questionOf(answer);
    const last = pending.given.findLast((other) => other === answer || (question && questionOf(other) === question));
    if (last === answer) pending.add(answer);
  }
}

/** Sends the answers, without retries after a network failure. Resolves with whether the server has accepted them. */
async function sendAnswers(reply: ReplyContext, adapter: Adapter, answers: readonly Answer[]): Promise<boolean> {
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
