/** Length of the first parts that are measured (characters). */
const FIRST_PART = 2048;
/** Time that a first part, and that any other part may take in any case (ms). The first ones have no halves to compare with. */
const FIRST_ALLOWED_MS = 100;
const ALLOWED_MS = 50;
/** How many times as long as its two halves a part may take: once in time in proportion to the length, twice in quadratic time. */
const ALLOWED_GROWTH = 1.6;
const RETRIES = 3;

/**
 * Whether the time that a text takes grows faster than its length, so that all of it would block the page. Its parts are
 * measured, then parts of twice the length, up to the whole text; the last call is for all of it. `measure` returns the
 * time that the text between two positions takes (ms), `pause` lets the page continue.
 */
export async function growsTooFast(
  length: number,
  measure: (start: number, end: number) => number,
  pause: () => Promise<void>,
): Promise<boolean> {
  let halves: readonly number[] = [];
  for (let size = FIRST_PART; ; size *= 2) {
    const times: number[] = [];
    for (let start = 0; start < length; start += size) {
      if (start > 0 || size > FIRST_PART) await pause();
      const index = 2 * times.length;
      const ofHalves = (halves[index] ?? 0) + (halves[index + 1] ?? 0);
      const allowed = Math.max(halves.length > 0 ? ALLOWED_MS : FIRST_ALLOWED_MS, ALLOWED_GROWTH * ofHalves);
      const end = Math.min(start + size, length);
      let time = measure(start, end);
      // Other work of the machine may have delayed it.
      for (let retry = 0; time > allowed && retry < RETRIES; retry++) {
        await pause();
        time = Math.min(time, measure(start, end));
      }
      if (time > allowed) return true;
      times.push(time);
    }
    if (size >= length) return false;
    halves = times;
  }
}
