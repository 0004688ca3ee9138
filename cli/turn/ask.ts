/** Runs one turn in Node: sends a message to a server and records everything about the reply. */
import type { IncomingHttpHeaders } from 'node:http';
import { settleRun, type Run, type RunOutcome } from '../../src/conversation/run.ts';
import { ChatError } from '../../src/errors.ts';
import type { ToolSpec } from '../../src/model/agent.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import type { Adapter, Resumption, Turn, Warning } from '../../src/protocols/core/adapter.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { selectAdapter } from '../../src/runtime/stream/select-adapter.ts';
import { guessByUrl, detectProtocol } from '../../src/runtime/stream/detect-protocol.ts';
import type { Frame, Framing } from '../../src/transport/frame.ts';
import { toHeaders } from '../request.ts';
import { decode, dropped, newId } from './decode.ts';
import { openReply, type Comments } from './open-reply.ts';
import { optionsFor, requestFor, toOutgoing, type Endpoint, type Outgoing } from './outgoing.ts';

export type { Endpoint } from './outgoing.ts';

interface TimedFrame extends Frame {
  /** Milliseconds since the request was sent. */
  readonly t: number;
}

/** The result of a turn. */
export interface Reply {
  /** The sent request; its headers with their values. */
  readonly request: Omit<Outgoing, 'providerState' | 'trigger'>;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The arrival time of each chunk of the body. */
  readonly chunkTimes: readonly number[];
  /** Lines of server-sent events that are comments: they keep the connection alive. */
  readonly comments: number;
  readonly frames: readonly TimedFrame[];
  readonly framing: Framing | undefined;
  /** The protocol that parsed it; undefined if none could. */
  readonly adapter: Adapter | undefined;
  readonly warnings: readonly Warning[];
  /** The sent message, followed by the messages that were parsed from the reply. */
  readonly messages: readonly ChatMessage[];
  /** The reply before it was settled, to be continued by another request. */
  readonly run: Run | undefined;
  readonly outcome: RunOutcome | undefined;
  /** Why the reply is missing or incomplete. */
  readonly problem: ChatError | undefined;
  /** The start of the body of a failed response. */
  readonly refusal: string | undefined;
  /** Milliseconds until the response headers, and until its end. */
  readonly head: number;
  readonly end: number;
}

const userMessage = (text: string): ChatMessage => ({
  id: newId(),
  role: 'user',
  status: 'complete',
  blocks: [{ id: newId(), type: 'content', status: 'success', content: text, timestamp: Date.now() }],
  timestamp: Date.now(),
});

export interface Asking {
  /** The new message; without it only the results of tools are sent, which the history ends with. */
  readonly text?: string;
  /** The conversation so far. */
  readonly history?: readonly ChatMessage[];
  /** The page's tools. */
  readonly tools?: readonly ToolSpec[];
  /** When to close the connection early: after the first frame, or as soon as a part of the text is there. */
  readonly leave?: 'first-frame' | 'first-text';
}

const tooLate = ({ timeout }: Endpoint): ChatError =>
  new ChatError('timeout', `The reply was not complete after ${String(timeout / 1000)} s.`);

/** @throws the network error if the server can't be reached, and a `ChatError` if it does not answer in time. */
export async function askTurn(endpoint: Endpoint, asking: Asking): Promise<Reply> {
  const { history = [], text = '', tools = [], leave } = asking;
  const newMessages = text === '' ? [] : [userMessage(text)];
  const turn: Turn = { text, messages: [...history, ...newMessages], threadId: endpoint.threadId, answers: [] };
  const signals = signalsFor(endpoint);
  const known = endpoint.adapter ?? (await guessByUrl(endpoint.url, protocols.list())?.load());
  const target = { endpoint, signal: signals.all };
  const started = Date.now();
  const outgoing = await requestFor(known, turn, optionsFor(target, tools), target);
  return exchange({ endpoint, turn, newMessages, known, outgoing, started, ...signals }, leave);
}

/**
 * Asks for the rest of a reply whose connection was closed early. Undefined if the protocol has no way to, or the server
 * gave nothing to continue from.
 *
 * @throws ChatError with the status if the server refuses one of the requests.
 */
