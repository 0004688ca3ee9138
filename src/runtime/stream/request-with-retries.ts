/** Sends a turn's request: selects the adapter, retries, and resumes an interrupted reply. */
import { ChatError } from '../../errors.ts';
import type { ChatMessage } from '../../model/message.ts';
import { autoRequest } from '../../protocols/shared/auto-request.ts';
import type { Adapter } from '../../protocols/core/adapter.ts';
import type { ProtocolEntry } from '../../protocols/registry.ts';
import { sendAdapterRequest, type ExchangeOptions } from '../request/send-adapter-request.ts';
import { EndpointFound, foundEndpoint, rememberEndpoint } from '../request/found-endpoint.ts';
import { MAX_RESUMES, waitBeforeResume, type ResumedResponse } from './resume-stream.ts';
import { pageAddress, type PageAddress } from '../request/page-address.ts';
import { loadSocket } from '../request/load-socket.ts';
import { offlineError, untilOnline } from '../request/wait-online.ts';
import { loadDetection } from './load-detection.ts';
import type { ReplyContext, RetryWait } from '../reply-context.ts';
import { waitBeforeRetry, type RetryRule } from '../request/retry-backoff.ts';
import type { RequestResult } from '../request/send-request.ts';
import type { ChatSettings } from '../chat-settings.ts';
import { sleep } from '../timeout.ts';

export function endpointAddress(settings: ChatSettings): PageAddress {
  const { endpoint } = settings;
  if (endpoint === undefined || endpoint === '') {
    throw new ChatError('network', 'No "endpoint" is set.', { reason: 'no-endpoint' });
  }
  return foundEndpoint(settings)?.url ?? pageAddress(endpoint);
}

/**
 * The adapter in use: the configured one, the one detected earlier, or one that the URL suggests. Without a configured
 * one it loads the detection, which the reply needs.
 */
export async function entryFor(
  { settings, protocols, knownProtocol }: Pick<ReplyContext, 'settings' | 'protocols' | 'knownProtocol'>,
  url: URL,
): Promise<ProtocolEntry | undefined> {
  const { protocol = 'auto' } = settings;
  // The request reports a failed load.
  if (url.protocol.startsWith('ws')) loadSocket().catch(() => undefined);
  if (typeof protocol !== 'string') {
    const { id } = protocol;
    const load = async (): Promise<Adapter> =>
      'events' in protocol ? (await import('../../protocols/mapping/map-protocol.ts')).mapProtocol(protocol) : protocol;
    return { id, load };
  }
  if (protocol !== 'auto') {
    const entry = protocols.get(protocol);
    if (entry) return entry;
    const ids = protocols.list().map(({ id }) => id);
    throw new ChatError('protocol', `There is no protocol "${protocol}". Available: ${ids.join(', ')}, auto.`, {
      reason: 'bad-protocol',
      values: { protocol },
    });
  }
  const id = knownProtocol ?? foundEndpoint(settings)?.protocol;
  const detection = loadDetection();
  if (id === undefined) return (await detection).guessByUrl(url, protocols.list());
  // The protocol of the reply is detected again, which reports a failed load.
  detection.catch(() => undefined);
  return protocols.get(id);
}

/**
 * Loads the adapter that builds the request. If the chunk can't load while offline, it is loaded when the network
 * returns.
 */
export async function adapterFor(reply: ReplyContext, url: URL): Promise<Adapter | undefined> {
  for (;;) {
    try {
      const entry = await entryFor(reply, url);
      return await entry?.load();
    } catch (cause) {
      // An unknown protocol stays unknown when the network is back.
      if (navigator.onLine || reply.signal.aborted || cause instanceof ChatError) throw cause;
      await waitForNetwork(reply, 0);
    }
  }
}

/** Whether the host page has set the protocol, which turns detection off. */
export const isProtocolSet = ({ protocol = 'auto' }: ChatSettings): boolean => protocol !== 'auto';

