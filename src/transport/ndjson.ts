import { limitExceeded, type Frame, type FrameLimits } from './frame.ts';

/**
 * Reads one frame per line: NDJSON, or a prefix and a value. Blank lines are skipped. CRLF line ends, a last line
 * without a line end and a `data:` prefix are accepted.
 */
export async function* readLines(
  chunks: AsyncIterable<string>,
  { maxEventLength }: Pick<FrameLimits, 'maxEventLength'>,
): AsyncGenerator<readonly Frame[]> {
  // An unfinished line is stored as fragments: joining them on every read would take quadratic time.
  let fragments: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const lines = chunk.split('\n');
    const last = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = fragments.join('') + (lines[0] ?? '');
      fragments = [];
      length = 0;
      const overlong = lines.findIndex((line) => line.length > maxEventLength);
      const batch = (overlong < 0 ? lines : lines.slice(0, overlong))
        .map(lineToFrame)
        .filter((frame) => frame.data !== '');
      if (batch.length > 0) yield batch;
      if (overlong >= 0) throw limitExceeded('event', maxEventLength);
    }
    fragments.push(last);
    length += last.length;
    if (length > maxEventLength) throw limitExceeded('event', maxEventLength);
  }
  const frame = lineToFrame(fragments.join(''));
  if (frame.data) yield [{ ...frame, unfinished: true }];
}

/** Matches JSON, a prefix with its value, or a comment. */
const MARKED = /^(?:data:|[[{":]|[0-9a-k]:|aui-)/;

/** Surrounding white space has no meaning in a frame, but in a line of plain text it is text. */
function lineToFrame(line: string): Frame {
  const trimmed = line.trim();
  if (trimmed === '' || MARKED.test(trimmed)) return { data: trimmed.replace(/^data: ?/, '') };
  return { data: line.replace(/\r$/, '') };
}
