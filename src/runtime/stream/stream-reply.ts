/**
 * Streams one round of a turn: a request and its reply, including retries and resumes. A turn continues with another
 * round when tool results or answers of the user have to be sent. The state of the turn is in `ReplyContext`, which also receives the
 * results.
 */
import type { RunOutcome } from '../../conversation/run.ts';
import { ChatError } from '../../errors.ts';
import type { Adapter, AdapterEvent, DecodeContext, Turn } from '../../protocols/core/adapter.ts';
import { toAgentEvent } from '../../protocols/to-agent-event.ts';
import { maskSecrets } from '../../safety/mask-secrets.ts';
import type { FrameStream } from '../../transport/frame.ts';
import {
  adapterFor,
  endpointAddress,
  isProtocolSet,
  resumeWithRetries,
  resumeReply,
  sendWithRetries,
} from './request-with-retries.ts';
import { dispatcherOf } from './dispatch-within-limits.ts';
import type { ExchangeOptions } from '../request/send-adapter-request.ts';
import { maskErrors } from '../masking/mask-errors.ts';
import { stripReservedFields } from './strip-reserved-fields.ts';
import { newId } from '../new-id.ts';
import { yieldToMain } from './yield-to-main.ts';
import { EndpointFound } from '../request/found-endpoint.ts';
import type { PageAddress } from '../request/page-address.ts';
import { isConnectionLost, Restarts, StreamRestarted, withReconnect } from './resume-stream.ts';
import { readableErrors } from './readable-errors.ts';
import { selectAdapter } from './select-adapter.ts';
import { readResponse } from './read-response.ts';
import { loadDetection } from './load-detection.ts';
import type { ReplyContext } from '../reply-context.ts';
import type { RequestResult } from '../request/send-request.ts';
import { outcomeOf, untilDoneMark, untilEnd, watchEnd } from './end-of-stream.ts';
import { logDetectedProtocol } from '../request/log-detected-protocol.ts';
import { sleep } from '../timeout.ts';

/**
 * Sends one request and reads its stream. Resolves with the outcome of the stream; throws `ChatError` if it was cut
 * off.
 *
 * @param how - `send`: sends the turn; `resume`: resumes its interrupted reply
 */
export async function streamReply(
  reply: ReplyContext,
  turn: Turn,
  how: 'send' | 'resume' = 'send',
): Promise<RunOutcome> {
  // One signal for all requests of this round: retries, resumes, another endpoint. `reply.signal` is that of the complete turn.
  const round = new AbortController();
  const signal = AbortSignal.any([reply.signal, round.signal]);
  const close = (): void => {
    round.abort();
  };
  try {
    return await streamTurn(reply, turn, how, { signal, close }).catch((error: unknown) => {
      if (error instanceof EndpointFound) return streamTurn(reply, turn, how, { signal, close });
      throw error;
    });
  } finally {
    close();
  }
}

interface Connection {
  readonly signal: AbortSignal;
  close(): void;
}

async function streamTurn(
  reply: ReplyContext,
  turn: Turn,
  how: 'send' | 'resume',
  { signal, close }: Connection,
): Promise<RunOutcome> {
  const { settings, limits, trace, silenceFrom } = reply;
  const url = endpointAddress(settings);
  const adapter = await adapterFor(reply, url);
  const exchangeOptions = { settings, limits, turn, url, adapter, signal, trace, silenceFrom };
  let answered =
    how === 'send' ? await sendWithRetries(reply, exchangeOptions) : await resumeReply(reply, exchangeOptions);
  reply.accepted(adapter);
  // Read the messages again, because `resumeReply` empties the reply if the server sends it from its start.
  const currentTurn = how === 'send' ? turn : { ...turn, messages: reply.conversation() };
  const configured = isProtocolSet(settings) ? adapter : undefined;
  const restarts = new Restarts();
  let resumesUnstarted = how === 'resume' || reply.run().messages.every(({ blocks }) => blocks.length === 0);
  for (;;) {
    try {
      const context = { answered, url, adapter: configured, signal, close, restarts, resumesUnstarted };
      return await applyResponse(reply, currentTurn, context);
    } catch (error) {
      const resumed = await responseFromStart(reply, { ...exchangeOptions, adapter: reply.adapter }, error, restarts);
      if (!resumed) throw error;
      answered = resumed;
      resumesUnstarted = true;
      restarts.add();
      reply.restart();
    }
  }
}