export async function sendWithRetries(reply: ReplyContext, exchangeOptions: ExchangeOptions): Promise<RequestResult> {
  const { adapter, settings } = exchangeOptions;
  const rule: RetryRule = settings.retry ?? (adapter?.kind === 'model' ? 'auto' : 'safe');
  let providerState: unknown;
  for (let attempt = 0; ;) {
    const wasOffline = !navigator.onLine;
    try {
      const answered = await sendAdapterRequest(exchangeOptions, async (options) => {
        const { turn } = exchangeOptions;
        const parts = turn.messages.some(hasParts) ? await import('../request/message-parts.ts') : undefined;
        const sent = parts?.withPartsAsText(turn, adapter?.accepts) ?? turn;
        if (!adapter) {
          const first = autoRequest(sent, options);
          return parts?.addParts(first, sent) ?? first;
        }
        const request = await adapter.request(sent, { ...options, providerState });
        ({ providerState } = request);
        return request;
      });
      if (answered) return answered;
      throw new ChatError('protocol', `The protocol "${adapter?.id ?? ''}" built no request.`, {
        reason: 'unexpected',
      });
    } catch (error) {
      // `navigator.onLine` may be wrong, so the request is tried even if offline. A request that failed for lack of a network was
      // not sent, so it is not sent twice.
      if (wasOffline && !navigator.onLine && isNetworkFailure(error)) {
        await waitForNetwork(reply, attempt);
        continue;
      }
      if (!(error instanceof ChatError) || error.reason === 'page-function') throw error;
      const wait = waitBeforeRetry(error, rule, attempt, Math.random());
      if (wait === undefined)
        throw reply.knownProtocol === undefined ? await firstFailure(error, exchangeOptions) : error;
      await waitForRetry(reply, wait, attempt, error);
      attempt++;
    }
  }
}

/** Whether the user has sent more than text. */
const hasParts = ({ role, blocks, metadata }: ChatMessage): boolean =>
  role === 'user' && (metadata?.['content'] !== undefined || blocks.some(({ type }) => type !== 'content'));

/**
 * Whether the request failed for lack of a network, or because a function of the page failed that may need the network, such as
 * one that fetches a token.
 */
function isNetworkFailure(error: unknown): boolean {
  if (!(error instanceof ChatError)) return !isAbort(error);
  return error.reason === 'offline' || (error.reason === 'page-function' && !isAbort(error.cause));
}

/**
 * A failed first request is usually a configuration error, so the console explains it. If the agent was found at another
 * address of the server, returns `EndpointFound`, and the request is sent there.
 */
async function firstFailure(error: ChatError, options: ExchangeOptions): Promise<Error> {
  const { settings, signal } = options;
  const isAuto = !isProtocolSet(settings);
  // Without the chunk, the error itself is still right.
  const chunk = await import('../request/explain-first-failure.ts').catch(() => undefined);
  if (!chunk) return error;
  const { error: explained, found } = await chunk.explainFirstFailure(error, {
    ...options,
    isAuto,
    isFound: foundEndpoint(settings) !== undefined,
  });
  signal.throwIfAborted();
  if (!found) return explained;
  rememberEndpoint(settings, found);
  return new EndpointFound();
}

/** Requests the rest of a reply that was interrupted earlier, when no consumer is reading yet. */
export async function resumeReply(reply: ReplyContext, exchangeOptions: ExchangeOptions): Promise<RequestResult> {
  const resumed = await askForRest(exchangeOptions);
  if (!resumed) {
    throw new ChatError('protocol', 'The protocol can’t resume a reply.', {
      reason: 'no-resume',
    });
  }
  if (resumed.from === 'start') reply.restart();
  return resumed.answered;
}

interface ResumeAttempt {
  readonly attempt: number;
  readonly error: ChatError;
  readonly lastEventId?: string | undefined;
  /** The part of the reply that is needed. If the protocol would send another one, no request is sent. Undefined: any part. */
  readonly from?: ResumedResponse['from'];
}

/**
 * Requests the rest after a wait, several times if the server can't be reached. The adapter builds the request after the wait,
 * because it may ask the server for the state of the run.
 */
