/** Builds the requests of a turn as a page would send them. */
import { ChatError } from '../../src/errors.ts';
import type { Adapter, RequestOptions, Turn, WireRequest } from '../../src/protocols/core/adapter.ts';
import { autoRequest } from '../../src/protocols/shared/auto-request.ts';
import type { ToolSpec } from '../../src/model/agent.ts';
import { PAGE_ORIGIN } from '../cors.ts';
import { readStart, send, toHeaders, type Answer } from '../request.ts';

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

interface Way {
  readonly endpoint: Endpoint;
  readonly signal: AbortSignal;
}

export interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly providerState: unknown;
  /** A second request, which starts the run that the first one streams. */
  readonly trigger?: Outgoing;
}

/** The page's settings for the adapter. Requests for a thread or an agent card are sent when it asks for them. */
export function optionsFor(way: Way, tools: readonly ToolSpec[]): RequestOptions {
  const { url, headers, body } = way.endpoint;
  return {
    url: url.href,
    headers,
    ...(body && { body }),
    tools,
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
}

export async function requestFor(
  adapter: Adapter | undefined,
  turn: Turn,
  options: RequestOptions,
  way: Way,
): Promise<Outgoing> {
  const wire = adapter ? await adapter.request(turn, options) : autoRequest(turn, options);
  return toOutgoing(wire, way, way.endpoint.body);
}

/** Sends the request as a page would; the user's headers go only to their own server. */
export async function toOutgoing(
  { url: address, init, providerState, trigger }: WireRequest,
  way: Way,
  extra: Readonly<Record<string, unknown>> = {},
): Promise<Outgoing> {
  const { endpoint } = way;
  const url = new URL(address, endpoint.url);
  const own = url.origin === endpoint.url.origin;
  const { method = 'POST', headers = {} } = init;
  const { body, type } = await writeBody(init.body, own && !trigger ? extra : {});
  const names = Object.entries({
    ...(type !== undefined && { 'content-type': type }),
    ...headers,
    ...(own && endpoint.headers),
  }).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    url,
    method,
    headers: Object.fromEntries(names),
    body,
    providerState,
    ...(trigger && { trigger: await toOutgoing(trigger, way, extra) }),
  };
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

export const sendWire = ({ url, method, headers, body }: Outgoing, signal: AbortSignal): Promise<Answer> =>
  send(url, {
    method,
    headers: { origin: PAGE_ORIGIN, 'accept-encoding': 'gzip, deflate, br', ...headers },
    signal,
    ...(body !== undefined && { body }),
  });
