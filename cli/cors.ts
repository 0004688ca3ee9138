/** The CORS headers that a server has to send for pages of another origin. */
import { send } from './request.ts';

/** Example origin of the page that will contain the widget. */
export const PAGE_ORIGIN = 'https://your-page.example';

/** Headers that browsers send without a preflight. */
const SIMPLE = new Set(['accept', 'accept-language', 'content-language', 'user-agent', 'content-length', 'host']);

export interface CorsQuestion {
  readonly method: string;
  /** The names of the request's headers. */
  readonly names: readonly string[];
}

export interface CorsAnswer {
  readonly status: number;
  /** The missing header lines, as the server has to send them. */
  readonly missing: readonly string[];
}

/** Sends the preflight that a browser sends before a page's request. */
export async function askPreflight(url: URL, { method, names }: CorsQuestion): Promise<CorsAnswer> {
  const requestedNames = names
    .map((name) => name.toLowerCase())
    .filter((name) => !SIMPLE.has(name))
    .sort();
  const address = new URL(url.href.replace(/^ws/, 'http'));
  const { status, headers, body } = await send(address, {
    method: 'OPTIONS',
    headers: {
      origin: PAGE_ORIGIN,
      'access-control-request-method': method,
      ...(requestedNames.length > 0 && { 'access-control-request-headers': requestedNames.join(',') }),
    },
    signal: AbortSignal.timeout(10_000),
  });
  body.resume();
  const missing = [...missingOrigin(headers['access-control-allow-origin'])];
  const methods = listed(headers['access-control-allow-methods']);
  // These three methods are always allowed.
  if (!['GET', 'HEAD', 'POST'].includes(method) && !methods.has(method.toLowerCase()) && !methods.has('*'))
    missing.push(`Access-Control-Allow-Methods: ${method}`);
  const allowed = listed(headers['access-control-allow-headers']);
  // `*` does not include this header.
  const refused = requestedNames.filter(
    (name) => !allowed.has(name) && (name === 'authorization' || !allowed.has('*')),
  );
  if (refused.length > 0) missing.push(`Access-Control-Allow-Headers: ${requestedNames.join(', ')}`);
  return { status, missing };
}

const listed = (header: string | undefined): ReadonlySet<string> =>
  new Set((header ?? '').split(',').map((name) => name.trim().toLowerCase()));

/** The header line that is missing for the page to read an answer. */
export const missingOrigin = (allowed: string | undefined): readonly string[] =>
  allowed === '*' || allowed === PAGE_ORIGIN ? [] : [`Access-Control-Allow-Origin: ${PAGE_ORIGIN}`];
