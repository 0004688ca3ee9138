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
  const masked = KEY_SHAPES.reduce(
    (before, shape) =>
      before.replace(shape, (_match, scheme?: unknown) => `${typeof scheme === 'string' ? scheme : ''}***`),
    text,
  );
  return sent
    .flatMap((value) => [value, value.replace(/^(?:Bearer|Basic)\s+/i, '')])
    .filter((value) => value.length >= 8)
    .reduce((before, value) => before.replaceAll(value, '***'), masked);
}
