import { ChatError } from '../../errors.ts';
import { withoutQuery } from '../../model/without-query.ts';
import { sentSecrets } from '../../safety/sent-secrets.ts';
import type { Limits } from '../limits.ts';
import { pageAddress } from './page-address.ts';
import { sendRequest } from './send-request.ts';
import { statusError } from './status-error.ts';
import type { ChatSettings, Poll, RequestContext } from '../chat-settings.ts';
import type { Tracer } from '../tracer.ts';
import { sleep, withTimeout } from '../timeout.ts';

interface PollOptions {
  readonly settings: ChatSettings;
  readonly context: RequestContext;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  readonly trace?: Tracer | undefined;
}

/**
 * Polling fallback for environments that block streaming: requests the reply so far at intervals. Each response
 * contains the complete reply; status 204 means that there is none yet.
 */
export async function* pollReply({ source, interval }: Poll, options: PollOptions): AsyncGenerator<Response> {
  const { context, limits, signal } = options;
  for (;;) {
    await sleep(interval, signal);
    const pending = typeof source === 'string' ? askUrl(source, options) : source(context);
    const response = await withTimeout(pending, limits.firstByte, true);
    if (!response.ok) throw await statusError(response, { sent: sentSecrets() });
    if (response.status !== 204) yield response;
  }
}

/** Sends a GET request with the page's headers. Nothing of the turn's own request is in it. */
async function askUrl(source: string, { settings, ...options }: PollOptions): Promise<Response> {
  // Like the endpoint, this URL was set by the page.
  const endpoint = pageAddress(source, options.context.url);
  try {
    const answered = await sendRequest({
      ...options,
      context: { ...options.context, url: endpoint.href },
      endpoint,
      settings: { ...settings, body: undefined },
      build: () => Promise.resolve({ url: endpoint.href, init: { method: 'GET' } }),
    });
    if (answered && 'response' in answered) return answered.response;
  } catch (cause) {
    if (!(cause instanceof ChatError) || cause.kind !== 'network' || cause.reason === 'bad-endpoint') throw cause;
    throw new ChatError('network', `The reply could not be read from ${withoutQuery(source)}.`, {
      reason: 'dropped',
      retryable: true,
      cause,
    });
  }
  throw new ChatError('network', `The poll URL "${withoutQuery(source)}" is a WebSocket URL: use http or https.`, {
    reason: 'bad-endpoint',
  });
}
