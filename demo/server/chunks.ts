/** Splits text as a model streams it: in chunks of uneven length. */

const LONGEST = 7;

/** An inline image is sent in one chunk, because its bytes are not text. */
const INLINE_PICTURE = /(\(data:[^)]*\))/;

/**
 * Splits a text into chunks of 1 to 7 characters without splitting a character. The lengths look random but are always
 * the same, so that streams can be compared.
 */
export function* chunksOf(text: string): Generator<string> {
  for (const part of text.split(INLINE_PICTURE)) {
    if (INLINE_PICTURE.test(part)) yield part;
    else yield* unevenPieces(Array.from(part));
  }
}

function* unevenPieces(characters: readonly string[]): Generator<string> {
  let state = 1 + characters.length;
  for (let start = 0; start < characters.length;) {
    // Lehmer's generator; its products fit a number exactly.
    state = (state * 48271) % 2147483647;
    const length = 1 + (state % LONGEST);
    yield characters.slice(start, start + length).join('');
    start += length;
  }
}
