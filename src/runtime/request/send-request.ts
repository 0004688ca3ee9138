import { ChatError } from '../../errors.ts';
import { isRecord } from '../../model/json.ts';
import type { WireRequest } from '../../protocols/core/adapter.ts';
import { checkEndpoint } from '../../safety/urls.ts';
import type { FrameStream } from '../../transport/frame.ts';
import type { Limits } from '../limits.ts';
import { offlineError } from './wait-online.ts';
import { loadSocket } from './load-socket.ts';
import { MIN_KEY_LENGTH, secretsInAddress } from '../endpoint-without-secrets.ts';
import { pageBase, pageOrigin } from '../page-base.ts';
import { pageAddressOnServer, type PageAddress } from './page-address.ts';
import { awaitPageFunction } from '../../page-functions.ts';
import { toPlainHeaders } from '../plain-headers.ts';
import { statusError } from './status-error.ts';
import { rememberSentSecrets } from '../../safety/remember-secrets.ts';
import { sentSecrets } from '../../safety/sent-secrets.ts';
import type { ChatSettings, OutgoingRequest, Provided, RequestContext } from '../chat-settings.ts';
import type { Tracer } from '../tracer.ts';
import type { SilenceFrom } from '../timeout.ts';
import { parseUrl } from '../../parse-url.ts';

export interface SendRequestOptions {
  readonly settings: ChatSettings;
  readonly context: RequestContext;
  /**
   * The address of this request: the endpoint, or another URL that the page has set, such as its `poll` URL. Only its server
   * receives the page's headers, `body` and cookies.
   */
  readonly endpoint: PageAddress;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  readonly trace?: Tracer | undefined;
  readonly silenceFrom?: SilenceFrom | undefined;
  /** A side request: the page's `body` is passed to `build` but not merged, because it belongs to the turn. */
  readonly isSideRequest?: boolean | undefined;
  /**
   * Builds the request; undefined sends none. Receives the page's headers and `body`, so that an adapter may read them.
   */
  build(
    headers: Readonly<Record<string, string>>,
    body: Readonly<Record<string, unknown>> | undefined,
  ): Promise<WireRequest | undefined>;
}

/** The result of a request: a response with a 2xx status, or the frames of a WebSocket. */
export type RequestResult = ({ readonly response: Response } | { readonly socket: FrameStream }) & {
  /** Values that must not be shown: of the page's headers, of those that `transformRequest` adds, and credentials of earlier requests. */
  readonly secrets: readonly string[];
  /** The request body, if it is text. */
  readonly body?: string;
  /** Id of the adapter that built the request, if it was known. */
  readonly protocol: string | undefined;
} & Pick<WireRequest, 'trigger' | 'providerState'>;

/**
 * Sends one request with the page's headers, body and transforms. After a 401, a `headers` function is called again, and
 * the request is sent once more if it returns other headers. In a turn, `headers` is always a function
 * (`settingsOfEndpoint`), so that an object that the page has replaced meanwhile counts too. Any status other than 2xx
 * throws. So does a redirect, because a request with secrets would be repeated to another address, unless the page's
 * `transformRequest` or `fetch` follows it.
 */
export async function sendRequest(options: SendRequestOptions): Promise<RequestResult | undefined> {
  const headers = await pageHeaders(options);
  try {
    return await sendOnce(options, headers);
  } catch (error) {
    const isUnauthorized = error instanceof ChatError && error.status === 401;
    if (!isUnauthorized || typeof options.settings.headers !== 'function') throw error;
    const fresh = await pageHeaders(options);
    if (JSON.stringify(fresh) === JSON.stringify(headers)) throw error;
    return sendOnce(options, fresh);
  }
}

const pageHeaders = async ({ settings, context }: SendRequestOptions): Promise<Readonly<Record<string, string>>> =>
  validHeaders(toPlainHeaders, await resolveSetting('headers', settings.headers, context));

