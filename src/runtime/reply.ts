/**
 * One reply, from the request to the end of its last stream. Everything it finds out goes out through `Reply`; it holds no
 * state of its own but what a round needs.
 */
import { specOf } from '../agents/tools.ts';
import type { Outcome, Run } from '../conversation/run.ts';
import { ChatError } from '../errors.ts';
import type { LLMAgentEvent } from '../model/agent-events.ts';
import type { ChatMessage } from '../model/message.ts';
import type { Adapter, SideAnswer, Turn, Warning, WireRequest } from '../protocols/adapter.ts';
import { autoRequest } from '../protocols/auto-request.ts';
import { lift } from '../protocols/lift.ts';
import { parseJson } from '../protocols/read-frames.ts';
import type { ProtocolEntry, ProtocolRegistry } from '../protocols/registry.ts';
import { maskSecrets } from '../safety/secrets.ts';
import type { Frame, FrameStream } from '../transport/frame.ts';
import type { Limits } from './limits.ts';
import { maskErrors } from './mask-errors.ts';
import { newId } from './new-id.ts';
import { pollReply } from './poll.ts';
import { readResponse } from './read-response.ts';
import { guessByUrl, recognise } from './recognise.ts';
import { waitBeforeRetry, type RetryRule } from './retry.ts';
import { provide, sendRequest, type Answered, type SendOptions } from './send-request.ts';
import type { ChatSettings, RequestContext } from './settings.ts';
import { outcomeOf, untilDone, untilOver, watchEnd } from './stream-end.ts';
import { sleep, within } from './within.ts';

/** A wait before the next try, for a countdown. */
export interface RetryWait {
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly attempt: number;
  readonly error: ChatError;
  /** Ends the wait at once. */
  now(): void;
}

/** What a reply needs from the conversation around it, and tells it. */
export interface Reply {
  readonly settings: ChatSettings;
  readonly limits: Limits;
  readonly protocols: ProtocolRegistry;
  readonly threadId: string;
  /** Aborted when the reader stops. */
  readonly signal: AbortSignal;
  /** What was found for this endpoint before. */
  readonly known: string | undefined;
  conversation(): readonly ChatMessage[];
  run(): Run;
  dispatch(events: readonly LLMAgentEvent[]): void;
  /** Empties the run: what comes next says all of it again. */
  restart(): void;
  warn(warning: Warning): void;
  found(adapter: Adapter): void;
  /** The endpoint has taken the request. */
  accepted(): void;
  waiting(wait: RetryWait | undefined): void;
}

/** One request and its stream. Resolves with how the stream ended; throws `ChatError` for what cut it off. */
export async function streamReply(job: Reply, turn: Turn): Promise<Outcome> {
  // The connection ends with its stream, though the turn may go on with the next one.
  const connection = new AbortController();
  const signal = AbortSignal.any([job.signal, connection.signal]);
  const close = (): void => {
    connection.abort();
  };
  try {
    return await playReply(job, turn, { signal, close });
  } finally {
    close();
  }
}

interface Connection {
  readonly signal: AbortSignal;
  close(): void;
}

async function playReply(reply: Reply, turn: Turn, connection: Connection): Promise<Outcome> {
  const { settings } = reply;
  if (settings.endpoint === undefined || settings.endpoint === '') {
    throw new ChatError('network', 'There is no endpoint: set the attribute "endpoint".', { reason: 'no-endpoint' });
  }
  const url = new URL(settings.endpoint, location.href);
  const entry = entryFor(reply, url);
  const adapter = await entry?.load();
  const answered = await sendWithRetries(reply, turn, url, { adapter, signal: connection.signal });
  reply.accepted();
  const chosen = isChosen(settings) ? adapter : undefined;
  let done = false;
  for await (const opened of openStreams(reply, answered, url, { adapter: chosen, signal: connection.signal })) {
    done = await playStream(reply, turn, {
      ...opened,
      url,
      adapter: chosen,
      sent: answered.sent,
      close: connection.close,
    });
    if (done || reply.run().finish) break;
  }
  return outcomeOf(reply.run(), done);
}

