/** How a model's words come: in pieces of uneven length. */

const LONGEST = 7;

/** A picture inside the text: it comes at once, for its bytes are no words. */
const INLINE_PICTURE = /(\(data:[^)]*\))/;

/**
 * Cuts a text into pieces of 1 to 7 characters, none of them cut in two. The lengths look like chance and are the same every
 * time, so that a stream can be compared with another.
 */
export function* piecesOf(text: string): Generator<string> {
  for (const part of text.split(INLINE_PICTURE)) {
    if (INLINE_PICTURE.test(part)) yield part;
    else yield* unevenPieces(Array.from(part));
  }
}

function* unevenPieces(characters: readonly string[]): Generator<string> {
  let state = 1 + characters.length;
  for (let start = 0; start < characters.length;) {
    // Lehmer's generator, whose products a number holds exactly.
    state = (state * 48271) % 2147483647;
    const length = 1 + (state % LONGEST);
    yield characters.slice(start, start + length).join('');
    start += length;
  }
}
