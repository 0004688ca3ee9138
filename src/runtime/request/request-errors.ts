/** Errors of requests that are rare: their texts load when they occur. */
import { ChatError, messageOf } from '../../errors.ts';
import { withoutQuery } from '../../model/without-query.ts';
import { maskSecrets } from '../../safety/mask-secrets.ts';
import { sentSecrets } from '../../safety/sent-secrets.ts';
import { toPlainHeaders, type PageHeaders } from '../plain-headers.ts';

export function redirectError({ href }: Readonly<URL>): ChatError {
  const address = withoutQuery(href);
  return new ChatError(
    'http',
    `The endpoint ${address} redirects. Set "endpoint" to the target: often the same with a "/" at the end.`,
    { reason: 'redirect', values: { url: address } },
  );
}

/** The browser's own error may contain a key. This one names the header, and no value. */
export const headersError = (headers: unknown): ChatError =>
  new ChatError('protocol', `The headers are not valid: ${problemOf(headers)}.`, { reason: 'unexpected' });

function problemOf(headers: unknown): string {
  let entries: readonly (readonly [name: string, value: string])[];
  try {
    entries = Object.entries(toPlainHeaders(headers as PageHeaders));
  } catch {
    return 'they are no object';
  }
  const problems = entries.flatMap(([name, value]) => {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return 'a name is empty or has a character that names can’t have';
    const isLatin = /^[\0-\u00ff]*$/.test(value);
    if (!isLatin)
      return `the value of "${name}" has letters outside of Latin-1. Encode it, as encodeURIComponent() does`;
    return /[\0\r\n]/.test(value.trim()) ? `the value of "${name}" has a line break` : [];
  });
  return problems[0] ?? 'the browser refuses them';
}

/** Masks the keys that were sent, which an error of the page's own code may contain. Errors of the widget stay the same. */
export function withoutKeys(error: unknown): unknown {
  if (error instanceof ChatError && error.reason !== 'page-function') return error;
  const message = messageOf(error);
  const masked = maskSecrets(message, sentSecrets());
  if (masked === message) return error;
  // The page's own error has the key in its stack, too.
  const cause = new Error(masked);
  return error instanceof ChatError
    ? new ChatError(error.kind, masked, { reason: error.reason, values: error.values, cause })
    : cause;
}
