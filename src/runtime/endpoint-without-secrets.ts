import { fnvHash } from '../model/text/fnv-hash.ts';
import { CREDENTIAL_NAMES, maskSecrets } from '../safety/mask-secrets.ts';
import { pageBase } from './page-base.ts';
import { parseUrl } from '../parse-url.ts';

/** Query parameters have two more: a signature, and the code of a sign-in. */
const SECRET_NAMES = new RegExp(`sig|code|${CREDENTIAL_NAMES}`, 'i');

/** A shorter value is rarely a key: it may be a language or the name of a protocol. */
export const MIN_KEY_LENGTH = 16;

/** A value with a digit may be a key from this length on, like the parts of a header in `safety/remember-secrets.ts`. */
const MIN_LENGTH_WITH_DIGIT = 8;

/** Whether a parameter of an address is a credential, by its name and its decoded value. */
export const isSecretParameter = (name: string, value: string): boolean =>
  SECRET_NAMES.test(name) && value.length >= (/\d/.test(value) ? MIN_LENGTH_WITH_DIGIT : MIN_KEY_LENGTH);

/** The credentials in an address, decoded and encoded: a WebSocket has no other place for them. */
export const secretsInAddress = ({ searchParams, password }: Readonly<URL>): readonly string[] =>
  [...searchParams, ['key', password] as const]
    .filter(([name, value]) => isSecretParameter(name, value))
    .flatMap(([, value]) => [value, encodeURIComponent(value)]);

/**
 * The endpoint without query parameters that may be credentials. Identifies the endpoint in storage and in approvals. A
 * host is never masked, and what looks like a key elsewhere is replaced by a hash: two endpoints stay two.
 */
export function endpointWithoutSecrets(endpoint: string | undefined): string {
  const url = endpoint ? parseUrl(endpoint, pageBase()) : undefined;
  if (!url) return '';
  for (const name of [...url.searchParams.keys()]) {
    if (SECRET_NAMES.test(name)) url.searchParams.delete(name);
  }
  url.searchParams.sort();
  const address = url.pathname + url.search;
  // This function also reads what it has returned. A fragment of the page may be a key.
  const rest = address.includes('***') ? address + url.hash : address;
  const masked = maskSecrets(rest);
  return url.origin + masked + (masked === rest ? '' : `#${fnvHash(rest)}`);
}
