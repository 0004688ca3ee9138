/** The credentials that were sent, in each form in which an answer may repeat them. Loaded with the first request. */
import { rememberedSecrets } from './sent-secrets.ts';

/**
 * Names of headers that are credentials: each ends a word of the name, which the browser writes in lower case (`x-apikey`). Not
 * `x-passenger-id` or `x-auth-provider`, whose values are ordinary words.
 */
const CREDENTIAL =
  /(?:key|token|secret|cookie|credential|jwt|pwd|passw(?:or)?d|passphrase|passcode|authori[sz]ation|(?<![a-z])pass)s?\d*(?![a-z])|auth(?:entication)?\d*$/;
/** Names whose values are credentials only if they look like one. */
const MAY_BE_CREDENTIAL = /key|token|secret|cookie|credential|jwt|pwd|session(?:id)?s?(?![a-z])|ticket$/;

/** Pages renew their tokens: the last ones up to this number are remembered, with all their spellings. */
const MOST = 400;

/**
 * Remembers the credentials of a request, with their parts and spellings.
 *
 * @param others - credentials that were sent in another way than in a header
 */
export function rememberSentSecrets(headers: Headers, others: readonly string[]): void {
  const values = [...headers].flatMap(([name, value]) =>
    CREDENTIAL.test(name) || (MAY_BE_CREDENTIAL.test(name) && KEY_PART.test(value)) ? value : [],
  );
  for (const spelling of spellingsOfSecrets([...values, ...others])) {
    rememberedSecrets.delete(spelling);
    rememberedSecrets.add(spelling);
  }
  for (const oldest of rememberedSecrets) {
    if (rememberedSecrets.size <= MOST) break;
    rememberedSecrets.delete(oldest);
  }
}

export const spellingsOfSecrets = (values: readonly string[]): readonly string[] => [
  ...new Set(values.flatMap(partsOf).flatMap(spellingsOf)),
];

/** A part of a value is a key rather than a word if it is long or has a digit: `Digest`, `theme=darkmode`. */
const KEY_PART = /\d|.{16}/;

/**
 * A sent value, what follows its scheme (`Bearer`, `Token`), and its parts that may be keys: cookies and schemes have
 * several (`a=1; b=2`).
 */
function partsOf(value: string): readonly string[] {
  const [scheme = '', ...words] = value.split(/[\s,;]+/);
  const parts = words.length === 0 ? [] : [...(scheme.includes('=') ? [scheme] : []), ...words];
  return [
    value,
    value.replace(/^[\w-]+\s+/, ''),
    ...parts
      .map((part) => part.replace(/^[\w.-]+=(?=[^=])/, '').replaceAll('"', ''))
      .filter((part) => KEY_PART.test(part)),
  ].filter(({ length }) => length >= 8);
}

/** A value as it appears in text, in JSON, in JSON inside of JSON, and in an address. */
function spellingsOf(value: string): readonly string[] {
  if (/^[\w.~-]+$/.test(value)) return [value];
  const encoded = encodeURIComponent(value.toWellFormed());
  const inText = [value, inJson(value), inJson(value).replaceAll('/', '\\/')];
  return [...inText, ...inText.map(inJson), encoded, encoded.replace(/%../g, (escape) => escape.toLowerCase())];
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
