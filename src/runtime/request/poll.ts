import { ChatError } from '../../errors.ts';
import { isRecord } from '../../model/json.ts';
import { withoutQuery } from '../../model/without-query.ts';
import { awaitPageFunction } from '../../page-functions.ts';
import { sentSecrets } from '../../safety/sent-secrets.ts';
import type { Limits } from '../limits.ts';
import { pageAddress } from './page-address.ts';
import { sendRequest } from './send-request.ts';
import { statusError } from './status-error.ts';
import type { ChatSettings, Poll, RequestContext } from '../chat-settings.ts';
import type { Tracer } from '../tracer.ts';
import { sleep, SUSPENDED_MS, timeoutError, withTimeout, type SilenceFrom, type TimeoutReason } from '../timeout.ts';
import { waitBeforeRetry } from './retry-backoff.ts';
import type { Frame, FrameStream } from '../../transport/frame.ts';

/** Shortest time between two requests in milliseconds: without one, a page that sets 0 keeps its server and the browser busy. */
const MIN_INTERVAL_MS = 100;

export interface PollOptions {
  readonly settings: ChatSettings;
  readonly context: RequestContext;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  readonly trace?: Tracer | undefined;
  readonly silenceFrom: SilenceFrom;
  /** Opens the stream of a response. */
  open(response: Response): Promise<FrameStream>;
  /** Waits before a failed request is repeated. */
  wait(milliseconds: number, attempt: number, error: ChatError): Promise<void>;
}

export interface PolledReply {
  readonly stream: FrameStream;
  readonly headers: Headers;
  /** The frames as one text, to compare them with those of the previous response. */
  readonly text: string;
}

/**
 * Polling fallback for environments that block streaming: requests the reply so far at intervals. Each response
 * contains the complete reply; status 204 means that there is none yet. A response that repeats the previous one has nothing new
 * either. The longer time limit (`firstByte`) then applies, because the server still has the reply.
 */
export async function* pollReply(poll: Poll, options: PollOptions): AsyncGenerator<PolledReply> {
  const { limits, signal, silenceFrom, settings, wait } = options;
  // A poll only reads, so that it is repeated after any failure that a model's request is repeated after.
  const rule = settings.retry === 'off' ? 'off' : 'auto';
  // A page without types may set anything, also NaN.
  const interval = poll.interval >= MIN_INTERVAL_MS ? poll.interval : MIN_INTERVAL_MS;
  let last: string | undefined;
  let silentSince = performance.now();
  for (let attempt = 0; ;) {
    const before = performance.now();
    await sleep(interval, signal);
    // The page was frozen, or the device asleep: the server may have answered meanwhile.
    if (performance.now() - before > interval + SUSPENDED_MS) silentSince = performance.now();
    let reply: PolledReply | undefined;
    try {
      reply = await readReply(poll, options, last === undefined ? 'no-answer' : 'stalled');
    } catch (error) {
      const repeatIn = error instanceof ChatError ? waitBeforeRetry(error, rule, attempt, Math.random()) : undefined;
      if (repeatIn === undefined) throw error;
      await wait(repeatIn, attempt++, error as ChatError);
      continue;
    }
    attempt = 0;
    if (reply && reply.text !== last) {
      yield reply;
      last = reply.text;
      silentSince = performance.now();
      continue;
    }
    const begun = last !== undefined;
    const limit = begun && !reply ? limits.idle : limits.firstByte;
    if (performance.now() - Math.max(silentSince, silenceFrom()) >= limit)
      throw timeoutError(limit, begun ? 'stalled' : 'no-answer');
  }
}

/**
 * Requests the reply so far and reads it to its end: an interrupted one must not replace the previous content.
 *
 * @param reason - of a timeout: `stalled` if an earlier response contained a part of the reply
 */
async function readReply(
  { source }: Poll,
  options: PollOptions,
  reason: TimeoutReason,
): Promise<PolledReply | undefined> {
  const pending =
    typeof source === 'string'
      ? askUrl(source, options)
      : awaitPageFunction('poll.source', async () => {
          const response: unknown = await source(options.context);
          if (isRecord(response) && 'status' in response) return response as unknown as Response;
          throw new TypeError('It must return a Response.');
        });
  const response = await withTimeout(pending, options.limits.firstByte, reason);
  if (!response.ok) throw await statusError(response, { secrets: sentSecrets() });
  if (response.status === 204) return undefined;
  const stream = await options.open(response);
  const batches: (readonly Frame[])[] = [];
  for await (const batch of stream.batches) batches.push(batch);
  const frames = batches.flat();
  const text = JSON.stringify(frames.map(({ event, data }) => [event, data]));
  return { stream: { ...stream, batches: toStream(frames) }, headers: response.headers, text };
}

/** All frames at once, so that the reply is not shown in part again. */
async function* toStream(frames: readonly Frame[]): AsyncGenerator<readonly Frame[]> {
  if (frames.length > 0) yield await Promise.resolve(frames);
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
