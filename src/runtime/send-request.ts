import { ChatError } from '../errors.ts';
import type { WireRequest } from '../protocols/adapter.ts';
import { checkEndpoint } from '../safety/urls.ts';
import type { FrameStream } from '../transport/frame.ts';
import { httpError } from './http-error.ts';
import type { Limits } from './limits.ts';
import { offline } from './online.ts';
import { openSocket } from './open-socket.ts';
import { noteSent } from '../safety/sent-secrets.ts';
import type { ChatSettings, OutgoingRequest, Provided, RequestContext } from './settings.ts';
import type { Tracer } from './trace.ts';

export interface SendOptions {
  readonly settings: ChatSettings;
  readonly context: RequestContext;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  readonly trace?: Tracer | undefined;
  /** The page's `body` belongs to the turn: it is told to `build` and not merged. */
  readonly beside?: boolean | undefined;
  /** Makes the request, or says that there is none; told the page's headers and `body`, so that an adapter may read them. */
  build(
    headers: Readonly<Record<string, string>>,
    body: Readonly<Record<string, unknown>> | undefined,
  ): Promise<WireRequest | undefined>;
}

/** What a request was answered with: a response whose status is fine, or the frames of a socket. */
export type Answered = ({ readonly response: Response } | { readonly socket: FrameStream }) & {
  /** The values of the page's headers, which must not be shown. */
  readonly sent: readonly string[];
  /** The body as it went out, where it is text. */
  readonly body?: string;
  /** The adapter that has made the request, where it was known. */
  readonly protocol: string | undefined;
} & Pick<WireRequest, 'trigger' | 'facts'>;

/**
 * Sends one request with everything that the page has to say about it. A 401 is answered once with fresh headers where a
 * function gives other ones. Any status but 2xx throws; so does a redirect, since a request with its secrets and its body
 * would be repeated to somewhere else.
 */
export async function sendRequest(options: SendOptions): Promise<Answered | undefined> {
  const headers = await provide(options.settings.headers, options.context);
  try {
    return await sendOnce(options, headers);
  } catch (error) {
    const denied = error instanceof ChatError && error.status === 401;
    if (!denied || typeof options.settings.headers !== 'function') throw error;
    const fresh = await provide(options.settings.headers, options.context);
    if (JSON.stringify(fresh) === JSON.stringify(headers)) throw error;
    return sendOnce(options, fresh);
  }
}

async function sendOnce(
  options: SendOptions,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered | undefined> {
  const prepared = await prepare(options, headers);
  if (!prepared) return undefined;
  const { request, ...more } = prepared;
  const url = checkEndpoint(request.url, location);
  if (typeof url === 'string') throw new ChatError('network', url, { reason: 'bad-endpoint' });
  options.trace?.request({ url, init: request.init, sent: more.sent });
  if (url.protocol.startsWith('ws')) {
    return { socket: await openSocket({ ...request, url: url.href }, options), ...more };
  }

  const response = await fetchOrThrow(url, request, options);
  options.trace?.answer(response);
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    throw new ChatError(
      'http',
      `The endpoint ${url.href} answers with a redirect. Point "endpoint" at where it leads; a missing or extra "/" at the end is the usual cause.`,
      { reason: 'redirect', values: { url: url.href } },
    );
  }
  if (!response.ok) throw await httpError(response, more);
  return { response, ...more };
}

async function prepare(
  { settings, context, build, beside }: SendOptions,
  headers: Readonly<Record<string, string>>,
): Promise<(Omit<Answered, 'response' | 'socket'> & { readonly request: OutgoingRequest }) | undefined> {
  const fields = await provide(settings.body, context);
  const wire = await build(headers, fields);
  if (!wire) return undefined;
  const { url, init, trigger, facts } = wire;
  // What starts the run is what the page's own fields are meant for; a GET has no body at all.
  const extra = trigger || beside || init.method === 'GET' ? undefined : fields;
  const body = mergeBody(init.body, extra);
  const request: OutgoingRequest = {
    url,
    protocol: context.protocol,
    conversation: context.conversation,
    init: {
      method: init.method ?? 'POST',
      headers: {
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        ...headersFor(url, context.url, init.headers, headers),
      },
      ...(body !== undefined && { body }),
    },
  };
  const transformed = (await settings.transformRequest?.(request)) ?? request;
  const own = new Set(Object.values(request.init.headers ?? {}));
  const outgoing = new Headers(transformed.init.headers);
  noteSent(outgoing);
  const added = [...outgoing.values()].filter((value) => !own.has(value));
  const { body: written } = transformed.init;
  return {
    request: transformed,
    sent: [...Object.values(headers), ...added],
    protocol: context.protocol,
    ...(typeof written === 'string' && { body: written }),
    ...(trigger && { trigger }),
    ...(facts !== undefined && { facts }),
  };
}

