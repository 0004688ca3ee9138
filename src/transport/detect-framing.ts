/**
 * Detects the framing of a body from its first characters, unless the protocol that the page has set has its own.
 * Content types are unreliable: three products send other formats as `text/event-stream`, and two send streams as
 * `application/json`. Source: `docs/protocols/text-and-json.md`.
 */
import type { Framing } from './frame.ts';
import { isJson } from './is-json.ts';

/** How many characters of comments before the first field or object are skipped. */
const MAX_COMMENTS = 4096;
/** Length of the longest beginning of a web page, `<!doctype`. */
const LONGEST_HTML_START = 9;

/** A field of the standard, a comment, or a line that Flowise (`message:`) or Genkit (`error: {"`) writes before its events. */
const SSE_FIELD = /^(?:data|event|id|retry)(?::|[\r\n])|^:|^message:?[\r\n]|^error: ?\{"/;
const PARTIAL_SSE_FIELD =
  /^(?:d|da|dat|data|e|ev|eve|even|event|i|id|r|re|ret|retr|retry|m|me|mes|mess|messa|messag|message:?|er|err|erro|error(?:: ?\{?)?)$/;
/** A line of AI SDK 4's data stream (`0:"text"`) or of assistant-ui (`aui-…`). */
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

/**
 * Returns the framing; undefined if more characters are needed.
 *
 * @param isEnough - decide now: the body has ended, or so much of it is known that waiting would not help
 * @param known - the framing that the protocol has: it is used unless the server sent a web page instead
 */
export function detectFraming(head: string, isEnough: boolean, known?: Framing): Framing | undefined {
  if (known && NOT_HTML.test(head)) return known;
  const detected = framingOf(head, isEnough);
  return known && detected !== undefined && detected !== 'html' ? known : detected;
}

function framingOf(text: string, isEnough: boolean): Framing | undefined {
  const head = withoutComments(text);
  if (head === '') return isEnough ? (text.trimStart() === '' ? 'text' : 'sse') : undefined;
  if (BRACKETED_TEXT.test(head)) return 'text';
  if (head.startsWith('[')) return isEnough || /["{]/.test(head) ? 'json' : undefined;
  if (head.startsWith('{')) return framingOfObject(head, isEnough);
  if (SSE_FIELD.test(head)) return 'sse';
  if (PREFIXED_LINE.test(head)) return 'lines';
  if (HTML.test(head)) return 'html';
  const undecided =
    PARTIAL_SSE_FIELD.test(head) ||
    PARTIAL_PREFIX.test(head) ||
    (head.startsWith('<') && head.length < LONGEST_HTML_START);
  return undecided && !isEnough ? undefined : 'text';
}

/** Returns the text after its comments: a stream of objects, each on a line of its own, may begin with a comment too. */
function withoutComments(text: string): string {
  let head = text.trimStart();
  while (head.startsWith(':') && text.length - head.length < MAX_COMMENTS) {
    const end = head.search(/[\r\n]/);
    head = end < 0 ? '' : head.slice(end).trimStart();
  }
  return head;
}

/**
 * Decides whether a text that begins with `{` is one document of several lines (`json`) or has an object on each line
 * (`lines`); undefined if more characters are needed. One object on one line is both, and read as `lines`.
 */
function framingOfObject(head: string, isEnough: boolean): Framing | undefined {
  const newline = head.indexOf('\n');
  if (newline < 0) return isEnough ? 'lines' : undefined;
  const first = head.slice(0, newline).trimEnd();
  if (first.endsWith('}')) return 'lines';
  // In a document, the second line is a member; in a stream whose first line is broken, it is the next object. After a `[`,
  // `:` or `,` a member may begin with `{` too.
  const second = head.slice(newline + 1).trimStart();
  if (!second.startsWith('{')) return second === '' && !isEnough ? undefined : 'json';
  if (!/[[:,]$/.test(first)) return 'lines';
  const end = second.indexOf('\n');
  if (end < 0 && !isEnough) return undefined;
  return isJson(end < 0 ? second : second.slice(0, end)) ? 'lines' : 'json';
}
