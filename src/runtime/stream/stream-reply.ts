/**
 * Streams one reply, from the request to the end of its last stream. Results are reported through `ReplyContext`;
 * only the state of the current round is held here.
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
import { isBroken, Restarts, StreamRestarted, withReconnect } from './resume-stream.ts';
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
 * @param how - whether the turn is sent, or its interrupted reply resumed
 */
export async function streamReply(
  reply: ReplyContext,
  turn: Turn,
  how: 'send' | 'resume' = 'send',
): Promise<RunOutcome> {
  // One signal for all requests of this round: retries, resumes, another endpoint. The turn may continue with the next round.
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
  // The current messages: a reply that the server sends from its start has been emptied.
  const currentTurn = how === 'send' ? turn : { ...turn, messages: reply.conversation() };
  const chosen = isProtocolSet(settings) ? adapter : undefined;
  const restarts = new Restarts();
  let resumesUnstarted = how === 'resume' || reply.run().messages.every(({ blocks }) => blocks.length === 0);
  for (;;) {
    try {
      const context = { answered, url, adapter: chosen, signal, close, restarts, resumesUnstarted };
      return await applyResponse(reply, currentTurn, context);
    } catch (error) {
      const resumed = await restart(reply, { ...exchangeOptions, adapter: reply.adapter }, error, restarts);
      if (!resumed) throw error;
      answered = resumed;
      resumesUnstarted = true;
      restarts.add();
      reply.restart();
    }
  }
}

/** Resumes a reply from its start after an interruption that the decoder did not survive. */
async function restart(
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
    // The decoder has ended, so it can't read a continuation.
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

/** Applies all streams of a response. */
async function applyResponse(reply: ReplyContext, turn: Turn, context: ResponseContext): Promise<RunOutcome> {
  let done = false;
  for await (const opened of openStreams(reply, context)) {
    // The body is already being read: a connection that breaks during this wait does not discard what has arrived.
    await reply.viewReady?.();
    done = await applyStream(reply, turn, { ...context, ...opened });
    if (done || reply.run().finish) break;
  }
  return outcomeOf(reply.run(), done);
}

interface OpenStream {
  readonly stream: FrameStream;
  readonly headers: Headers;
  /** To be called before its first events are applied, and at its end. */
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
    if (!isBroken(error)) throw error;
    return { framing: framing ?? 'text', batches: brokenStream(error) };
  });
  return trace?.stream(stream, response.headers.get('content-type') ?? '') ?? stream;
}

/** A connection that broke before its first frame. The consumer of its frames resumes it, like one that breaks later. */
const brokenStream = (error: ChatError): FrameStream['batches'] => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
});

/** The events of a stream. Those of an adapter of the page are checked, because its types may be wrong. */
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
  const { sent, protocol: requestProtocol, providerState } = context.answered;
  const { signal, limits, settings, trace, silenceFrom } = reply;
  const reportDetected = (detectedAdapter: Adapter): void => {
    reply.adapterSelected(detectedAdapter);
    reply.protocolDetected(detectedAdapter);
    if (!isProtocolSet(settings)) logDetectedProtocol(url, detectedAdapter.id);
  };
  const trial = { eventId: newId(), turn, url: url.href };
  const head = { url, headers, sent, named: reportDetected, trial };
  const detection = adapter && stream.framing !== 'html' ? undefined : await loadDetection();
  const known = requestProtocol ?? reply.known;
  // An HTML document fits no protocol, not even the configured one.
  const detected = await detection?.detectProtocol(stream, { ...head, known }, adapter ? [] : reply.protocols.list());
  const { adapter: used, batches } = detected
    ? await selectAdapter(detected, trial)
    : { adapter, batches: stream.batches };
  if (!used) return false;
  reply.adapterSelected(used);
  if ((detected?.established ?? 'now') === 'now') reportDetected(used);

  const mark = { done: false };
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
  const decoded = await decodedEvents(reply, used, untilDoneMark(trace?.feed(frames) ?? frames, mark), {
    eventId,
    turn,
    providerState: requestProtocol === used.id ? providerState : undefined,
    url: url.href,
    tools: settings.tools ?? [],
    report: (warning) => {
      reply.warn({ ...warning, detail: maskSecrets(warning.detail, sent) });
    },
    newId,
    ended: end.report,
    saidDone: () => mark.done,
    now: Date.now,
    delay: (milliseconds) => sleep(milliseconds, signal).catch(() => new Promise<never>(() => undefined)),
  });
  try {
    for await (const batch of decoded) {
      if (signal.aborted) return false;
      begin?.();
      const normalized = batch.map((event) =>
        maskErrors(readableErrors(stripReservedFields(toAgentEvent(event, eventId))), sent),
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
  // A reply that is only an error does not confirm the format of the next request.
  const { failed, finish, messages } = reply.run();
  const isGood = !failed && finish !== 'error' && messages.some(({ blocks }) => blocks.length > 0);
  if (detected?.established === 'with-content' && isGood) reportDetected(used);
  return mark.done;
}
