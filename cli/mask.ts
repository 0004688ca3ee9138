/** Makes text of others safe to print: masks secrets, and escapes what a terminal or a shell would act on. */
import { isSecretParameter, secretsInAddress } from '../src/runtime/endpoint-without-secrets.ts';
import { spellingsOfSecrets } from '../src/safety/remember-secrets.ts';
import { maskSecrets, maskSecretsIn } from '../src/safety/mask-secrets.ts';

export interface Mask {
  text(value: string): string;
  /** Masks every string in a JSON value. */
  json<Value>(value: Value): Value;
}

/** The values of these headers are not secrets, and are part of ordinary text: `text/event-stream`. */
const HARMLESS =
  /^(?:accept|accept-encoding|accept-language|cache-control|content-type|host|origin|user-agent|x-forwarded-(?:for|host|port|proto))$/i;

/** A parameter of an address: its sign, its name and its value. */
const PARAMETER = /([?&])([^\s?&=#]+)=([^\s&#'"`<>]+)/g;

/** Masks the credentials in the addresses of a text, such as those that a server lists. */
const withoutParameters = (text: string): string =>
  text.replace(PARAMETER, (parameter, sign: string, name: string) =>
    [...new URLSearchParams(parameter.slice(1))].some((pair) => isSecretParameter(...pair))
      ? `${sign}${name}=***`
      : parameter,
  );

/**
 * Masks the values of the user's headers, the credentials in addresses, and anything that looks like a key.
 *
 * @param address - whose credentials are masked in any text
 */
export function maskFor(headers: Readonly<Record<string, string>>, address = ''): Mask {
  const sent = spellingsOfSecrets([
    ...Object.entries(headers).flatMap(([name, value]) => (HARMLESS.test(name) ? [] : value)),
    ...(URL.canParse(address) ? secretsInAddress(new URL(address)) : []),
  ]);
  const text = (value: string): string => withoutParameters(maskSecrets(value, sent));
  return {
    text,
    json: (value) =>
      JSON.parse(JSON.stringify(maskSecretsIn(value, sent)), (_name, inner: unknown) =>
        typeof inner === 'string' ? text(inner) : inner,
      ) as typeof value,
  };
}

const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Formats text of a server as one terminal line: without control characters, which could overwrite earlier lines. */
export function oneLine(text: string, length = 160): string {
  const line = text.replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length)} …` : line;
}

/** Writes control characters, also line breaks, as escapes of JSON: JSON keeps its value. */
export const escapeControls = (text: string): string =>
  text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** An address as one argument of a shell. In single quotes, no character but the quote is special. */
export const shellArgument = (address: string): string =>
  /^[\w:/.@%+,-]+$/.test(address) ? address : `'${address.replaceAll("'", '%27')}'`;

/** A comment behind a command. An interactive zsh reads it as arguments, so it has no characters of a shell. */
export const shellComment = (text: string): string =>
  `# ${oneLine(text)
    .replaceAll("'", '’')
    .replace(/[^\p{L}\p{M}\p{N} ’.,:/…-]/gu, '_')}`;
