/**
 * The wait time that the response asks for, in milliseconds: `retry-after-ms`, otherwise `retry-after` in seconds or as
 * a date.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const precise = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(precise) && precise >= 0) return precise;
  const retryAfter = headers.get('retry-after');
  if (retryAfter === null) return undefined;
  const seconds = Number(retryAfter);
  if (retryAfter.trim() !== '' && Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
