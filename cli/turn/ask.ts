/** Runs one turn in Node: sends a message to a server and records everything about the reply. */
import type { IncomingHttpHeaders } from 'node:http';
import type { RunOutcome } from '../../src/conversation/run.ts';
import { ChatError } from '../../src/errors.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import type { Adapter, RequestOptions, Turn, Warning, WireRequest } from '../../src/protocols/core/adapter.ts';
import { autoRequest } from '../../src/protocols/shared/auto-request.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { selectAdapter } from '../../src/runtime/stream/select-adapter.ts';
import { guessByUrl, detectProtocol } from '../../src/runtime/stream/detect-protocol.ts';
import type { Frame, Framing, FrameStream } from '../../src/transport/frame.ts';
import { openFrames } from '../../src/transport/open-frames.ts';
import { decodeUtf8 } from '../../src/transport/text.ts';
import { PAGE_ORIGIN } from '../cors.ts';
import { readStart, send, toHeaders, type Answer } from '../request.ts';
import { decode, dropped, newId } from './decode.ts';
import { openSocket } from './socket.ts';

export interface Endpoint {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** If undefined, the protocol is detected. */
  readonly adapter: Adapter | undefined;
  readonly threadId: string;
  /** Maximum duration of a reply (ms). */
  readonly timeout: number;
}

interface TimedFrame extends Frame {
  /** Milliseconds since the request was sent. */
  readonly t: number;
}

/** The result of a turn. */
export interface Reply {
  /** The sent request; its headers with their values. */
  readonly request: { readonly url: URL; readonly method: string; readonly headers: Readonly<Record<string, string>> };
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The arrival time of each chunk of the body. */
  readonly pieces: readonly number[];
  readonly frames: readonly TimedFrame[];
  readonly framing: Framing | undefined;
  /** The protocol that parsed it; undefined if none could. */
  readonly adapter: Adapter | undefined;
  readonly warnings: readonly Warning[];
  /** The sent message, followed by the messages that were parsed from the reply. */
  readonly messages: readonly ChatMessage[];
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
  readonly text: string;
  /** The conversation so far. */
  readonly history?: readonly ChatMessage[];
  /** Closes the connection after the first frame. */
  readonly leaveEarly?: boolean;
}

const tooLate = ({ timeout }: Endpoint): ChatError =>
  new ChatError('timeout', `The reply was not complete after ${String(timeout / 1000)} s.`);

/** @throws the network error if the server can't be reached, and a `ChatError` if it does not answer in time. */
export async function askTurn(endpoint: Endpoint, asking: Asking): Promise<Reply> {
  const { history = [], text, leaveEarly = false } = asking;
  const said = userMessage(text);
  const turn: Turn = { text, messages: [...history, said], threadId: endpoint.threadId, answers: [] };
  const leaving = new AbortController();
  const late = AbortSignal.timeout(endpoint.timeout);
  const signal = AbortSignal.any([leaving.signal, late]);
  const known = endpoint.adapter ?? (await guessByUrl(endpoint.url, protocols.list())?.load());
  const started = Date.now();
  const wire = await requestFor(known, turn, { endpoint, signal });
  const request = { url: wire.url, method: wire.method, headers: wire.headers };
  const pieces: number[] = [];
  const frames: TimedFrame[] = [];
  const warnings: Warning[] = [];
  const opened = await open(wire, { signal, known, piece: () => pieces.push(Date.now() - started) }).catch(
    (error: unknown) => {
      throw late.aborted ? tooLate(endpoint) : error;
    },
  );
  const head = Date.now() - started;
  const { status, headers } = opened;
  const base = { request, status, headers, pieces, frames, warnings, head, messages: [said] };
  const without = (problem: ChatError | undefined, refusal?: string): Reply => ({
    ...base,
    framing: undefined,
    adapter: undefined,
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
    const seen = async function* (): AsyncGenerator<readonly Frame[]> {
      for await (const batch of stream.batches) {
        frames.push(...batch.map((frame) => ({ t: Date.now() - started, ...frame })));
        yield batch;
        if (leaveEarly) {
          leaving.abort();
          return;
        }
      }
    };
    const signs = { url: endpoint.url, headers: toHeaders(headers), known: known?.id };
    const context = { eventId: newId(), turn, url: endpoint.url.href };
    const reader = endpoint.adapter
      ? { adapter: endpoint.adapter, batches: seen() }
      : await selectAdapter(await detectProtocol({ framing, batches: seen() }, signs, protocols.list()), context);
    const result = await decode(reader, { ...context, facts: wire.facts }, warnings);
    return {
      ...base,
      ...result,
      ...(late.aborted && { problem: tooLate(endpoint), outcome: undefined }),
      messages: [said, ...result.messages],
      framing,
      adapter: reader.adapter,
      refusal: undefined,
      end: Date.now() - started,
    };
  } catch (error) {
    const problem = late.aborted ? tooLate(endpoint) : error instanceof ChatError ? error : dropped(error);
    return { ...without(problem), framing };
  }
}

interface Way {
  readonly endpoint: Endpoint;
  readonly signal: AbortSignal;
}

interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly facts: unknown;
}

