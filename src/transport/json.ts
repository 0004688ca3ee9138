import { limitExceeded, type Frame, type FrameLimits } from './frame.ts';

/**
 * Reads JSON values that span any number of lines: a document, several consecutive values, or the elements of one
 * array as each is completed. (Gemini sends an array of objects incrementally, ASP.NET an array of strings.) It looks
 * only at brackets and strings: numbers, and strings outside of an array, are skipped.
 */
export async function* readJson(
  chunks: AsyncIterable<string>,
  { maxEventLength }: Pick<FrameLimits, 'maxEventLength'>,
): AsyncGenerator<readonly Frame[]> {
  const scanner = scanValues(maxEventLength);
  for await (const chunk of chunks) {
    const batch = scanner.feed(chunk);
    if (batch.length > 0) yield batch;
    if (scanner.tooLong()) throw limitExceeded('event', maxEventLength);
  }
  const rest = scanner.end();
  if (rest) yield [rest];
}

/** The state of the scanner within a value. */
type ScanState = 'value' | 'string' | 'escape';

function scanValues(maxEventLength: number): {
  feed(chunk: string): Frame[];
  tooLong(): boolean;
  end(): Frame | undefined;
} {
  let state: ScanState = 'value';
  let depth = 0;
  /** The depth at which a value is complete: 1 inside an outermost array. */
  let floor = 0;
  let fragments: string[] = [];
  let length = 0;
  /** A value has begun and is not complete. */
  let isInside = false;
  /** The current value is a string that is an element of the array. */
  let isString = false;

  const add = (fragment: string): void => {
    fragments.push(fragment);
    length += fragment.length;
  };
  const take = (): Frame => {
    const frame = { data: fragments.join('') };
    fragments = [];
    length = 0;
    isInside = false;
    isString = false;
    return frame;
  };
  return {
    feed(chunk) {
      const frames: Frame[] = [];
      let start = 0;
      const close = (index: number): void => {
        add(chunk.slice(start, index + 1));
        // A value that is too long is not emitted; `tooLong` reports it.
        if (length <= maxEventLength) frames.push(take());
      };
      for (let index = 0; index < chunk.length; index++) {
        const character = chunk[index];
        if (state === 'escape') state = 'string';
        else if (state === 'string') {
          if (character === '\\') state = 'escape';
          else if (character === '"') {
            state = 'value';
            if (isString) close(index);
          }
        } else if (character === '"') {
          state = 'string';
          if (isInside || depth === 0 || depth > floor) continue;
          [isInside, isString, start] = [true, true, index];
        } else if (character === '{' || character === '[') {
          if (!isInside && depth === 0 && character === '[') floor = 1;
          else if (!isInside) {
            isInside = true;
            start = index;
          }
          depth++;
        } else if ((character === '}' || character === ']') && depth > 0) {
          depth--;
          if (depth < floor) floor = 0;
          else if (depth === floor) close(index);
        }
        if (length > maxEventLength) return frames;
      }
      if (isInside) add(chunk.slice(start));
      return frames;
    },
    tooLong: () => length > maxEventLength,
    /** The incomplete value at the end of a truncated body. */
    end: () => (isInside ? { ...take(), unfinished: true } : undefined),
  };
}
