import { maskKeysInProse } from './secrets.ts';

/**
 * Credentials sent since the page was opened. If an agent repeats them, they are neither stored nor shown. Kept in
 * memory only.
 */
const CREDENTIAL = /auth|key|token|secret|cookie|session|pass|credential/i;

/** Pages renew their tokens: the last ones up to this number are remembered. */
const MOST = 100;

const sent = new Set<string>();

/** @param others - credentials that were sent in another way than in a header */
export function rememberSentSecrets(headers: Headers, others: readonly string[]): void {
  const values = [...headers].flatMap(([name, value]) => (CREDENTIAL.test(name) ? value : []));
  for (const value of [...values, ...others]) {
    sent.delete(value);
    sent.add(value);
  }
  for (const oldest of sent) {
    if (sent.size <= MOST) break;
    sent.delete(oldest);
  }
}

export const sentSecrets = (): readonly string[] => [...sent];

/** Keys are not longer: how far the text is checked beyond the visible part. */
const KEY_LENGTH = 8192;

/**
 * Masks the text of a tool or error for display, copying and saving, up to a length. The host page receives the
 * original messages.
 */
export function maskDisplayedText(text: string, length = Infinity): string {
  if (text.length <= length) return maskKeysInProse(text, sentSecrets());
  // Masked before cutting, because half a key would not be recognized.
  return maskKeysInProse(text.slice(0, length + KEY_LENGTH), sentSecrets()).slice(0, length);
}