/**
 * Returns a response that contains the reply from its start, after an interruption that ended the decoder. Undefined if the protocol has
 * none.
 */
async function responseFromStart(
  reply: ReplyContext,
  exchangeOptions: ExchangeOptions,
  error: unknown,
  restarts: Restarts,
): Promise<RequestResult | undefined> {
  if (error instanceof StreamRestarted) return error.answered;
  if (!(error instanceof ChatError) || error.reason !== 'cut') return undefined;
  const resumed = await resumeWithRetries(reply, exchangeOptions, {
    attempt: restarts.countAfter(reply.run()),
    error,
    // A continuation would need the state of the ended decoder.
    from: 'start',
  });
  return resumed?.answered;
}

interface ResponseContext {
  readonly answered: RequestResult;
  readonly url: PageAddress;
  /** The configured adapter. Undefined: the protocol is detected. */
  readonly adapter: Adapter | undefined;
  readonly signal: AbortSignal;
  readonly restarts: Restarts;
  readonly resumesUnstarted: boolean;
  close(): void;
}

/** Applies all streams of a reply: one, or with `poll` one for each response. */
async function applyResponse(reply: ReplyContext, turn: Turn, context: ResponseContext): Promise<RunOutcome> {
  let done = false;
  for await (const opened of openStreams(reply, context)) {
    // The body is buffered during this wait, so that a connection that breaks meanwhile loses nothing that has arrived.
    await reply.viewReady?.();
    done = await applyStream(reply, turn, { ...context, ...opened });
    if (done || reply.run().finish) break;
  }
  return outcomeOf(reply.run(), done);
}

interface OpenStream {
  readonly stream: FrameStream;
  readonly headers: Headers;
  /** Resets the reply for a repeated response of `poll`. Called before the first events are applied, and at the end. */
  readonly begin?: () => void;
}

async function* openStreams(
  reply: ReplyContext,
  { answered, url, adapter, signal }: ResponseContext,
): AsyncGenerator<OpenStream> {
  const { poll } = reply.settings;
  if (poll) {
    const { readPolls } = await import('./read-polls.ts');
    yield* readPolls(poll, reply, {
      url,
      protocol: adapter?.id,
      signal,
      open: (response) => openResponse(reply, response, adapter, signal),
    });
  } else yield await openAnswer(reply, answered, adapter, signal);
}

async function openAnswer(
  reply: ReplyContext,
  answered: RequestResult,
  adapter: Adapter | undefined,
  signal: AbortSignal,
): Promise<OpenStream> {
  if ('socket' in answered) {
    return { stream: reply.trace?.stream(answered.socket, '') ?? answered.socket, headers: new Headers() };
  }
  const { response } = answered;
  return { stream: await openResponse(reply, response, adapter, signal), headers: response.headers };
}

async function openResponse(
  reply: ReplyContext,
  response: Response,
  adapter: Adapter | undefined,
  signal: AbortSignal,
): Promise<FrameStream> {
  const { limits, trace, silenceFrom } = reply;
  const framing = adapter?.framing;
  const stream = await readResponse(response, { limits, signal, framing, silenceFrom }).catch((error: unknown) => {
    if (!isConnectionLost(error)) throw error;
    return { framing: framing ?? 'text', batches: brokenStream(error) };
  });
  return trace?.stream(stream, response.headers.get('content-type') ?? '') ?? stream;
}

/** A stream that broke before its first frame. Reading it rejects, so that `withReconnect` resumes it as if it had broken later. */
const brokenStream = (error: ChatError): FrameStream['batches'] => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
});

/** The events of a stream. Events of the page's own adapters are validated, because they may not match the types. */
const decodedEvents = async (
  { settings, protocols }: ReplyContext,
  used: Adapter,
  frames: FrameStream['batches'],
  context: DecodeContext,
): Promise<AsyncGenerator<readonly AdapterEvent[]>> =>
  used === settings.protocol || protocols.list().some(({ adapter }) => adapter === used)
    ? (await import('./own-events.ts')).ownEvents(used, frames, context)
    : used.decode(frames, context);

