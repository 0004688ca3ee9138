import { isRecord, parseJson } from '../model/json.ts';
import { ChatError } from '../errors.ts';
import { maskSecrets } from '../safety/secrets.ts';
import { readStart } from './read-start.ts';
import { parseRetryAfter } from './retry.ts';

/** As much of an error's body as is read, and as long as it is waited for: the status says what matters. */
const BODY_LENGTH = 64 * 1024;
const BODY_MS = 2000;
const MESSAGE_LENGTH = 2000;

interface Sent {
  /** The values of our headers, which must not be shown. */
  readonly sent: readonly string[];
  readonly body?: string;
}

/** The error that a response with a bad status is. */
export async function httpError(response: Response, { sent, body: request }: Sent): Promise<ChatError> {
  const { status, headers } = response;
  const body = await readBody(response);
  const said = messageOf(body);
  const serverMessage =
    said.message === undefined ? undefined : maskSecrets(said.message, sent).slice(0, MESSAGE_LENGTH);
  const retryAfter = parseRetryAfter(headers, Date.now()) ?? said.retryAfter;
  const { kind, reason, retryable } = { ...classify(status, said.code), ...said.means, ...asked(headers) };
  const text = serverMessage === undefined ? '' : `: ${serverMessage}`;
  return new ChatError(kind, `The server answered ${String(status)}${text}`, {
    reason,
    status,
    retryable,
    values: { status },
    ...(said.code !== undefined && { code: said.code }),
    ...(serverMessage !== undefined && { serverMessage }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(request !== undefined && { request: maskSecrets(request, sent) }),
  });
}

function classify(status: number, code: string | undefined): Pick<ChatError, 'kind' | 'reason' | 'retryable'> {
  if (status === 401) return { kind: 'auth', reason: 'unauthorized', retryable: false };
  if (status === 403) return { kind: 'auth', reason: 'forbidden', retryable: false };
  if (status === 429) return { kind: 'rate-limit', reason: 'rate-limit', retryable: code !== 'insufficient_quota' };
  if (status === 404) return { kind: 'http', reason: 'not-found', retryable: false };
  if (status === 408) return { kind: 'timeout', reason: 'server-timeout', retryable: true };
  if (status === 413) return { kind: 'limit', reason: 'too-large', retryable: false };
  if (status >= 500) return { kind: 'http', reason: 'server', retryable: true };
  return { kind: 'http', reason: 'refused', retryable: status === 409 };
}

/** What OpenAI's and Anthropic's servers say of their own errors, whatever the status. */
function asked(headers: Headers): Partial<Pick<ChatError, 'retryable'>> {
  const should = headers.get('x-should-retry');
  return should === 'true' || should === 'false' ? { retryable: should === 'true' } : {};
}

async function readBody(response: Response): Promise<string> {
  try {
    return (await readStart(response, BODY_LENGTH, BODY_MS)).text;
  } catch {
    return '';
  }
}

interface Said {
  readonly message?: string;
  readonly code?: string;
  /** Milliseconds. */
  readonly retryAfter?: number;
  /** What is known better than by the status. */
  readonly means?: Partial<Pick<ChatError, 'kind' | 'reason' | 'retryable'>>;
}

/**
 * What a server said, in the forms servers have: OpenAI's `error` object or string, vLLM's and Cohere's `message`, FastAPI's
 * `detail`, Google's list. HTML is never shown. Source: `openai-chat.md`, "Errors".
 */
function messageOf(body: string): Said {
  const text = body.trim();
  if (text === '' || text.startsWith('<')) return {};
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { message: text };
  }
  return saidIn(Array.isArray(json) ? (json as unknown[])[0] : json);
}

function saidIn(json: unknown): Said {
  if (typeof json === 'string') return { message: json };
  if (!isRecord(json)) return {};
  const { error, message, detail, code, type } = json;
  if (isRecord(error)) {
    const inner = saidIn(error);
    const raw = isRecord(error['metadata']) ? error['metadata']['raw'] : undefined;
    return {
      ...inner,
      ...googleDetails(error['details']),
      ...(typeof raw === 'string' && { message: saidIn(parseJson(raw)).message ?? raw }),
    };
  }
  const name =
    typeof code === 'string' || typeof code === 'number' ? String(code) : typeof type === 'string' ? type : undefined;
  const words =
    [error, message, detail].find((candidate) => typeof candidate === 'string') ?? listed(detail) ?? listed(message);
  return {
    ...(typeof words === 'string' && { message: words }),
    ...(name !== undefined && { code: name }),
  };
}

/**
 * Google tells how long to wait in the body, calls a bad key a bad request, and means the whole day by a quota that no wait of
 * seconds brings back. Source: `gemini.md`, "Errors".
 */
function googleDetails(details: unknown): Pick<Said, 'retryAfter' | 'means'> {
  const list = Array.isArray(details) ? (details as unknown[]).filter(isRecord) : [];
  const wait = list.map(({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(String(retryDelay))?.[1]).find(Boolean);
  if (list.some(({ reason }) => reason === 'API_KEY_INVALID'))
    return { means: { kind: 'auth', reason: 'unauthorized' } };
  const daily = list
    .flatMap(({ violations }) => (Array.isArray(violations) ? (violations as unknown[]) : []))
    .some((violation) => isRecord(violation) && String(violation['quotaId']).includes('PerDay'));
  if (daily) return { means: { retryable: false } };
  return wait === undefined ? {} : { retryAfter: Number(wait) * 1000 };
}

/** FastAPI's list of complaints: `[{loc, msg}]`, or the same inside `message.detail`. */
function listed(value: unknown): string | undefined {
  const list = isRecord(value) ? value['detail'] : value;
  if (!Array.isArray(list)) return undefined;
  const complaints = (list as unknown[]).flatMap((item) => {
    if (!isRecord(item) || typeof item['msg'] !== 'string') return [];
    const place = Array.isArray(item['loc']) ? `${(item['loc'] as unknown[]).join('.')}: ` : '';
    return [place + item['msg']];
  });
  return complaints.length > 0 ? complaints.join('; ') : undefined;
}
