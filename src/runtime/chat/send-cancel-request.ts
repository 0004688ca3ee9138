/** Asks the server to cancel a reply. */
import type { Adapter } from '../../protocols/core/adapter.ts';
import { endpointAddress } from '../stream/request-with-retries.ts';
import { sendAdapterRequest } from '../request/send-adapter-request.ts';
import type { ChatSettings } from '../chat-settings.ts';
import type { ReplyContext } from '../reply-context.ts';

/** Time limit for the server's answer (ms). */
const CANCEL_MS = 10_000;

interface UserOfReply {
  /** The page's settings when the message was sent. */
  readonly before: ChatSettings;
  /** Whether another user has signed in since. */
  isUserChanged(): boolean;
}

/**
 * Sends the cancel request, without retries after a network failure. Resolves with whether the server accepted it;
 * otherwise the agent may still be working.
 */
export async function sendCancelRequest(
  reply: ReplyContext,
  adapter: Adapter,
  { before, isUserChanged }: UserOfReply,
): Promise<boolean> {
  const { limits, threadId, trace } = reply;
  const hasFunctions = [before.headers, before.body, before.transformRequest].some(
    (field) => typeof field === 'function',
  );
  // The last function before each request. If the page has functions, they would add the fields of a user who has signed in since.
  const transformRequest: ChatSettings['transformRequest'] = async (request) => {
    const transformed = (await reply.settings.transformRequest?.(request)) ?? request;
    if (hasFunctions && isUserChanged()) throw new Error('left');
    return transformed;
  };
  const settings = { ...reply.settings, transformRequest };
  try {
    const request = {
      settings,
      limits,
      turn: { text: '', messages: reply.conversation(), threadId, answers: [] },
      url: endpointAddress(settings),
      adapter,
      // Not the signal of the reply, which is aborted when the reply ends.
      signal: AbortSignal.timeout(CANCEL_MS),
      trace,
      isSideRequest: true,
    };
    const answered = await sendAdapterRequest(request, (options) => adapter.cancel?.(request.turn, options));
    if (answered && 'response' in answered) await answered.response.body?.cancel();
    return answered !== undefined;
  } catch {
    return false;
  }
}
