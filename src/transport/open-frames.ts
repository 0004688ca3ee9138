import { frameLimits, type FrameLimits, type FrameStream, type Framing } from './frame.ts';
import { isJson } from './is-json.ts';
import { readJson } from './json.ts';
import { readLines } from './ndjson.ts';
import { readSse } from './sse.ts';
import { readPlainText } from './text.ts';

/**
 * How many characters are inspected to detect the framing. A longer first line is text or is identified by its
 * beginning.
 */
const MAX_INSPECTED = 64 * 1024;

/** How many characters of comments before the first field or object are skipped to detect the framing. */
const MAX_COMMENTS = 4096;

/**
 * Opens a body as frames. The framing is detected from the first bytes, because content types are unreliable: three
 * products send other formats as `text/event-stream`, and two send streams as `application/json`. A known `framing`
 * is used as it is, unless the server sent a web page instead.
 * Source: `docs/protocols/text-and-json.md`.
 */
export async function openFrames(
  chunks: AsyncIterable<string>,
  { framing, limits = frameLimits }: { readonly framing?: Framing | undefined; readonly limits?: FrameLimits } = {},
): Promise<FrameStream> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head = '';
  let detected: Framing | undefined;
  while (!detected) {
    const next = await iterator.next();
    head += next.done ? '' : next.value;
    detected =
      framing && NOT_HTML.test(head) ? framing : framingOf(head, next.done === true || head.length > MAX_INSPECTED);
  }
  if (framing && detected !== 'html') detected = framing;
  return { framing: detected, batches: readAs(detected, prepend(head.trim() === '' ? '' : head, iterator), limits) };
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

async function* prepend(head: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    if (head) yield head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

const SSE_FIELD = /^(?:data|event|id|retry)(?::|[\r\n])|^:|^message:?[\r\n]|^error: ?\{"/;
const PARTIAL_SSE_FIELD =
  /^(?:d|da|dat|data|e|ev|eve|even|event|i|id|r|re|ret|retr|retry|m|me|mes|mess|messa|messag|message:?|er|err|erro|error(?:: ?\{?)?)$/;
const PREFIXED_LINE = /^(?:[0-9a-k]|aui-[a-z-]+):\s*["{[]/;
const PARTIAL_PREFIX = /^(?:[0-9a-k]|aui-[a-z-]*):?\s*$|^a(?:ui?)?$/;
/** The start of a body that can't be a web page. */
const NOT_HTML = /^\s*[^\s<]/;
const HTML = /^<(?:!--|(?:!doctype|html|head|body|title|meta|link|script|style|\?xml)\b)/i;
/**
 * Plain text that starts with a bracket, such as a link, a mark or a formula: neither a list of objects nor an
 * object.
 */
const BRACKETED_TEXT = /^\[(?!\s*["{]|\s*$|\]\s*$)|^\{[^\s\w"'}]/;

/** The framing, or undefined if more characters are needed. `all`: the body is complete. */
function framingOf(text: string, all: boolean): Framing | undefined {
  const head = withoutComments(text);
  if (head === '') return all ? (text.trimStart() === '' ? 'text' : 'sse') : undefined;
  if (BRACKETED_TEXT.test(head)) return 'text';
  if (head.startsWith('[')) return all || /["{]/.test(head) ? 'json' : undefined;
  if (head.startsWith('{')) return framingOfObject(head, all);
  if (SSE_FIELD.test(head)) return 'sse';
  if (PREFIXED_LINE.test(head)) return 'lines';
  if (HTML.test(head)) return 'html';
  const undecided =
    PARTIAL_SSE_FIELD.test(head) || PARTIAL_PREFIX.test(head) || (head.startsWith('<') && head.length < 9);
  return undecided && !all ? undefined : 'text';
}

/** A server that sends an object a line as an event stream may begin with a comment. */
function withoutComments(text: string): string {
  let head = text.trimStart();
  while (head.startsWith(':') && text.length - head.length < MAX_COMMENTS) {
    const end = head.search(/[\r\n]/);
    head = end < 0 ? '' : head.slice(end).trimStart();
  }
  return head;
}

/** A document of several lines, or an object a line. */
function framingOfObject(head: string, all: boolean): Framing | undefined {
  const newline = head.indexOf('\n');
  if (newline < 0) return all ? 'lines' : undefined;
  const first = head.slice(0, newline).trimEnd();
  if (first.endsWith('}')) return 'lines';
  // A document of several lines has its members there; a stream whose first line is broken has its next object there.
  // Only after an open list, the next line may begin like both.
  const second = head.slice(newline + 1).trimStart();
  if (!second.startsWith('{')) return second === '' && !all ? undefined : 'json';
  if (!/[[:,]$/.test(first)) return 'lines';
  const end = second.indexOf('\n');
  if (end < 0 && !all) return undefined;
  return isJson(end < 0 ? second : second.slice(0, end)) ? 'lines' : 'json';
}
