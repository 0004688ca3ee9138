import { createParser } from 'eventsource-parser';
import { isJson } from './is-json.ts';
import { limitExceeded, type Frame, type FrameLimits } from './frame.ts';

/**
 * Reads server-sent events as WHATWG defines them, with three extensions that agent servers need. An event at the end
 * of the body counts even without its blank line. Consecutive `data` lines that each hold a complete JSON object are
 * separate events. If a server writes no space after the colon, leading spaces of the text are preserved.
 * Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* readSse(
  chunks: AsyncIterable<string>,
  { maxEventLength }: Pick<FrameLimits, 'maxEventLength'>,
): AsyncGenerator<readonly Frame[]> {
  let batch: Frame[] = [];
  const state = { overflow: false };
  const parser = createParser({
    onEvent: (frame) => {
      state.overflow ||= frame.data.length > maxEventLength;
      if (!state.overflow) batch.push(frame);
    },
    onError: ({ type, field, value = '' }) => {
      state.overflow ||= type === 'max-buffer-size-exceeded';
      // Genkit reports an error in a nonstandard `error` field, which the standard ignores.
      if (field === 'error' && !state.overflow && isJson(value)) batch.push({ event: 'error', data: value });
    },
    maxBufferSize: maxEventLength,
  });
  /** The `data` lines of the event that is not complete yet. */
  let dataLines = 0;
  const lines = gatherLines();
  const separateObjects = makeObjectSeparator();
  const preserveSpaces = makeSpacePreserver();
  const take = (text: string): readonly Frame[] => {
    batch = [];
    if (state.overflow) return batch;
    parser.feed(text);
    dataLines = batch.length > 0 ? 0 : dataLines + (text.match(DATA_LINE)?.length ?? 0);
    state.overflow ||= dataLines * LINE_COST > maxEventLength;
    return batch;
  };
  for await (const chunk of chunks) {
    const frames = take(preserveSpaces(separateObjects(lines.take(chunk))));
    if (frames.length > 0) yield frames;
    if (state.overflow || lines.bufferedLength() > maxEventLength) throw limitExceeded('event', maxEventLength);
  }
  const lastEvents = take(preserveSpaces(separateObjects(lines.rest())));
  if (lastEvents.length > 0) yield lastEvents;
  const truncated = take('\n\n');
  if (truncated.length > 0) yield truncated.map((frame) => ({ ...frame, unfinished: true }));
  if (state.overflow) throw limitExceeded('event', maxEventLength);
}

/**
 * Collects complete lines including their line ends. An incomplete line is stored as fragments: joining them on every
 * read would take quadratic time.
 */
function gatherLines() {
  let fragments: string[] = [];
  let length = 0;
  /** A CR at the end of a read, which may be the first half of a CRLF. */
  let pendingCr = '';
  return {
    take(chunk: string): string {
      const all = pendingCr + chunk;
      pendingCr = all.endsWith('\r') ? '\r' : '';
      const text = pendingCr ? all.slice(0, -1) : all;
      const end = endOfLines(text);
      const lines = end > 0 ? fragments.join('') + text.slice(0, end) : '';
      if (end > 0) [fragments, length] = [[], 0];
      fragments.push(text.slice(end));
      length += text.length - end;
      return lines;
    },
    bufferedLength: () => length,
    rest: () => fragments.join('') + (pendingCr && '\r\n'),
  };
}

/**
 * The index after the last line end. A CR is searched only after the last LF; otherwise text without a CR would be
 * scanned completely.
 */
function endOfLines(text: string): number {
  const end = text.lastIndexOf('\n') + 1;
  return end + text.slice(end).lastIndexOf('\r') + 1;
}

const DATA_LINE = /^data\b/gm;
/**
 * The minimum number of characters that each `data` line of an event counts as. The parser needs about 64 bytes for each:
 * 8 million lines of one letter took 0.5 GB, although their text is within the limit.
 */
const LINE_COST = 16;

const OBJECT_LINE = /^data: ?(\{[^\r\n]*\})(\r\n|\n|\r)(?=data: ?(?:\{|\[DONE\]))/gm;
const LAST_LINE = /(?:^|[\r\n])data: ?(\{[^\r\n]*\})(?:\r\n|\n|\r)$/;

/**
 * Inserts the missing blank line between two `data` lines that each hold a complete JSON object. No valid JSON
 * continues after a complete object, so no event is split. The events can be read before the body ends.
 * Source: `docs/protocols/message-field.md`.
 */
function makeObjectSeparator(): (lines: string) => string {
  /** The object at the end of the previous lines. */
  let last: string | undefined;
  return (lines) => {
    if (lines === '') return lines;
    // Two line ends, because the first could be read as the second half of a CRLF.
    const gap = last !== undefined && /^data: ?(?:\{|\[DONE\])/.test(lines) && isJson(last) ? '\n\n' : '';
    last = lastObject(lines);
    // Nearly every server writes the blank line. This check is much faster than a search for replacements.
    if (!lines.includes('}\nd') && !lines.includes('\r')) return gap + lines;
    return gap + lines.replace(OBJECT_LINE, (line, json: string, end: string) => (isJson(json) ? line + end : line));
  };
}

function lastObject(lines: string): string | undefined {
  if (lines.endsWith('\n\n')) return undefined;
  return LAST_LINE.exec(lines.slice(lines.lastIndexOf('\n', lines.length - 2) + 1))?.[1];
}

/** Matches a `data` line whose value starts directly after the colon. */
const UNSPACED = /^data:[^ \r\n]/m;

/**
 * The standard removes one space after the colon. If a server has once written no space, such as Spring with a
 * `Flux<String>`, a later space belongs to the text. It is doubled, so that one remains after parsing.
 * Source: https://github.com/spring-projects/spring-ai/issues/1089
 */
function makeSpacePreserver(): (lines: string) => string {
  let isOn = false;
  return (lines) => {
    const from = isOn ? 0 : lines.search(UNSPACED);
    if (from < 0) return lines;
    isOn = true;
    return lines.slice(0, from) + lines.slice(from).replace(/^data: (?!\[DONE\])/gm, 'data:  ');
  };
}
