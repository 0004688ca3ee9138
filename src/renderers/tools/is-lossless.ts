const STRING = /"(?:[^"\\]|\\.)*"/g;
const NUMBER = /-?\d[\d.e+-]*/gi;
/** Numbers with fewer digits are never rounded. */
const MIN_DIGITS = 16;

/**
 * Whether a JSON text contains no more than its parsed value: parsing rounds long numbers, and keeps only the last of
 * equal names.
 */
export function isLossless(text: string, value: unknown): boolean {
  const bare = text.replace(STRING, '""');
  return bare.split(':').length - 1 === countNames(value) && (bare.match(NUMBER) ?? []).every(isKept);
}

function isKept(written: string): boolean {
  const value = Number(written);
  const [digits = ''] = written.toLowerCase().split('e');
  if (!Number.isFinite(value) || (value === 0 && /[1-9]/.test(digits))) return false;
  return digits.replace(/\D/g, '').length < MIN_DIGITS || String(value) === written;
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items: readonly unknown[] = Object.values(value);
  return items.reduce((count: number, item) => count + countNames(item), Array.isArray(value) ? 0 : items.length);
}