interface OpenStream {
  readonly stream: FrameStream;
  readonly headers: Headers;
}

/** The adapter in use: the page's, the one found before, or one that the URL suggests. */
function entryFor({ settings, protocols, known }: Reply, url: URL): ProtocolEntry | undefined {
  const { protocol = 'auto' } = settings;
  if (typeof protocol !== 'string') {
    return { id: protocol.id, label: protocol.label ?? protocol.id, load: () => Promise.resolve(protocol) };
  }
  if (protocol !== 'auto') {
    const entry = protocols.get(protocol);
    if (entry) return entry;
    const ids = protocols.list().map(({ id }) => id);
    throw new ChatError('protocol', `There is no protocol "${protocol}". Known are: ${ids.join(', ')}, auto.`, {
      reason: 'bad-protocol',
      values: { protocol },
    });
  }
  return known === undefined ? guessByUrl(url, protocols.list()) : protocols.get(known);
}

/** Whether the page has named the protocol: then nothing is to be recognised. */
const isChosen = ({ protocol = 'auto' }: ChatSettings): boolean => protocol !== 'auto';

interface Way {
  readonly adapter: Adapter | undefined;
  /** Aborted when the connection is to end. */
  readonly signal: AbortSignal;
}

async function sendWithRetries(reply: Reply, turn: Turn, url: URL, { adapter, signal }: Way): Promise<Answered> {
  const { settings, limits } = reply;
  const rule: RetryRule = settings.retry ?? (adapter?.kind === 'model' ? 'auto' : 'safe');
  const context: RequestContext = {
    url: url.href,
    protocol: adapter?.id,
    conversation: turn.messages,
    threadId: turn.threadId,
  };
  const build = async (headers: Readonly<Record<string, string>>): Promise<WireRequest> => {
    const options = {
      url: url.href,
      headers,
      model: settings.model,
      system: settings.system,
      context: await provide(settings.context, context),
      tools: (settings.tools ?? []).map(specOf),
      ...(settings.show && { show: settings.show }),
      ask: (request: WireRequest) => askBeside(request, { settings, context, limits, signal }),
    };
    return adapter ? adapter.request(turn, options) : autoRequest(turn, options);
  };
  for (let attempt = 0; ; attempt++) {
    try {
      return await within(sendRequest({ settings, context, limits, signal, build }), limits.firstByte, false);
    } catch (error) {
      const wait = error instanceof ChatError ? waitBeforeRetry(error, rule, attempt, Math.random()) : undefined;
      if (wait === undefined || !(error instanceof ChatError)) throw error;
      await waitForRetry(reply, wait, attempt, error);
    }
  }
}

/** A request beside the reply's own. The page's `body` belongs to that one. */
async function askBeside(request: WireRequest, options: Omit<SendOptions, 'build'>): Promise<SideAnswer> {
  const answered = await sendRequest({
    ...options,
    settings: { ...options.settings, body: undefined },
    build: () => Promise.resolve(request),
  });
  if ('socket' in answered) throw new ChatError('network', `${request.url} is a socket.`, { reason: 'bad-endpoint' });
  const { response } = answered;
  return { headers: response.headers, json: parseJson(await within(response.text(), options.limits.idle, true)) };
}

async function waitForRetry(reply: Reply, wait: number, attempt: number, error: ChatError): Promise<void> {
  const skip = new AbortController();
  reply.waiting({
    until: Date.now() + wait,
    attempt: attempt + 1,
    error,
    now: () => {
      skip.abort();
    },
  });
  try {
    await sleep(wait, AbortSignal.any([reply.signal, skip.signal]));
  } catch (cause) {
    if (reply.signal.aborted) throw cause;
  } finally {
    reply.waiting(undefined);
  }
}