export async function askRest(
  endpoint: Endpoint & { readonly adapter: Adapter },
  { messages, run, frames }: Pick<Reply, 'messages' | 'run' | 'frames'>,
): Promise<{ readonly reply: Reply; readonly from: Resumption['from'] } | undefined> {
  const { adapter, threadId } = endpoint;
  const signals = signalsFor(endpoint);
  const target = { endpoint, signal: signals.all };
  const turn: Turn = { text: '', messages, threadId, answers: [] };
  const started = Date.now();
  const lastEventId = frames.findLast(({ id }) => id !== undefined)?.id;
  const resumption = await adapter.resume?.(turn, { ...optionsFor(target, []), lastEventId });
  if (!resumption) return undefined;
  const { from, request } = resumption;
  const outgoing = await toOutgoing(request, target);
  const before = from === 'last' ? run : undefined;
  const reply = await exchange({
    endpoint,
    turn,
    newMessages: [],
    known: adapter,
    outgoing,
    started,
    before,
    ...signals,
  });
  return { reply, from };
}

function signalsFor({ timeout }: Endpoint) {
  const leaving = new AbortController();
  const late = AbortSignal.timeout(timeout);
  return { leaving, late, all: AbortSignal.any([leaving.signal, late]) };
}

interface Exchange extends ReturnType<typeof signalsFor> {
  readonly endpoint: Endpoint;
  readonly turn: Turn;
  readonly newMessages: readonly ChatMessage[];
  readonly known: Adapter | undefined;
  readonly outgoing: Outgoing;
  /** When the first request of the turn was sent. */
  readonly started: number;
  /** The reply that this one continues. */
  readonly before?: Run | undefined;
}

async function exchange(
  { endpoint, turn, newMessages, known, outgoing, started, before, leaving, late, all }: Exchange,
  leave?: Asking['leave'],
): Promise<Reply> {
  const { providerState, trigger: _trigger, ...request } = outgoing;
  const chunkTimes: number[] = [];
  const comments: Comments = { count: 0 };
  const frames: TimedFrame[] = [];
  const warnings: Warning[] = [];
  const opened = await openReply(outgoing, {
    signal: all,
    known,
    comments,
    piece: () => chunkTimes.push(Date.now() - started),
  }).catch((error: unknown) => {
    throw late.aborted ? tooLate(endpoint) : error;
  });
  const head = Date.now() - started;
  const { status, headers } = opened;
  const base = { request, status, headers, chunkTimes, frames, warnings, head, messages: newMessages };
  const without = (problem: ChatError | undefined, refusal?: string): Reply => ({
    ...base,
    comments: comments.count,
    framing: undefined,
    adapter: undefined,
    run: undefined,
    outcome: undefined,
    problem,
    refusal,
    end: Date.now() - started,
  });
  if ('refusal' in opened) return without(undefined, opened.refusal);

  let framing: Framing | undefined;
  try {
    const stream = await opened.stream();
    ({ framing } = stream);
    const progress = { length: 0 };
    const recordedFrames = async function* (): AsyncGenerator<readonly Frame[]> {
      for await (const batch of stream.batches) {
        // One frame at a time, so that a reply that arrived in one piece can be interrupted in the middle too.
        for (const part of leave === 'first-text' ? batch.map((frame) => [frame]) : [batch]) {
          frames.push(...part.map((frame) => ({ t: Date.now() - started, ...frame })));
          yield part;
          if (leave === 'first-frame' || (leave === 'first-text' && progress.length > 0)) {
            leaving.abort();
            return;
          }
        }
      }
    };
    const signals = { url: endpoint.url, headers: toHeaders(headers), known: known?.id, quiet: true };
    const context = { eventId: newId(), turn, url: endpoint.url.href };
    const decoded = endpoint.adapter
      ? { adapter: endpoint.adapter, batches: recordedFrames() }
      : await selectAdapter(
          await detectProtocol({ framing, batches: recordedFrames() }, signals, protocols.list()),
          context,
        );
    const result = await decode(decoded, { ...context, providerState }, { warnings, before, progress });
    const { messages } = settleRun(result.run, result.outcome ?? { status: 'interrupted', finish: 'error' });
    return {
      ...base,
      ...result,
      ...(late.aborted && { problem: tooLate(endpoint), outcome: undefined }),
      messages: [...newMessages, ...messages],
      comments: comments.count,
      framing,
      adapter: decoded.adapter,
      refusal: undefined,
      end: Date.now() - started,
    };
  } catch (error) {
    const problem = late.aborted ? tooLate(endpoint) : error instanceof ChatError ? error : dropped(error);
    return { ...without(problem), framing };
  } finally {
    // Some servers keep the connection open after the reply.
    leaving.abort();
  }
}
