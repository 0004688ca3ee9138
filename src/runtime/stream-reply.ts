/**
 * One reply, from the request to the end of its last stream. Everything it finds out goes out through `Reply`; it holds no
 * state of its own but what a round needs.
 */
import type { Outcome } from '../conversation/run.ts';
import { ChatError } from '../errors.ts';
import type { LLMAgentEvent } from '../model/agent-events.ts';
import type { Adapter, Turn } from '../protocols/adapter.ts';
import { lift } from '../protocols/lift.ts';
import { maskSecrets } from '../safety/secrets.ts';
import type { Frame, FrameStream } from '../transport/frame.ts';
import { adapterFor, endpointOf, isChosen, pickUpAgain, pickUpOnce, sendWithRetries } from './connect.ts';
import { answerLimits, type AnswerLimits } from './answer-limits.ts';
import type { Exchange } from './exchange.ts';
import { maskErrors } from './mask-errors.ts';
import { notFromWire } from './not-from-wire.ts';
import { newId } from './new-id.ts';
import { paced } from './pace.ts';
import { Restarted, unbroken } from './pick-up.ts';
import { pollReply } from './poll.ts';
import { readResponse } from './read-response.ts';
import { recognise } from './recognise.ts';
import type { Reply } from './reply.ts';
import { PICK_UPS } from './retry.ts';
import type { Answered } from './send-request.ts';
import type { ChatSettings } from './settings.ts';
import { outcomeOf, untilDone, untilOver, watchEnd } from './stream-end.ts';
import { tellProtocol } from './tell-protocol.ts';
import { sleep } from './within.ts';

/**
 * One request and its stream. Resolves with how the stream ended; throws `ChatError` for what cut it off.
 *
 * @param how - whether the turn is sent, or its broken reply picked up
 */
export async function streamReply(job: Reply, turn: Turn, how: 'send' | 'resume' = 'send'): Promise<Outcome> {
  // The connection ends with its stream, though the turn may go on with the next one.
  const connection = new AbortController();
  const signal = AbortSignal.any([job.signal, connection.signal]);
  const close = (): void => {
    connection.abort();
  };
  try {
    return await playReply(job, turn, how, { signal, close });
  } finally {
    close();
  }
}

interface Connection {
  readonly signal: AbortSignal;
  close(): void;
}

async function playReply(
  reply: Reply,
  turn: Turn,
  how: 'send' | 'resume',
  { signal, close }: Connection,
): Promise<Outcome> {
  const { settings, limits, trace } = reply;
  const url = endpointOf(settings);
  const adapter = await adapterFor(reply, url);
  const way = { settings, limits, turn, url, adapter, signal, trace };
  let answered = how === 'send' ? await sendWithRetries(reply, way) : await pickUpOnce(reply, way);
  reply.accepted(adapter);
  // As it stands now: a reply that is told from its start has been emptied.
  const begun = how === 'send' ? turn : { ...turn, messages: reply.conversation() };
  const chosen = isChosen(settings) ? adapter : undefined;
  for (let restarts = 0; ; restarts++) {
    try {
      return await playAnswer(reply, begun, { answered, url, adapter: chosen, signal, close });
    } catch (error) {
      const again = await restart(reply, { ...way, adapter: reply.adapter }, error, restarts);
      if (!again) throw error;
      answered = again;
      reply.restart();
    }
  }
}

/** Picks up what broke so that it is told from its start: its decoder is gone. */
async function restart(reply: Reply, way: Exchange, error: unknown, restarts: number): Promise<Answered | undefined> {
  if (restarts >= PICK_UPS) return undefined;
  if (error instanceof Restarted) return error.answered;
  if (!(error instanceof ChatError) || error.reason !== 'cut') return undefined;
  const again = await pickUpAgain(reply, way, { attempt: restarts, error });
  return again?.from === 'start' ? again.answered : undefined;
}

interface Playing {
  readonly answered: Answered;
  readonly url: URL;
  /** The page's choice; without one the stream is recognised. */
  readonly adapter: Adapter | undefined;
  readonly signal: AbortSignal;
  /** Ends the connection. */
  close(): void;
}

/** Plays all streams of an answer. */
async function playAnswer(reply: Reply, turn: Turn, playing: Playing): Promise<Outcome> {
  let done = false;
  for await (const opened of openStreams(reply, playing)) {
    done = await playStream(reply, turn, { ...playing, ...opened });
    if (done || reply.run().finish) break;
  }
  return outcomeOf(reply.run(), done);
}

interface OpenStream {
  readonly stream: FrameStream;
  readonly headers: Headers;
}