async function* openStreams(
  reply: Reply,
  answered: Answered,
  url: URL,
  { adapter, signal }: Way,
): AsyncGenerator<OpenStream> {
  const { settings, limits, threadId } = reply;
  const options = { limits, signal, framing: adapter?.framing };
  if (settings.poll) {
    const context = { url: url.href, protocol: adapter?.id, conversation: reply.conversation(), threadId };
    for await (const response of pollReply(settings.poll, { settings, context, limits, signal })) {
      const stream = await readResponse(response, options);
      // Read to its end first: what was said before is not given up for one that breaks off.
      const batches: (readonly Frame[])[] = [];
      for await (const batch of stream.batches) batches.push(batch);
      reply.restart();
      yield { stream: { ...stream, batches: toStream(batches) }, headers: response.headers };
    }
  } else if ('socket' in answered) yield { stream: answered.socket, headers: new Headers() };
  else yield { stream: await readResponse(answered.response, options), headers: answered.response.headers };
}

async function* toStream(batches: readonly (readonly Frame[])[]): AsyncGenerator<readonly Frame[]> {
  yield* await Promise.resolve(batches);
}

interface Playing extends OpenStream {
  readonly url: URL;
  /** The page's choice; without one the stream is recognised. */
  readonly adapter: Adapter | undefined;
  /** The values of our headers, which must not be shown. */
  readonly sent: readonly string[];
  /** Ends the connection. */
  close(): void;
}

/** Plays one stream to its end. Resolves with whether an end mark was seen. */
async function playStream(reply: Reply, turn: Turn, playing: Playing): Promise<boolean> {
  const { stream, headers, url, adapter, sent, close } = playing;
  const { signal, limits } = reply;
  const head = { url, headers, sent };
  const found = adapter ? undefined : await recognise(stream, head, reply.protocols.list());
  if (adapter && stream.framing === 'html') await recognise(stream, head, []);
  const used = adapter ?? (await found?.entry.load());
  if (!used) return false;
  reply.found(used);

  const mark = { done: false };
  const end = watchEnd();
  const eventId = newId();
  const frames = untilOver(found?.batches ?? stream.batches, end);
  const decoded = used.decode(untilDone(frames, mark), {
    eventId,
    turn,
    report: (warning) => {
      reply.warn({ ...warning, detail: maskSecrets(warning.detail, sent) });
    },
    newId,
    ended: end.tell,
    now: Date.now,
    delay: (milliseconds) => sleep(milliseconds, signal).catch(() => new Promise<never>(() => undefined)),
  });
  try {
    for await (const batch of decoded) {
      if (signal.aborted) return false;
      const events = batch
        .map((event) => maskErrors(lift(event, eventId), sent))
        .flatMap((event) => transform(reply.settings, event));
      const last = events.findIndex(({ type }) => type === 'end');
      reply.dispatch(last < 0 ? events : events.slice(0, last + 1));
      checkLimits(reply.run(), limits);
      // A socket stays open after the last word.
      if (last >= 0 || (stream.framing === 'messages' && reply.run().finish)) {
        close();
        break;
      }
      if (reply.run().finish) end.tell();
    }
  } finally {
    end.forget();
  }
  return mark.done;
}

function transform({ transformEvent }: ChatSettings, event: LLMAgentEvent): readonly LLMAgentEvent[] {
  if (!transformEvent) return [event];
  const changed = transformEvent(event);
  if (changed === null) return [];
  return 'type' in changed ? [changed] : changed;
}

function checkLimits({ length, messages }: Run, { messageBytes, toolCalls, blocks }: Limits): void {
  const stop = (what: string, limit: number): never => {
    throw new ChatError('limit', `The answer has more than ${String(limit)} ${what}, which is what "limits" allows.`, {
      reason: 'answer-too-long',
      values: { limit, what },
    });
  };
  if (length > messageBytes) stop('characters', messageBytes);
  const count = messages.reduce((sum, message) => sum + message.blocks.length, 0);
  if (count > blocks) stop('blocks', blocks);
  if (count > toolCalls) {
    const calls = messages.flatMap((message) => message.blocks.filter((block) => block.type === 'tool_call')).length;
    if (calls > toolCalls) stop('tool calls', toolCalls);
  }
}