export async function resumeWithRetries(
  reply: ReplyContext,
  exchangeOptions: ExchangeOptions,
  { attempt, error, ...wanted }: ResumeAttempt,
) {
  if (!exchangeOptions.adapter?.resume || exchangeOptions.signal.aborted) return undefined;
  const turn = { ...exchangeOptions.turn, messages: reply.conversation() };
  if (!(await mayResume({ ...exchangeOptions, turn }, wanted))) return undefined;
  for (let attemptNumber = attempt; attemptNumber < MAX_RESUMES; attemptNumber++) {
    await waitForRetry(reply, waitBeforeResume(reply, attemptNumber), attemptNumber, error);
    try {
      return await askForRest({ ...exchangeOptions, turn }, wanted);
    } catch (cause) {
      // A protocol error stays, such as an id that can't be part of a URL. A function of the page may have failed for lack of a network.
      const unreachable =
        cause instanceof ChatError &&
        cause.status === undefined &&
        (cause.kind !== 'protocol' || isNetworkFailure(cause));
      if (!unreachable) return undefined;
    }
  }
  return undefined;
}

/** Whether the adapter can resume this reply, as far as it knows without a request. */
const mayResume = (
  { adapter, settings: { agent, model }, turn, url }: ExchangeOptions,
  { lastEventId, from }: Pick<ResumeAttempt, 'lastEventId' | 'from'>,
): Promise<boolean> =>
  new Promise((resolve) => {
    const ask = (): Promise<never> => {
      resolve(true);
      return new Promise(() => undefined);
    };
    const resuming = async () => adapter?.resume?.(turn, { url: url.href, agent, model, ask, lastEventId });
    resuming().then(
      (resumption) => {
        resolve(resumption ? (from ?? resumption.from) === resumption.from : false);
      },
      // The attempt itself reports the error.
      () => {
        resolve(true);
      },
    );
  });

/** The status with which a server reports that it has no running reply to resume. */
const NOTHING_RUNS = 204;

async function askForRest(
  exchangeOptions: ExchangeOptions,
  { lastEventId, from: wanted }: Pick<ResumeAttempt, 'lastEventId' | 'from'> = {},
): Promise<ResumedResponse | undefined> {
  const { adapter, settings, turn } = exchangeOptions;
  let from: ResumedResponse['from'] = 'start';
  // The page's `body` setting belongs to the turn, which has already been sent.
  const answered = await sendAdapterRequest(
    { ...exchangeOptions, settings: { ...settings, body: undefined } },
    async (options) => {
      const resumption = await adapter?.resume?.(turn, { ...options, lastEventId });
      if (!resumption || (wanted && resumption.from !== wanted)) return undefined;
      ({ from } = resumption);
      return resumption.request;
    },
  );
  if (!answered) return undefined;
  if ('response' in answered && answered.response.status === NOTHING_RUNS) {
    throw new ChatError('protocol', 'The agent has nothing to resume.', {
      reason: 'no-resume',
      status: NOTHING_RUNS,
    });
  }
  return { answered, from };
}

/** Whether the server has nothing more to send for a reply. */
export const isReplyGone = ({ reason, status }: ChatError): boolean =>
  reason === 'no-resume' && status === NOTHING_RUNS;

export const waitForRetry = (reply: ReplyContext, wait: number, attempt: number, error: ChatError): Promise<void> =>
  waitFor((signal) => sleep(wait, signal), reply, { until: Date.now() + wait, attempt: attempt + 1, error });

const waitForNetwork = (reply: ReplyContext, attempt: number): Promise<void> =>
  waitFor(untilOnline, reply, { attempt: attempt + 1, error: offlineError() });

/** Publishes the wait and ends it when it is over or the user chooses to retry now. */
async function waitFor(
  finished: (signal: AbortSignal) => Promise<void>,
  reply: ReplyContext,
  wait: Omit<RetryWait, 'now'>,
): Promise<void> {
  const skip = new AbortController();
  reply.waitingForRetry({
    ...wait,
    now: () => {
      skip.abort();
    },
  });
  try {
    await finished(AbortSignal.any([reply.signal, skip.signal]));
  } catch (cause) {
    if (reply.signal.aborted) throw cause;
  } finally {
    reply.waitingForRetry(undefined);
  }
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