async function requestFor(adapter: Adapter | undefined, turn: Turn, way: Way): Promise<Outgoing> {
  const { url, headers, body } = way.endpoint;
  const options: RequestOptions = {
    url: url.href,
    headers,
    ...(body && { body }),
    tools: [],
    ask: async (request) => {
      const answer = await sendWire(await toOutgoing(request, way), way.signal);
      const text = await readStart(answer.body, 4_000_000);
      if (answer.status >= 300)
        throw new ChatError('http', `${request.url} answered ${String(answer.status)}.`, { status: answer.status });
      let json: unknown;
      try {
        json = JSON.parse(text);
      } catch {
        json = undefined;
      }
      return { headers: toHeaders(answer.headers), json };
    },
  };
  const wire = adapter ? await adapter.request(turn, options) : autoRequest(turn, options);
  return toOutgoing(wire, way, body);
}

/** Sends the request as a page would; the user's headers go only to their own server. */
async function toOutgoing(
  { url: address, init, facts }: WireRequest,
  { endpoint }: Way,
  extra: Readonly<Record<string, unknown>> = {},
): Promise<Outgoing> {
  const url = new URL(address, endpoint.url);
  const own = url.origin === endpoint.url.origin;
  const { method = 'POST', headers = {} } = init;
  const { body, type } = await writeBody(init.body, own ? extra : {});
  const names = Object.entries({
    ...(type !== undefined && { 'content-type': type }),
    ...headers,
    ...(own && endpoint.headers),
  }).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { url, method, headers: Object.fromEntries(names), body, facts };
}

interface Written {
  readonly body: string | undefined;
  readonly type: string | undefined;
}

/** The body as text. A plain object is merged with the user's own fields, of which `null` removes one. */
async function writeBody(
  body: WireRequest['init']['body'],
  extra: Readonly<Record<string, unknown>>,
): Promise<Written> {
  const json = 'application/json';
  if (body === undefined) return { body: undefined, type: undefined };
  if (typeof body === 'string') return { body, type: json };
  if (Object.getPrototypeOf(body) === Object.prototype) {
    const fields = Object.entries({ ...(body as Readonly<Record<string, unknown>>), ...extra }).filter(
      ([name]) => extra[name] !== null,
    );
    return { body: JSON.stringify(Object.fromEntries(fields)), type: json };
  }
  const written = new Response(body as BodyInit);
  return { type: written.headers.get('content-type') ?? undefined, body: await written.text() };
}

const sendWire = ({ url, method, headers, body }: Outgoing, signal: AbortSignal): Promise<Answer> =>
  send(url, {
    method,
    headers: { origin: PAGE_ORIGIN, 'accept-encoding': 'gzip, deflate, br', ...headers },
    signal,
    ...(body !== undefined && { body }),
  });

type Opened = { readonly status: number; readonly headers: IncomingHttpHeaders } & (
  { readonly refusal: string } | { stream(): Promise<FrameStream> }
);

interface Opening {
  readonly signal: AbortSignal;
  readonly known: Adapter | undefined;
  piece(): void;
}

async function open(wire: Outgoing, { signal, known, piece }: Opening): Promise<Opened> {
  if (wire.url.protocol.startsWith('ws')) {
    const batches = await openSocket(wire.url, { body: wire.body, signal, piece });
    return { status: 101, headers: {}, stream: () => Promise.resolve({ framing: 'messages', batches }) };
  }
  const { status, headers, body } = await sendWire(wire, signal);
  if (status < 200 || status >= 300) return { status, headers, refusal: await readStart(body) };
  const timed = async function* (): AsyncGenerator<Uint8Array> {
    for await (const bytes of body as AsyncIterable<Uint8Array>) {
      piece();
      yield bytes;
    }
  };
  return {
    status,
    headers,
    stream: () => openFrames(decodeUtf8(timed(), { maxStreamBytes: 64 * 1024 * 1024 }), { framing: known?.framing }),
  };
}
