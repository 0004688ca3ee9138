import { createParser } from 'eventsource-parser';
import { tooLong, type Frame, type FrameLimits } from './frame.ts';

/**
 * Server-sent events as WHATWG says, with two kindnesses that agents need: an event without its blank line at the end of
 * the body still counts, and whole JSON objects on `data` lines directly under one another are an event each.
 * Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* readSse(
  chunks: AsyncIterable<string>,
  { maxEventLength }: Pick<FrameLimits, 'maxEventLength'>,
): AsyncGenerator<readonly Frame[]> {
  let batch: Frame[] = [];
  const seen = { overflow: false };
  const parser = createParser({
    onEvent: (frame) => {
      seen.overflow ||= frame.data.length > maxEventLength;
      if (!seen.overflow) batch.push(frame);
    },
    onError: (error) => (seen.overflow ||= error.type === 'max-buffer-size-exceeded'),
    maxBufferSize: maxEventLength,
  });
  const lines = gatherLines();
  const separate = separateObjects();
  const take = (text: string): readonly Frame[] => {
    batch = [];
    if (!seen.overflow) parser.feed(text);
    return batch;
  };
  for await (const chunk of chunks) {
    const frames = take(separate(lines.take(chunk)));
    if (frames.length > 0) yield frames;
    if (seen.overflow || lines.waiting() > maxEventLength) throw tooLong('event', maxEventLength);
  }
  const whole = take(separate(lines.rest()));
  if (whole.length > 0) yield whole;
  const cut = take('\n\n');
  if (cut.length > 0) yield cut.map((frame) => ({ ...frame, unfinished: true }));
  if (seen.overflow) throw tooLong('event', maxEventLength);
}

/** Whole lines, with their ends. What has no end yet waits in pieces: joining it with every read would cost its square. */
function gatherLines() {
  let pieces: string[] = [];
  let length = 0;
  /** A CR at the end of a read, which may be half of a CRLF. */
  let half = '';
  return {
    take(chunk: string): string {
      const all = half + chunk;
      half = all.endsWith('\r') ? '\r' : '';
      const text = half ? all.slice(0, -1) : all;
      const end = endOfLines(text);
      const whole = end > 0 ? pieces.join('') + text.slice(0, end) : '';
      if (end > 0) [pieces, length] = [[], 0];
      pieces.push(text.slice(end));
      length += text.length - end;
      return whole;
    },
    waiting: () => length,
    rest: () => pieces.join('') + (half && '\r\n'),
  };
}

/** Behind the last line end. A CR is looked for behind the last LF alone: the whole of it would be read for one that is not there. */
function endOfLines(text: string): number {
  const end = text.lastIndexOf('\n') + 1;
  return end + text.slice(end).lastIndexOf('\r') + 1;
}

const OBJECT_LINE = /^data: ?(\{[^\r\n]*\})(\r\n|\n|\r)(?=data: ?\{)/gm;
const LAST_LINE = /(?:^|[\r\n])data: ?(\{[^\r\n]*\})(?:\r\n|\n|\r)$/;

/**
 * Puts the missing blank line between one whole JSON object on a `data` line and the next. Nothing that is JSON goes on
 * behind a whole object, so nothing that belongs together is taken apart, and a reader need not wait for the end of the
 * body. Source: message-field, section 2 ("Trap").
 */
function separateObjects(): (lines: string) => string {
  /** The object that the lines so far end with. */
  let last: string | undefined;
  return (lines) => {
    if (lines === '') return lines;
    // Two line ends: the first may be taken for the second half of a CRLF.
    const gap = last !== undefined && /^data: ?\{/.test(lines) && isJson(last) ? '\n\n' : '';
    last = lastObject(lines);
    // Nearly every server sets the blank line, and to see that is much quicker than to look for what to replace.
    if (!lines.includes('}\nd') && !lines.includes('\r')) return gap + lines;
    return gap + lines.replace(OBJECT_LINE, (line, json: string, end: string) => (isJson(json) ? line + end : line));
  };
}

function lastObject(lines: string): string | undefined {
  if (lines.endsWith('\n\n')) return undefined;
  return LAST_LINE.exec(lines.slice(lines.lastIndexOf('\n', lines.length - 2) + 1))?.[1];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