async function sendOnce(
  options: SendRequestOptions,
  headers: Readonly<Record<string, string>>,
): Promise<RequestResult | undefined> {
  const prepared = await prepare(options, headers);
  if (!prepared) return undefined;
  const { request, credentials, firstMessages, ...result } = prepared;
  const url = checkEndpoint(request.url, { href: location.href, origin: pageOrigin() });
  if (typeof url === 'string') throw new ChatError('network', url, { reason: 'bad-endpoint' });
  options.trace?.request({ url, init: request.init, secrets: result.secrets });
  if (url.protocol.startsWith('ws')) {
    const { openSocket } = await loadSocket();
    return { socket: await openSocket({ ...request, url: url.href }, options, firstMessages), ...result };
  }

  const response = await fetchOrThrow(url, { request, credentials }, options);
  options.trace?.response(response);
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
    throw (await loadErrors()).redirectError(url);
  if (!response.ok) throw await statusError(response, result);
  return { response, ...result };
}

async function prepare(
  { settings, context, endpoint, build, isSideRequest }: SendRequestOptions,
  headers: Readonly<Record<string, string>>,
): Promise<(Omit<RequestResult, 'response' | 'socket'> & Prepared) | undefined> {
  const fields = await resolveSetting('body', settings.body, context);
  const adapterRequest = await build(headers, fields);
  if (!adapterRequest) return undefined;
  const { url, init, mergedFields, trigger, providerState, withoutPageFields, firstMessages } = adapterRequest;
  const address = pageAddressOnServer(endpoint, url);
  if (!address) settings.report?.({ sink: 'request', url, reason: 'foreign-server' });
  const pageFields = fieldsFor(withoutPageFields ? undefined : address, {
    headers,
    body: fields,
    credentials: settings.credentials,
  });
  // The page's fields belong to the request that starts the run. A GET has no body.
  const extra = trigger || isSideRequest || init.method === 'GET' ? undefined : pageFields.body;
  const body = mergeBody(init.body, extra, mergedFields);
  const sentHeaders = { ...withoutHeaders(headers, init.headers), ...pageFields.headers };
  const isJson =
    typeof body === 'string' && !Object.keys(sentHeaders).some((name) => name.toLowerCase() === 'content-type');
  const request: OutgoingRequest = {
    url,
    protocol: context.protocol,
    conversation: context.conversation,
    init: {
      method: init.method ?? 'POST',
      headers: { ...(isJson && { 'content-type': 'application/json' }), ...sentHeaders },
      ...(body !== undefined && { body }),
    },
  };
  // Before the page's function, which may change the object.
  const before = new Set(Object.values(request.init.headers ?? {}));
  const transformed = await callPage('transformRequest', async () => {
    const changed = (await settings.transformRequest?.(request)) ?? request;
    if (!isRequest(changed)) throw new TypeError('It returned no request.');
    return changed;
  });
  const outgoing = await validHeaders((headers) => new Headers(headers), transformed.init.headers);
  // An adapter adds ids of its server to the address. They are no credentials, unlike what the page adds.
  const changedUrl = transformed.url === url ? undefined : parseUrl(transformed.url, pageBase());
  const secrets = [endpoint, ...(changedUrl ? [changedUrl] : [])]
    .flatMap(secretsInAddress)
    .concat(transformed.subProtocols?.filter(({ length }) => length >= MIN_KEY_LENGTH) ?? []);
  const added = [...outgoing].filter(([, value]) => !before.has(value));
  // Headers that the server has chosen, such as for an upload, are no secret of the page: a server could mask any word with them.
  rememberSentSecrets(withoutPageFields ? new Headers(added) : outgoing, secrets);
  const { body: sentBody } = transformed.init;
  return {
    request: transformed,
    credentials: pageFields.credentials,
    // With those of earlier requests: a server may repeat a key that the page has replaced.
    secrets: [...Object.values(headers), ...added.map(([, value]) => value), ...sentSecrets()],
    protocol: context.protocol,
    ...(typeof sentBody === 'string' && { body: sentBody }),
    ...(trigger && { trigger }),
    ...(firstMessages && { firstMessages }),
    ...(providerState !== undefined && { providerState }),
  };
}

const loadErrors = () => import('./request-errors.ts');

/** Reads headers. The browser's own error is replaced, because it may contain a key. */
async function validHeaders<Given, Read>(read: (headers: Given) => Read, headers: Given): Promise<Read> {
  try {
    return read(headers);
  } catch {
    throw (await loadErrors()).headersError(headers);
  }
}

