/**
 * Redacts a number by its text, because a page masks digits in text. A changed text that spells a number becomes that number.
 */
export function redactNumber(value: number, redact: (text: string) => string): number | string {
  const text = String(value);
  const redacted = redact(text);
  const number = Number(redacted);
  return String(number) === redacted && Number.isFinite(number) ? number : redacted;
}