/** Applies one stream to its end. Resolves with whether an end mark (`[DONE]`) was seen. */
async function applyStream(reply: ReplyContext, turn: Turn, context: ResponseContext & OpenStream): Promise<boolean> {
  const { stream, headers, begin, url, adapter, close } = context;
  const { secrets, protocol: requestProtocol, providerState } = context.answered;
  const { signal, limits, settings, trace, silenceFrom } = reply;
  const reportDetected = (detectedAdapter: Adapter): void => {
    reply.adapterSelected(detectedAdapter);
    reply.protocolDetected(detectedAdapter);
    if (!isProtocolSet(settings)) logDetectedProtocol(url, detectedAdapter.id);
  };
  const trial = { eventId: newId(), turn, url: url.href };
  const knownId = requestProtocol ?? reply.knownProtocol;
  const input = { url, headers, secrets, onTakeover: reportDetected, trial, knownId };
  const detection = adapter && stream.framing !== 'html' ? undefined : await loadDetection();
  // An HTML document fits no protocol, not even the configured one.
  const detected = await detection?.detectProtocol(stream, input, adapter ? [] : reply.protocols.list());
  const { adapter: used, batches } = detected
    ? await selectAdapter(detected, trial)
    : { adapter, batches: stream.batches };
  if (!used) return false;
  reply.adapterSelected(used);
  if ((detected?.established ?? 'now') === 'now') reportDetected(used);

  const doneMark = { done: false };
  const end = watchEnd();
  const dispatch = dispatcherOf(reply);
  const eventId = newId();
  const exchangeOptions = { settings, limits, turn, url, adapter: used, signal: context.signal, trace, silenceFrom };
  const resumable = withReconnect(batches, {
    resumesUnstarted: context.resumesUnstarted,
    request: async (lastEventId, resumes, error) => {
      // The reply is complete, so `untilEnd` accepts this break as its end.
      if (end.isReported) return undefined;
      const attempt = Math.max(resumes, context.restarts.countAfter(reply.run()));
      return resumeWithRetries(reply, exchangeOptions, { attempt, error, lastEventId });
    },
    open: async (answered) => (await openAnswer(reply, answered, used, context.signal)).stream,
  });
  const frames = yieldToMain(untilEnd(settings.poll ? batches : resumable, end), undefined, ({ data }) => data.length);
  const decoded = await decodedEvents(reply, used, untilDoneMark(trace?.feed(frames) ?? frames, doneMark), {
    eventId,
    turn,
    providerState: requestProtocol === used.id ? providerState : undefined,
    url: url.href,
    tools: settings.tools ?? [],
    report: (warning) => {
      reply.warn({ ...warning, detail: maskSecrets(warning.detail, secrets) });
    },
    newId,
    reportEnd: end.report,
    hasDoneMark: () => doneMark.done,
    now: Date.now,
    // Never resolves after an abort, so that the decoder does not continue.
    delay: (milliseconds) => sleep(milliseconds, signal).catch(() => new Promise<never>(() => undefined)),
  });
  try {
    for await (const batch of decoded) {
      if (signal.aborted) return false;
      begin?.();
      const normalized = batch.map((event) =>
        maskErrors(readableErrors(stripReservedFields(toAgentEvent(event, eventId))), secrets),
      );
      const isEnded = dispatch(normalized);
      // A socket stays open after the end of the reply.
      if (isEnded || (stream.framing === 'messages' && reply.run().finish)) {
        close();
        break;
      }
      if (reply.run().finish) end.report();
    }
  } finally {
    if (!signal.aborted) begin?.();
    end.dispose();
    trace?.streamOver();
  }
  // A failed or empty reply does not confirm the protocol, so the next request must not rely on it.
  const { failed, finish, messages } = reply.run();
  const isConfirmed = !failed && finish !== 'error' && messages.some(({ blocks }) => blocks.length > 0);
  if (detected?.established === 'with-content' && isConfirmed) reportDetected(used);
  return doneMark.done;
}
