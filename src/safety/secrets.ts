const KEY_SHAPES = [
  /\b(?:sk|pk|rk|xox[abpr]|gh[pousr]|glpat|hf|gsk|r8)[-_][\w-]{12,}/g,
  /\bAIza[\w-]{30,}/g,
  /\bAKIA[A-Z\d]{16}\b/g,
  /\bey[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g,
  /(\b(?:Bearer|Basic)\s+)[\w.~+/-]{8,}=*/gi,
];

/**
 * A text with what looks like a key replaced by `***`, and every value we sent in a header.
 * Source: `security/README.md`, rule 13.
 */
export function maskSecrets(text: string, sent: readonly string[] = []): string {
  // The longest first, and all of them before a part of one is taken for a key: what is left of it would stay.
  const masked = sent
    .flatMap((value) => [value, value.replace(/^(?:Bearer|Basic)\s+/i, '')])
    .filter((value) => value.length >= 8)
    .sort((left, right) => right.length - left.length)
    .reduce((before, value) => before.replaceAll(value, '***'), text);
  return KEY_SHAPES.reduce(
    (before, shape) =>
      before.replace(shape, (_match, scheme?: unknown) => `${typeof scheme === 'string' ? scheme : ''}***`),
    masked,
  );
}

/** What stands behind one of these words in prose is a word more often than a key: "basic understanding". */
const SCHEME_IN_PROSE = /\b[Bb](?:earer|asic)\s+[A-Z]?[a-z-]{1,24}(?![\w.~+/=])/g;

/** As `maskSecrets`, for a conversation that is stored: what reads like words stays words. */
export function maskKeys(text: string, sent: readonly string[] = []): string {
  const prose = text.match(SCHEME_IN_PROSE);
  if (!prose) return maskSecrets(text, sent);
  return text
    .split(SCHEME_IN_PROSE)
    .map((between, index) => maskSecrets(between, sent) + (prose[index] ?? ''))
    .join('');
}

/** Deeper places of a value are neither looked into nor shown. */
const MAX_DEPTH = 64;

/** A value of JSON with the same done to every text in it. */
export function maskSecretsIn<Value>(value: Value, sent: readonly string[] = []): Value {
  // A value keeps its form: only the words in it change.
  return maskAny(value, sent, 0) as Value;
}

function maskAny(value: unknown, sent: readonly string[], depth: number): unknown {
  if (typeof value === 'string') return maskSecrets(value, sent);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((item) => maskAny(item, sent, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, maskAny(field, sent, depth + 1)]));
}
