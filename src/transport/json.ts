import { limitExceeded, type Frame, type FrameLimits } from './frame.ts';

/**
 * Reads JSON values that span any number of lines: a document, several consecutive values, or the elements of one
 * array as each is completed. (Gemini sends an array of objects incrementally, ASP.NET an array of strings.) It looks
 * only at brackets and strings: a number, `true`, `false` or `null` that is a value of its own is skipped, and so is a string
 * outside of an array.
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

/** Where the scanner is: outside of a string, in one, or after a backslash in one. */
type ScanState = 'outside' | 'string' | 'escape';

function scanValues(maxEventLength: number): {
  feed(chunk: string): Frame[];
  tooLong(): boolean;
  end(): Frame | undefined;
} {
  let state: ScanState = 'outside';
  let depth = 0;
  /** The depth at which a value is complete: 1 inside an outermost array. */
  let valueDepth = 0;
  let fragments: string[] = [];
  let length = 0;
  /** A value has begun and is not complete. */
  let isInValue = false;
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
    isInValue = false;
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
            state = 'outside';
            if (isString) close(index);
          }
        } else if (character === '"') {
          state = 'string';
          if (isInValue || depth === 0) continue;
          [isInValue, isString, start] = [true, true, index];
        } else if (character === '{' || character === '[') {
          if (!isInValue && depth === 0 && character === '[') valueDepth = 1;
          else if (!isInValue) {
            isInValue = true;
            start = index;
          }
          depth++;
        } else if ((character === '}' || character === ']') && depth > 0) {
          depth--;
          if (depth < valueDepth) valueDepth = 0;
          else if (depth === valueDepth) close(index);
        }
        if (length > maxEventLength) return frames;
      }
      if (isInValue) add(chunk.slice(start));
      return frames;
    },
    tooLong: () => length > maxEventLength,
    /** The incomplete value at the end of a truncated body. */
    end: () => (isInValue ? { ...take(), unfinished: true } : undefined),
  };
}
