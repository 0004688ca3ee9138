import { ChatError } from '../errors.ts';
import { httpError } from './http-error.ts';
import type { Limits } from './limits.ts';
import { sendRequest } from './send-request.ts';
import type { ChatSettings, Poll, RequestContext } from './settings.ts';
import type { Tracer } from './trace.ts';
import { sleep, within } from './within.ts';

interface PollOptions {
  readonly settings: ChatSettings;
  readonly context: RequestContext;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  readonly trace?: Tracer | undefined;
}

/**
 * For servers whose stream cannot get through: asks for the reply so far, again and again. Each answer says all of it; a 204
 * says that there is nothing yet.
 */
export async function* pollReply({ source, interval }: Poll, options: PollOptions): AsyncGenerator<Response> {
  const { context, limits, signal } = options;
  for (;;) {
    await sleep(interval, signal);
    const asking = typeof source === 'string' ? askUrl(source, options) : source(context);
    const response = await within(asking, limits.firstByte, true);
    if (!response.ok) throw await httpError(response, { sent: [] });
    if (response.status !== 204) yield response;
  }
}

/** As the request itself is made, with the page's headers, but for its body. */
async function askUrl(source: string, { settings, ...options }: PollOptions): Promise<Response> {
  try {
    const answered = await sendRequest({
      ...options,
      context: { ...options.context, url: new URL(source, options.context.url).href },
      settings: { ...settings, body: undefined },
      build: () => Promise.resolve({ url: source, init: { method: 'GET' } }),
    });
    if (answered && 'response' in answered) return answered.response;
  } catch (cause) {
    if (!(cause instanceof ChatError) || cause.kind !== 'network' || cause.reason === 'bad-endpoint') throw cause;
    throw new ChatError('network', `The reply can't be read from ${source}.`, {
      reason: 'dropped',
      retryable: true,
      cause,
    });
  }
  throw new ChatError('network', `The address "${source}" to poll is one of a socket.`, { reason: 'bad-endpoint' });
}
