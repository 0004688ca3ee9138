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
