import { frameLimits, type FrameLimits, type FrameStream, type Framing } from './frame.ts';
import { readJson } from './json.ts';
import { readLines } from './ndjson.ts';
import { readSse } from './sse.ts';
import { readPlainText } from './text.ts';

/** How much is looked at to tell the framing; a first line longer than this is text or tells by its beginning. */
const ENOUGH = 64 * 1024;

/**
 * Opens a body as frames. The framing is read off the first bytes, because content types lie: three products send
 * something else as `text/event-stream`, two send streams as `application/json`. A `framing` that is known is believed,
 * unless a web page has come in its place.
 * Source: `protocols/other.md`, "Framing facts".
 */
export async function openFrames(
  chunks: AsyncIterable<string>,
  { framing, limits = frameLimits }: { readonly framing?: Framing | undefined; readonly limits?: FrameLimits } = {},
): Promise<FrameStream> {
  const iterator = chunks[Symbol.asyncIterator]();
  let start = '';
  let found: Framing | undefined;
  while (!found) {
    const next = await iterator.next();
    start += next.done ? '' : next.value;
    found = framing && NO_PAGE.test(start) ? framing : framingOf(start, next.done === true || start.length > ENOUGH);
  }
  if (framing && found !== 'html') found = framing;
  return { framing: found, batches: readAs(found, rejoin(start.trim() === '' ? '' : start, iterator), limits) };
}

function readAs(framing: Framing, chunks: AsyncIterable<string>, limits: FrameLimits): FrameStream['batches'] {
  switch (framing) {
    case 'sse':
      return readSse(chunks, limits);
    case 'lines':
      return readLines(chunks, limits);
    case 'json':
      return readJson(chunks, limits);
    default:
      return readPlainText(chunks);
  }
}

async function* rejoin(start: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    if (start) yield start;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

const SSE_FIELD = /^(?:data|event|id|retry)(?::|[\r\n])|^:|^message:?[\r\n]/;
const SSE_FIELD_BEGUN =
  /^(?:d|da|dat|data|e|ev|eve|even|event|i|id|r|re|ret|retr|retry|m|me|mes|mess|messa|messag|message:?)$/;
const PREFIXED_LINE = /^(?:[0-9a-k]|aui-[a-z-]+):\s*["{[]/;
const PREFIX_BEGUN = /^(?:[0-9a-k]|aui-[a-z-]*):?\s*$|^a(?:ui?)?$/;
/** What no web page begins with. */
const NO_PAGE = /^\s*[^\s<]/;
const HTML = /^<(?:!--|(?:!doctype|html|head|body|title|meta|link|script|style|\?xml)\b)/i;
/** Words that begin with a bracket, such as a link, a mark or a formula: no list of objects and no object. */
const BRACKETED_WORDS = /^\[(?!\s*["{]|\s*$|\]\s*$)|^\{[^\s\w"'}]/;

/** The framing, or undefined while more is needed. `all`: nothing more will come. */
function framingOf(text: string, all: boolean): Framing | undefined {
  const start = text.trimStart();
  if (start === '') return all ? 'text' : undefined;
  if (BRACKETED_WORDS.test(start)) return 'text';
  if (start.startsWith('[')) return all || /["{]/.test(start) ? 'json' : undefined;
  if (start.startsWith('{')) {
    const newline = start.indexOf('\n');
    if (newline < 0) return all ? 'lines' : undefined;
    return start.slice(0, newline).trimEnd().endsWith('}') ? 'lines' : 'json';
  }
  if (SSE_FIELD.test(start)) return 'sse';
  if (PREFIXED_LINE.test(start)) return 'lines';
  if (HTML.test(start)) return 'html';
  const undecided =
    SSE_FIELD_BEGUN.test(start) || PREFIX_BEGUN.test(start) || (start.startsWith('<') && start.length < 9);
  return undecided && !all ? undefined : 'text';
}