/**
 * The page's headers are meant for its endpoint: to another host, such as one that an agent's card names, they don't go unless
 * the page adds them itself with `transformRequest`.
 */
function headersFor(
  url: string,
  endpoint: string,
  own: Readonly<Record<string, string>> = {},
  pages: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  // An address that is none is told of when it is asked for.
  const foreign = URL.canParse(url, endpoint) && new URL(url, endpoint).host !== new URL(endpoint).host;
  if (!foreign) return { ...own, ...pages };
  const secret = new Set(Object.keys(pages).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(own).filter(([name]) => !secret.has(name.toLowerCase())));
}

async function fetchOrThrow(url: URL, request: OutgoingRequest, { settings, signal }: SendOptions): Promise<Response> {
  const send = settings.fetch ?? fetch;
  // The page's own `fetch` may know nothing of the signal.
  signal.throwIfAborted();
  let response: Response;
  try {
    response = await send(url.href, {
      credentials: settings.credentials ?? 'same-origin',
      referrerPolicy: 'no-referrer',
      // Followed by nobody: `manual` tells a redirect from a network failure, which `error` does not.
      redirect: 'manual',
      cache: 'no-store',
      ...request.init,
      signal,
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw networkError(url, cause);
  }
  if (signal.aborted) await response.body?.cancel();
  signal.throwIfAborted();
  return response;
}

/** A browser tells a page nothing but "failed": what can be known beside it is said. */
function networkError(url: URL, cause: unknown): ChatError {
  const { host } = url;
  if (!navigator.onLine) return offline(cause);
  const crossOrigin = url.origin !== location.origin;
  return new ChatError(
    'network',
    crossOrigin
      ? `${host} can't be reached, or does not allow this page to (CORS): it has to answer with "Access-Control-Allow-Origin" and allow the headers that are sent.`
      : `${host} can't be reached.`,
    { reason: crossOrigin ? 'unreachable-cors' : 'unreachable', values: { host }, retryable: true, cause },
  );
}

/** A setting's value, asked for where it is a function. */
export async function provide<T>(setting: Provided<T> | undefined, context: RequestContext): Promise<T | undefined> {
  return typeof setting === 'function' ? (setting as (context: RequestContext) => T | Promise<T>)(context) : setting;
}

type Body = NonNullable<WireRequest['init']['body']>;

/** The page's `body` over the adapter's, where that is JSON; other bodies go as they are. */
function mergeBody(body: Body | undefined, extra: Readonly<Record<string, unknown>> | undefined): BodyInit | undefined {
  if (body === undefined) return extra && JSON.stringify(extra);
  if (typeof body === 'string') {
    const json = extra && parseObject(body);
    return json ? JSON.stringify(merge(json, extra)) : body;
  }
  return isPlain(body) ? JSON.stringify(merge(body, extra)) : body;
}

/** `null` takes a field of the adapter's away: some servers refuse what they don't know. */
function merge(body: Readonly<Record<string, unknown>>, extra: Readonly<Record<string, unknown>> = {}): object {
  const gone = new Set(Object.keys(body).filter((name) => Object.hasOwn(extra, name) && extra[name] === null));
  return Object.fromEntries(Object.entries({ ...body, ...extra }).filter(([name]) => !gone.has(name)));
}

const isPlain = (body: Exclude<Body, string>): body is Readonly<Record<string, unknown>> =>
  Object.getPrototypeOf(body) === Object.prototype;

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
