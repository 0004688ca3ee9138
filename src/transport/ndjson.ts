import { tooLong, type Frame, type FrameLimits } from './frame.ts';

/**
 * One frame a line: NDJSON, or any prefix and value. Blank lines are skipped, CRLF and a last line without its end are
 * fine, and so is a `data:` in front.
 */
export async function* readLines(
  chunks: AsyncIterable<string>,
  { maxEventLength }: Pick<FrameLimits, 'maxEventLength'>,
): AsyncGenerator<readonly Frame[]> {
  // An unfinished line in pieces: joining them with every read would cost the square of its length.
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const lines = chunk.split('\n');
    const last = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = pieces.join('') + (lines[0] ?? '');
      pieces = [];
      length = 0;
      const long = lines.findIndex((line) => line.length > maxEventLength);
      const batch = (long < 0 ? lines : lines.slice(0, long)).map(frameOf).filter((frame) => frame.data !== '');
      if (batch.length > 0) yield batch;
      if (long >= 0) throw tooLong('event', maxEventLength);
    }
    pieces.push(last);
    length += last.length;
    if (length > maxEventLength) throw tooLong('event', maxEventLength);
  }
  const frame = frameOf(pieces.join(''));
  if (frame.data) yield [{ ...frame, unfinished: true }];
}

const frameOf = (line: string): Frame => ({ data: line.trim().replace(/^data: ?/, '') });
