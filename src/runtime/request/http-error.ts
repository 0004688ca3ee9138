import { isRecord, parseJson } from '../../model/json.ts';
import { ChatError } from '../../errors.ts';
import { errorMessage } from '../../protocols/shared/error-message.ts';
import { maskSecrets } from '../../safety/mask-secrets.ts';
import { readBodyPrefix } from './read-body-prefix.ts';
import { parseRetryAfter } from './retry-after.ts';
import { meaningOf } from './status-meaning.ts';

/** Bytes of an error body that are read, and the time to wait for them. The status alone is enough to continue. */
const BODY_LENGTH = 64 * 1024;
const BODY_MS = 2000;
const MESSAGE_LENGTH = 2000;

export interface SentRequest {
  /** Values of the request headers, which must not be shown. */
  readonly secrets: readonly string[];
  readonly body?: string;
}

/** The error for a response with a status other than 2xx, with the details from its body and headers. */
export async function httpError(response: Response, { secrets, body: request }: SentRequest): Promise<ChatError> {
  const { status, headers } = response;
  const body = await readBody(response);
  const isStream = headers.get('content-type')?.includes('event-stream') === true;
  const details = parseErrorBody(body, isStream);
  // A router's own message is generic; the provider's message names the cause.
  const message = details.cause ?? details.message;
  const serverMessage = message === undefined ? undefined : maskSecrets(message, secrets).slice(0, MESSAGE_LENGTH);
  const retryAfter = parseRetryAfter(headers, Date.now()) ?? details.retryAfter;
  const { kind, reason, retryable } = {
    ...meaningOf(status, details.code),
    ...details.means,
    ...retryOverride(headers),
  };
  const text = serverMessage === undefined ? '' : `: ${serverMessage}`;
  return new ChatError(kind, `The server answered ${String(status)}${text}`, {
    reason,
    status,
    retryable,
    values: { status },
    ...(details.code !== undefined && { code: maskSecrets(details.code, secrets) }),
    ...(serverMessage !== undefined && { serverMessage }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(request !== undefined && { request: maskSecrets(request, secrets) }),
  });
}

/** The `x-should-retry` header, with which OpenAI and Anthropic override the meaning of the status. */
function retryOverride(headers: Headers): Partial<Pick<ChatError, 'retryable'>> {
  const should = headers.get('x-should-retry');
  return should === 'true' || should === 'false' ? { retryable: should === 'true' } : {};
}

async function readBody(response: Response): Promise<string> {
  try {
    return (await readBodyPrefix(response, BODY_LENGTH, BODY_MS)).text;
  } catch {
    return '';
  }
}

interface ErrorBody {
  readonly message?: string;
  readonly cause?: string;
  readonly code?: string;
  /** Time to wait in milliseconds. */
  readonly retryAfter?: number;
  /** A more precise meaning than that of the status. */
  readonly means?: Partial<Pick<ChatError, 'kind' | 'reason' | 'retryable'>>;
}

/** The message and details of an error body. Source: `docs/protocols/openai-chat.md`. */
function parseErrorBody(body: string, isStream: boolean): ErrorBody {
  const event = errorEvent(body, isStream);
  const json = event ?? parseJson(body.trim());
  const message = errorMessage(typeof json === 'object' ? withZodFields(json) : (event ?? body));
  return {
    ...detailsOf(Array.isArray(json) ? (json as unknown[])[0] : json),
    ...(message !== undefined && { message }),
  };
}

const EVENT_FIELD = /^\s*(?:(?:data|event|id|retry)?:)/;

/**
 * The error among server-sent events: a handler that sets the status of its stream may send its error as an event.
 *
 * @param isStream - by the content type. Otherwise `data: …` may also be the start of a sentence
 * @returns undefined if the body does not consist of events, an empty string if none of them is the error
 */
function errorEvent(body: string, isStream: boolean): unknown {
  if (!EVENT_FIELD.test(body)) return undefined;
  const events = body
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((lines) => {
      const valuesOf = (field: string): readonly string[] =>
        [...lines.matchAll(new RegExp(`^${field}: ?(.*)`, 'gm'))].map(([, value = '']) => value);
      const data = valuesOf('data').join('\n');
      return { isNamed: valuesOf('event').includes('error'), data, json: parseJson(data) };
    })
    .filter(({ data }) => data !== '' && data !== '[DONE]');
  const isError = ({ isNamed, json }: (typeof events)[number]): boolean =>
    isNamed || (isRecord(json) && (json['type'] === 'error' || json['error'] !== undefined));
  const found = events.findLast(isError) ?? (events.length === 1 ? events[0] : undefined);
  if (found && (isStream || found.isNamed || found.json !== undefined)) return found.json ?? found.data;
  return isStream ? '' : undefined;
}

/** Converts the issues of the validator Zod, `{code, path, message}`, to FastAPI's form, `{loc, msg}`, which `errorMessage` reads. */
function withZodFields(json: unknown): unknown {
  if (Array.isArray(json)) return (json as unknown[]).map(withZodFields);
  // The message of a `ZodError` is the list of its issues as JSON.
  const issues = typeof json === 'string' && json.startsWith('[') ? parseJson(json) : undefined;
  if (issues !== undefined) return withZodFields(issues);
  if (!isRecord(json)) return json;
  const { code, path, message } = json;
  // A GraphQL error has a `path` too, which is not a field of the request, but no `code`.
  if (typeof code === 'string' && typeof message === 'string' && Array.isArray(path))
    return { loc: path.length > 0 ? path : undefined, msg: message };
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withZodFields(value)]));
}

/** The error code and other details. */
function detailsOf(json: unknown): ErrorBody {
  if (!isRecord(json)) return {};
  const { error, code, error_type: errorType, type, data } = json;
  if (isRecord(error)) {
    const raw = isRecord(error['metadata']) ? errorMessage(error['metadata']['raw']) : undefined;
    return { ...detailsOf(error), ...googleDetails(error['details']), ...(raw !== undefined && { cause: raw }) };
  }
  // The error event of a stream, sent as a body. Its type is no code.
  if (type === 'error' && isRecord(data)) {
    const { recoverable } = data;
    return { ...detailsOf(data), ...(typeof recoverable === 'boolean' && { means: { retryable: recoverable } }) };
  }
  const codes = [typeof code === 'number' ? String(code) : code, errorType, type === 'error' ? undefined : type];
  const name = codes.find((candidate) => typeof candidate === 'string');
  return name === undefined ? {} : { code: name };
}

/**
 * Details of Google's errors: the wait time is in the body, an invalid key has status 400, and a daily quota is not
 * worth a retry after seconds. Source: `docs/protocols/gemini.md`.
 */
function googleDetails(details: unknown): Pick<ErrorBody, 'retryAfter' | 'means'> {
  const list = Array.isArray(details) ? (details as unknown[]).filter(isRecord) : [];
  const delay = list
    .map(({ retryDelay }) => (typeof retryDelay === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(retryDelay)?.[1] : undefined))
    .find(Boolean);
  if (list.some(({ reason }) => reason === 'API_KEY_INVALID'))
    return { means: { kind: 'auth', reason: 'unauthorized' } };
  const daily = list
    .flatMap(({ violations }) => (Array.isArray(violations) ? (violations as unknown[]) : []))
    .some(
      (violation) =>
        isRecord(violation) && typeof violation['quotaId'] === 'string' && violation['quotaId'].includes('PerDay'),
    );
  if (daily) return { means: { retryable: false } };
  return delay === undefined ? {} : { retryAfter: Number(delay) * 1000 };
}
