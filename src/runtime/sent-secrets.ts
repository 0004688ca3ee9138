/** Credentials that have gone out since the page was opened: what an agent repeats of them is not stored. In memory only. */
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
