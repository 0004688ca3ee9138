import { tooLong, type Frame, type FrameLimits } from './frame.ts';

/**
 * JSON values over any number of lines: a document, several behind one another, or the elements of one array as each
 * closes (Gemini sends its array piece by piece). Looks at nothing but brackets and strings.
 */
export async function* readJson(
  chunks: AsyncIterable<string>,
  { maxEventLength }: Pick<FrameLimits, 'maxEventLength'>,
): AsyncGenerator<readonly Frame[]> {
  const scanner = scanValues(maxEventLength);
  for await (const chunk of chunks) {
    const batch = scanner.feed(chunk);
    if (batch.length > 0) yield batch;
    if (scanner.tooLong()) throw tooLong('event', maxEventLength);
  }
  const rest = scanner.end();
  if (rest) yield [rest];
}

/** Where in a value the scan stands. */
type Place = 'value' | 'string' | 'escape';

function scanValues(maxEventLength: number): {
  feed(chunk: string): Frame[];
  tooLong(): boolean;
  end(): Frame | undefined;
} {
  let place: Place = 'value';
  let depth = 0;
  /** The depth at which a value is whole: 1 inside an outermost array. */
  let floor = 0;
  let pieces: string[] = [];
  let length = 0;
  let inside = false;

  const add = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  const take = (): Frame => {
    const frame = { data: pieces.join('') };
    pieces = [];
    length = 0;
    inside = false;
    return frame;
  };
  return {
    feed(chunk) {
      const frames: Frame[] = [];
      let start = inside ? 0 : -1;
      for (let index = 0; index < chunk.length; index++) {
        const character = chunk[index];
        if (place === 'escape') place = 'string';
        else if (place === 'string') {
          if (character === '\\') place = 'escape';
          else if (character === '"') place = 'value';
        } else if (character === '"') place = 'string';
        else if (character === '{' || character === '[') {
          if (!inside && depth === 0 && character === '[') floor = 1;
          else if (!inside) {
            inside = true;
            start = index;
          }
          depth++;
        } else if ((character === '}' || character === ']') && depth > 0) {
          depth--;
          if (depth < floor) floor = 0;
          else if (inside && depth === floor) {
            add(chunk.slice(start, index + 1));
            if (length > maxEventLength) return frames;
            frames.push(take());
            start = -1;
          }
        }
      }
      if (inside) add(chunk.slice(start));
      return frames;
    },
    tooLong: () => length > maxEventLength,
    /** A value that was never closed: the body was cut. */
    end: () => (inside ? { ...take(), unfinished: true } : undefined),
  };
}
