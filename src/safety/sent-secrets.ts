import { maskKeys } from './secrets.ts';

/** Credentials that have gone out since the page was opened: what an agent repeats of them is neither stored nor shown. In memory only. */
const CREDENTIAL = /auth|key|token|secret|cookie|session|pass|credential/i;

/** Pages renew their tokens; so many of the last ones are known. */
const MOST = 100;

const sent = new Set<string>();

export function noteSent(headers: Headers): void {
  for (const [name, value] of headers) {
    if (!CREDENTIAL.test(name)) continue;
    sent.delete(value);
    sent.add(value);
  }
  for (const oldest of sent) {
    if (sent.size <= MOST) break;
    sent.delete(oldest);
  }
}

export const sentSecrets = (): readonly string[] => [...sent];

/** Longer keys are none: so much is looked at beyond what is shown. */
const KEY_LENGTH = 8192;

/**
 * Words of a tool or an error as they are shown, copied and saved, up to a length. The messages that a page reads have them as
 * they came.
 */
export function maskShown(text: string, length = Infinity): string {
  if (text.length <= length) return maskKeys(text, sentSecrets());
  // Masked before it is cut: half of a key would no longer look like one.
  return maskKeys(text.slice(0, length + KEY_LENGTH), sentSecrets()).slice(0, length);
}
