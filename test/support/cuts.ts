/** The ways in which a network may cut a body. */
export interface Cut {
  readonly name: string;
  readonly chunks: readonly Uint8Array[];
}

const encoder = new TextEncoder();

/** Text as UTF-8; bytes unchanged. */
export const bytesOf = (body: string | Uint8Array): Uint8Array =>
  typeof body === 'string' ? encoder.encode(body) : body;

/** Uncut, one byte at a time, inside every character and line end, and at random offsets. */
export function cutsOf(body: string | Uint8Array): readonly Cut[] {
  const bytes = bytesOf(body);
  const places = Array.from(bytes, (_byte, index) => index).slice(1);
  const inside = places.filter((index) => isInside(bytes, index));
  return [
    { name: 'whole', chunks: [bytes] },
    { name: 'a byte at a time', chunks: cutAt(bytes, places) },
    { name: 'inside characters and line ends', chunks: cutAt(bytes, inside) },
    ...[1, 2, 3].map((seed) => ({
      name: `at random, seed ${String(seed)}`,
      chunks: cutAt(bytes, randomPlaces(bytes.length, seed)),
    })),
  ];
}

/** The bytes in chunks that begin at these offsets. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const starts = [0, ...places];
  return starts.map((start, index) => bytes.subarray(start, starts[index + 1] ?? bytes.length));
}

/** A continuation byte of a character, or the LF of a CRLF. */
const isInside = (bytes: Uint8Array, index: number): boolean =>
  ((bytes[index] ?? 0) & 0xc0) === 0x80 || (bytes[index] === 0x0a && bytes[index - 1] === 0x0d);

/** Offsets a few bytes apart, the same for the same seed. */
function randomPlaces(length: number, seed: number): readonly number[] {
  const places: number[] = [];
  let state = seed;
  for (let place = 0; ;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    place += 1 + ((state >> 8) % 40);
    if (place >= length) return places;
    places.push(place);
  }
}

/** Chunks, as a body yields them. */
export async function* chunksOf<T>(pieces: readonly T[]): AsyncGenerator<T> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}
