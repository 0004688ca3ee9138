/**
 * Sends one request of an adapter: the next one of a turn, its cancellation or resumption, answers on a held stream, a rating, or
 * a request of an MCP app.
 */
import { toToolSpec } from '../../agents/tools.ts';
import type { Adapter, RequestOptions, Turn, WireRequest } from '../../protocols/core/adapter.ts';
import { sendSideRequest } from './side-request.ts';
import type { Limits } from '../limits.ts';
import type { PageAddress } from './page-address.ts';
import { resolveSetting, sendRequest, type RequestResult, type SendRequestOptions } from './send-request.ts';
import type { ChatSettings, RequestContext } from '../chat-settings.ts';
import type { Tracer } from '../tracer.ts';
import { withTimeout, type SilenceFrom } from '../timeout.ts';

export interface ExchangeOptions {
  readonly settings: ChatSettings;
  readonly limits: Limits;
  readonly turn: Turn;
  /** The endpoint. */
  readonly url: PageAddress;
  /** Undefined until the protocol is known. */
  readonly adapter: Adapter | undefined;
  readonly signal: AbortSignal;
  readonly trace?: Tracer | undefined;
  readonly silenceFrom?: SilenceFrom | undefined;
  /** A side request: the adapter may read the page's `body`, but it is not merged, because it belongs to the turn. */
  readonly isSideRequest?: boolean;
}

type BuildRequest = (options: RequestOptions) => WireRequest | undefined | Promise<WireRequest | undefined>;

/**
 * Sends the request that `buildRequest` returns for the settings. Resolves with undefined if it returns none. A failure, such
 * as a timeout, aborts what is still open of the attempt.
 */
export async function sendAdapterRequest(
  options: ExchangeOptions,
  buildRequest: BuildRequest,
): Promise<RequestResult | undefined> {
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  try {
    return await sendAttempt({ ...options, signal }, buildRequest);
  } catch (error) {
    failed.abort();
    throw error;
  }
}

async function sendAttempt(
  { settings, limits, turn, url, adapter, signal, trace, silenceFrom, isSideRequest = false }: ExchangeOptions,
  buildRequest: BuildRequest,
): Promise<RequestResult | undefined> {
  const context: RequestContext = {
    url: url.href,
    protocol: adapter?.id,
    conversation: turn.messages,
    threadId: turn.threadId,
  };
  const send: Omit<SendRequestOptions, 'build'> = {
    settings,
    context,
    endpoint: url,
    limits,
    signal,
    trace,
    silenceFrom,
    isSideRequest,
  };
  const answered = await withTimeout(
    sendRequest({
      ...send,
      build: async (headers, body) =>
        buildRequest({
          url: url.href,
          headers,
          agent: settings.agent,
          model: settings.model,
          system: settings.system,
          context: await resolveSetting('context', settings.context, context),
          ...(body && { body }),
          tools: (settings.tools ?? []).map(toToolSpec),
          ...(settings.show && { show: settings.show }),
          ask: (request) => sendSideRequest(request, send),
        }),
    }),
    limits.firstByte,
    'no-answer',
  );
  const { trigger } = answered ?? {};
  if (trigger) {
    const started = await withTimeout(
      sendRequest({ ...send, build: () => Promise.resolve(trigger) }),
      limits.firstByte,
      'no-answer',
    );
    if (started && 'response' in started) await started.response.body?.cancel();
  }
  return answered;
}