/** Calls a function of the page, whose error may contain a key. */
const callPage: typeof awaitPageFunction = (name, call) =>
  awaitPageFunction(name, call).catch(async (error: unknown) => {
    throw (await loadErrors()).withoutKeys(error);
  });

interface Prepared extends Pick<WireRequest, 'firstMessages'> {
  readonly request: OutgoingRequest;
  readonly credentials: RequestCredentials | undefined;
}

/** The parts of a request that belong to the page. */
interface PageFields {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly credentials: RequestCredentials | undefined;
}

/**
 * The page's fields go to the page's addresses only, never to another one, such as an address in an agent card. A page
 * that needs a header there adds it with `transformRequest`.
 */
const fieldsFor = (address: PageAddress | undefined, fields: PageFields): PageFields => (address ? fields : NO_FIELDS);

const NO_FIELDS: PageFields = { headers: {}, body: undefined, credentials: 'omit' };

/** Removes the adapter's copies of the page's headers. */
function withoutHeaders(
  pageHeaders: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const names = new Set(Object.keys(pageHeaders).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase())));
}

async function fetchOrThrow(
  url: URL,
  { request, credentials = 'same-origin' }: Prepared,
  { settings, signal }: SendRequestOptions,
): Promise<Response> {
  const send = settings.fetch ?? fetch;
  // A custom `fetch` may ignore the signal.
  signal.throwIfAborted();
  let response: Response;
  try {
    response = await send(url.href, {
      credentials,
      referrerPolicy: 'no-referrer',
      // Redirects are not followed unless the page says so. `manual` distinguishes a redirect from a network failure; `error` does not.
      redirect: 'manual',
      cache: 'no-store',
      ...request.init,
      signal,
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw networkError(url, cause, request);
  }
  if (signal.aborted) await response.body?.cancel();
  signal.throwIfAborted();
  return response;
}

/** A browser reports only "failed", so the message adds what else is known. */
function networkError(url: URL, cause: unknown, { init }: OutgoingRequest): ChatError {
  const { host } = url;
  if (!navigator.onLine) return offlineError(cause);
  const crossOrigin = url.origin !== location.origin;
  return new ChatError('network', `${host} can't be reached${crossOrigin ? ', or blocks this page (CORS)' : ''}.`, {
    reason: crossOrigin ? 'unreachable-cors' : 'unreachable',
    values: { host, headers: [...new Headers(init.headers).keys()].join(', ') },
    retryable: true,
    cause,
  });
}

/** The value of a setting; a function is called, and its error names the setting. */
export async function resolveSetting<T>(
  name: 'headers' | 'body' | 'context',
  setting: Provided<T> | undefined,
  context: RequestContext,
): Promise<T | undefined> {
  if (typeof setting !== 'function') return setting;
  return callPage(name, () => (setting as (context: RequestContext) => T | Promise<T>)(context));
}

type Body = NonNullable<WireRequest['init']['body']>;

/** Merges the page's `body` into the adapter's if that is JSON. Other bodies stay unchanged. */
function mergeBody(
  body: Body | undefined,
  extra: Readonly<Record<string, unknown>> | undefined,
  mergedFields: readonly string[] = [],
): BodyInit | undefined {
  if (body === undefined) return extra && JSON.stringify(extra);
  if (typeof body === 'string') {
    const json = extra && parseObject(body);
    return json ? JSON.stringify(merge(json, extra)) : body;
  }
  if (!isPlain(body)) return body;
  const nested = mergedFields.flatMap((name) => {
    const [own, given] = [body[name], extra?.[name]];
    return isRecord(own) && isRecord(given) ? [[name, merge(own, given)] as const] : [];
  });
  return JSON.stringify(merge(body, { ...extra, ...Object.fromEntries(nested) }));
}

/** `null` removes a field of the adapter's body: some servers reject unknown fields. */
function merge(body: Readonly<Record<string, unknown>>, extra: Readonly<Record<string, unknown>> = {}): object {
  const removed = new Set(Object.keys(body).filter((name) => Object.hasOwn(extra, name) && extra[name] === null));
  return Object.fromEntries(Object.entries({ ...body, ...extra }).filter(([name]) => !removed.has(name)));
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

/** The page may be written without types. */
const isRequest = ({ url, init }: Partial<OutgoingRequest>): boolean => Boolean(url && init);
