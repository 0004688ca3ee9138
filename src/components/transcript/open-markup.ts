import { DROPPED_WITH_CONTENT } from '../../safety/allowed-html.ts';

/** The start of a part that is not shown as it is written: code, comments, tags, the target of a link, a definition. */
const START = /```|~~~|<!--|<[!?]|<\/?([a-z][^\s/>]*)|\]\(|^ {0,3}\[(?!\^)[^\]\n]{1,999}\]:/gim;
/** Quotes matter only after a `=`, as in `read-html.ts`. */
const TAG_END = /[^>=]*(?:=(?:(?!\s*["'])|\s*(?:"[^"]*"|'[^']*'))[^>=]*)*>/y;
const LINK_END = /[^()\n"]*(?:"[^"\n]*"[^()\n"]*)*\)/y;
const DEFINITION_END = /[ \t]*(?:\n[ \t]*)?[^\s"'(]\S*(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*\n/y;

/**
 * Position of the first part of a growing Markdown text that has begun and has no end yet; the length of the text if there is none.
 * A text that is cut within such a part would be read as if the rest of the part were visible.
 */
export function openMarkupOf(text: string): number {
  let at = 0;
  let paragraphEnd = -1;
  for (;;) {
    START.lastIndex = at;
    const start = START.exec(text);
    if (!start) return text.length;
    const [mark, spelled = ''] = start;
    const name = spelled.toLowerCase();
    const from = start.index + mark.length;
    if (paragraphEnd < from) paragraphEnd = nextParagraph(text, from);
    // No link, tag or definition goes on after a blank line.
    const end = endOf(isLong(mark, name) ? text : text.slice(0, paragraphEnd), mark, name, from);
    if (end < 0 && (isLong(mark, name) || paragraphEnd === text.length))
      return mark === '](' ? Math.max(0, text.lastIndexOf('[', start.index)) : start.index;
    // What looks like a tag and has no end is text, as are others in its paragraph: each character is read once.
    at = end < 0 && mark.startsWith('<') ? paragraphEnd : Math.max(end, from);
  }
}

const nextParagraph = (text: string, from: number): number => {
  const at = text.indexOf('\n\n', from);
  // With a line end, which ends a definition.
  return at < 0 ? text.length : at + 1;
};

/** Whether a part may contain blank lines. */
const isLong = (mark: string, name: string): boolean =>
  ['```', '~~~', '<!--'].includes(mark) || DROPPED_WITH_CONTENT.has(name);

function endOf(text: string, mark: string, name: string, from: number): number {
  if (mark === '```' || mark === '~~~') return after(text, mark, from);
  if (mark === '<!--') return after(text, '-->', from);
  if (mark === '<!' || mark === '<?') return after(text, '>', from);
  if (mark === '](') return match(LINK_END, text, from);
  if (mark.endsWith(':')) return match(DEFINITION_END, text, from);
  if (mark[1] === '/' || !DROPPED_WITH_CONTENT.has(name)) return match(TAG_END, text, from);
  const close = new RegExp(`</${name}`, 'gi');
  return match(close, text, from);
}

const after = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
};

/** The end of a match from a position on, or -1. */
function match(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
