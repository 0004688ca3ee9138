/**
 * Returns the message of anything that was thrown: handlers and agents of a page also throw texts, and objects such as
 * `{code: 403}`.
 */
export function thrownMessage(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return String(cause);
  if ('message' in cause && typeof cause.message === 'string') return cause.message;
  try {
    return JSON.stringify(cause);
  } catch {
    return Object.prototype.toString.call(cause);
  }
}
