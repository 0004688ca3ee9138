/** Masks secrets in all output: the values of the user's headers, and anything that looks like a key. */
import { maskSecrets, maskSecretsIn } from '../src/safety/secrets.ts';

export interface Mask {
  text(value: string): string;
  /** Masks every string in a JSON value. */
  json<Value>(value: Value): Value;
}

/** Short header values, such as `application/json` or numbers, are not secrets. */
export function maskFor(headers: Readonly<Record<string, string>>): Mask {
  const sent = Object.values(headers);
  return { text: (value) => maskSecrets(value, sent), json: (value) => maskSecretsIn(value, sent) };
}

const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Formats text of a server as one terminal line: without control characters, which could overwrite earlier lines. */
export function oneLine(text: string, length = 160): string {
  const line = text.replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length)} …` : line;
}
