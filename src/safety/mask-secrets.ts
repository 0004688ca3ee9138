/** Masks API keys, tokens and sent credentials in text that is shown, stored, exported or reported. */

/** The formats of API keys and tokens. A pattern may capture text before the key, which stays. */
const KEY_PATTERNS = [
  /\b(?:sk|pk|rk|xox[abpr]|gh[pousr]|glpat|hf|gsk|r8)[-_][\w-]{12,}/g,
  // Google.
  /\bAIza[\w-]{30,}/g,
  // AWS.
  /\bAKIA[A-Z\d]{16}\b/g,
  // JSON Web Tokens. The lookahead checks once per word: without it every `ey` in a word would scan the rest of it.
  /(?<![\w-])(?=[\w-]+\.[\w-]{10,}\.[\w-]{10,})([\w-]*?)\bey[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g,
];
const AUTHORIZATION = /(\b(?:Bearer|Basic)\s+)[\w.~+/-]{8,}=*/gi;
/** In prose, these words are more often followed by a word than by a key: "basic understanding". */
const AUTHORIZATION_IN_PROSE = /^[Bb](?:earer|asic)\s+[A-Z]?[a-z-]{1,24}$/;

/**
 * The names of headers and query parameters that are credentials, as the source of a pattern without case: `Authorization`, `api_key`,
 * not `author`.
 */
export const CREDENTIAL_NAMES = 'auth(?!or(?!i[sz]))|key|token|secret|cookie|session|pass|pwd|credential|ticket|jwt';

type Mask = (text: string) => string;

/** Prepares the sent values once for many texts. */
function maskFor(secrets: readonly string[], keepProse: boolean): Mask {
  // Longest first, and before the patterns: if a pattern matched a part of a value, the rest of it would remain.
  const values = secrets
    .flatMap((value) => [value, value.replace(/^(?:Bearer|Basic)\s+/i, '')])
    .filter((value) => value.length >= 8)
    .sort((left, right) => right.length - left.length);
  return (text) => {
    const masked = values.reduce((before, value) => before.replaceAll(value, '***'), text);
    return KEY_PATTERNS.reduce(
      (before, pattern) =>
        before.replace(pattern, (_match, prefix?: unknown) => `${typeof prefix === 'string' ? prefix : ''}***`),
      masked,
    ).replace(AUTHORIZATION, (match, scheme: string) =>
      keepProse && AUTHORIZATION_IN_PROSE.test(match) ? match : `${scheme}***`,
    );
  };
}

/**
 * Replaces apparent keys and all header values that were sent by `***`.
 * Source: `docs/security.md`.
 */
export const maskSecrets = (text: string, secrets: readonly string[] = []): string => maskFor(secrets, false)(text);

/** Like `maskSecrets`, for a conversation that is shown or stored: prose stays unchanged. */
export const maskKeysInProse = (text: string, secrets: readonly string[] = []): string => maskFor(secrets, true)(text);

/** `maskKeysInProse` for many texts: the sent values are prepared once. */
export const proseMask = (secrets: readonly string[]): Mask => maskFor(secrets, true);

/** Deeper values are neither searched nor shown. */
const MAX_DEPTH = 64;

/** Masks all strings in a JSON value, and the names of its fields. */
export function maskSecretsIn<Value>(value: Value, secrets: readonly string[] = []): Value {
  // The value keeps its shape: only strings change.
  return maskAny(value, maskFor(secrets, false), 0) as Value;
}

function maskAny(value: unknown, mask: Mask, depth: number): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((item) => maskAny(item, mask, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [mask(name), maskAny(field, mask, depth + 1)]),
  );
}