async function* openStreams(reply: Reply, { answered, url, adapter, signal }: Playing): AsyncGenerator<OpenStream> {
  const { settings, limits, threadId, trace } = reply;
  if (settings.poll) {
    const context = { url: url.href, protocol: adapter?.id, conversation: reply.conversation(), threadId };
    for await (const response of pollReply(settings.poll, { settings, context, limits, signal, trace })) {
      const stream = await openResponse(reply, response, adapter, signal);
      // Read to its end first: what was said before is not given up for one that breaks off.
      const batches: (readonly Frame[])[] = [];
      for await (const batch of stream.batches) batches.push(batch);
      reply.restart();
      yield { stream: { ...stream, batches: toStream(batches) }, headers: response.headers };
    }
  } else yield await openAnswer(reply, answered, adapter, signal);
}

async function openAnswer(
  reply: Reply,
  answered: Answered,
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
  { limits, trace }: Reply,
  response: Response,
  adapter: Adapter | undefined,
  signal: AbortSignal,
): Promise<FrameStream> {
  const stream = await readResponse(response, { limits, signal, framing: adapter?.framing });
  return trace?.stream(stream, response.headers.get('content-type') ?? '') ?? stream;
}

async function* toStream(batches: readonly (readonly Frame[])[]): AsyncGenerator<readonly Frame[]> {
  yield* await Promise.resolve(batches);
}

/** Plays one stream to its end. Resolves with whether an end mark was seen. */
async function playStream(reply: Reply, turn: Turn, playing: Playing & OpenStream): Promise<boolean> {
  const { stream, headers, url, adapter, close } = playing;
  const { sent, protocol: asker, facts } = playing.answered;
  const { signal, limits, settings, trace } = reply;
  const head = { url, headers, sent };
  const found = adapter ? undefined : await recognise(stream, head, reply.protocols.list());
  if (adapter && stream.framing === 'html') await recognise(stream, head, []);
  const used = adapter ?? (await found?.entry.load());
  if (!used) return false;
  reply.found(used);
  if (!isChosen(settings)) tellProtocol(url, used.id);

  const mark = { done: false };
  const end = watchEnd();
  const bounds = answerLimits(limits);
  const { transformEvent: change } = reply.settings;
  const eventId = newId();
  const way = { settings, limits, turn, url, adapter: used, signal: playing.signal, trace };
  const whole = unbroken(found?.batches ?? stream.batches, {
    ask: (lastEventId, attempt, error) => pickUpAgain(reply, way, { attempt, error, lastEventId }),
    open: async (answered) => (await openAnswer(reply, answered, used, playing.signal)).stream,
  });
  const frames = paced(untilOver(settings.poll ? (found?.batches ?? stream.batches) : whole, end));
  const decoded = used.decode(untilDone(trace?.feed(frames) ?? frames, mark), {
    eventId,
    turn,
    facts: asker === used.id ? facts : undefined,
    url: url.href,
    report: (warning) => {
      reply.warn({ ...warning, detail: maskSecrets(warning.detail, sent) });
    },
    newId,
    ended: end.tell,
    saidDone: () => mark.done,
    now: Date.now,
    delay: (milliseconds) => sleep(milliseconds, signal).catch(() => new Promise<never>(() => undefined)),
  });
  try {
    for await (const batch of decoded) {
      if (signal.aborted) return false;
      const lifted = batch.map((event) => maskErrors(notFromWire(lift(event, eventId)), sent));
      const events = change ? lifted.flatMap((event) => transformed(event, change)) : lifted;
      const last = events.findIndex(({ type }) => type === 'end');
      dispatchWithin(reply, last < 0 ? events : events.slice(0, last + 1), bounds);
      // A socket stays open after the last word.
      if (last >= 0 || (stream.framing === 'messages' && reply.run().finish)) {
        close();
        break;
      }
      if (reply.run().finish) end.tell();
    }
  } finally {
    end.forget();
    trace?.streamOver();
  }
  return mark.done;
}

/** What came before the event that is too much is kept. */
function dispatchWithin(reply: Reply, events: readonly LLMAgentEvent[], { event: look, run }: AnswerLimits): void {
  let fine = 0;
  try {
    for (const event of events) {
      look(event);
      fine++;
    }
  } finally {
    reply.dispatch(fine === events.length ? events : events.slice(0, fine));
  }
  run(reply.run());
}

type Change = NonNullable<ChatSettings['transformEvent']>;

function transformed(event: LLMAgentEvent, change: Change): readonly LLMAgentEvent[] {
  const changed = change(event);
  if (changed === null) return [];
  return 'type' in changed ? [changed] : changed;
}
