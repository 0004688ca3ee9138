/**
 * Detects the framing of a body from its first characters, unless the page has set a protocol with a framing of its own.
 * The content type is not used, because it is unreliable: some servers send other formats as `text/event-stream`, and
 * others send streams as `application/json`.
 */
import type { Framing } from './frame.ts';
import { isJson } from './is-json.ts';

/** The maximum number of characters of comments before the first field or object that are skipped. */
const MAX_COMMENTS = 4096;
/** Length of the longest beginning of a web page, `<!doctype`. */
const LONGEST_HTML_START = 9;

/**
 * A field of the standard, a comment, or a nonstandard field of two agent frameworks: Flowise writes `message:` before its
 * events, and Genkit reports an error as `error: {"…`.
 */
const SSE_FIELD = /^(?:data|event|id|retry)(?::|[\r\n])|^:|^message:?[\r\n]|^error: ?\{"/;
const PARTIAL_SSE_FIELD =
  /^(?:d|da|dat|data|e|ev|eve|even|event|i|id|r|re|ret|retr|retry|m|me|mes|mess|messa|messag|message:?|er|err|erro|error(?:: ?\{?)?)$/;
/** A line with a prefix: of AI SDK 4's data stream (`0:"text"`), or of assistant-ui's (`aui-…`). */
const PREFIXED_LINE = /^(?:[0-9a-k]|aui-[a-z-]+):\s*["{[]/;
const PARTIAL_PREFIX = /^(?:[0-9a-k]|aui-[a-z-]*):?\s*$|^a(?:ui?)?$/;
/** The start of a body that can't be a web page. */
const NOT_HTML = /^\s*[^\s<]/;
const HTML = /^<(?:!--|(?:!doctype|html|head|body|title|meta|link|script|style|\?xml)\b)/i;
/**
 * Plain text that starts with a bracket: a Markdown link (`[`) is not followed by a string or an object as in a JSON
 * list, and a formula or a template (`{\`, `{%`) not by a name as in a JSON object.
 */
const BRACKETED_TEXT = /^\[(?!\s*["{]|\s*$|\]\s*$)|^\{[^\s\w"'}]/;

/**
 * Returns the framing; undefined if more characters are needed.
 *
 * @param isEnough - whether to decide now, because the body has ended or because more characters would not help
 * @param known - the framing of the protocol that the page has set. It is used unless the server sent a web page instead
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

/** Returns the text after its leading comments (lines with `:`), which may also precede objects on lines of their own. */
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
  // The first line is not an object. If the second line is a member (`"a": 1`), they belong to one document. If it begins
  // with `{`, it is the next object of a stream whose first line is broken. But after `[`, `:` or `,` it may also be a value
  // of the document.
  const second = head.slice(newline + 1).trimStart();
  if (!second.startsWith('{')) return second === '' && !isEnough ? undefined : 'json';
  if (!/[[:,]$/.test(first)) return 'lines';
  const end = second.indexOf('\n');
  if (end < 0 && !isEnough) return undefined;
  return isJson(end < 0 ? second : second.slice(0, end)) ? 'lines' : 'json';
}
