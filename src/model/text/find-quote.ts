/** Number of characters that are searched, from the end of the text. */
const MAX_TEXT = 131_072;
/** Longer quotes are not searched. */
const MAX_QUOTE = 4000;
/** The first characters of a quote are searched: browsers compare a complete quote at each position of a text. */
const HEAD_LENGTH = 32;
const MAX_TRIES = 1100;

/** Yields where a quote begins in a text, the last occurrence first, in limited time for any text and quote. */
export function* occurrencesOf(quote: string, text: string): Generator<number> {
  if (quote === '' || quote.length > MAX_QUOTE) return;
  const offset = Math.max(0, text.length - MAX_TEXT);
  const searched = text.slice(offset);
  const head = quote.slice(0, HEAD_LENGTH);
  let index = searched.lastIndexOf(head);
  for (let tries = 0; index >= 0 && tries < MAX_TRIES; tries++) {
    if (searched.startsWith(quote, index)) yield offset + index;
    if (index === 0) return;
    index = searched.lastIndexOf(head, index - 1);
  }
}
