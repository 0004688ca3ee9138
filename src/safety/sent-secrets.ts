import { maskKeysInProse, proseMask } from './mask-secrets.ts';

/**
 * Credentials sent since the page was opened, added by `remember-secrets.ts`. If an agent repeats them, they are neither
 * stored nor shown. Kept in memory only.
 */
export const rememberedSecrets = new Set<string>();

export const sentSecrets = (): readonly string[] => [...rememberedSecrets];

/** Masks any number of short texts for display. */
export const displayMask = (): ((text: string) => string) => proseMask(sentSecrets());

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
