/** Closes unfinished Markdown, such as an open code block. Otherwise it would also contain the next exported messages. */

/** The start of a tag or comment. */
const TAG_START = /<(?=[a-z!?/])/gi;

/**
 * Escapes tags and comments, so that they are shown as text. An entity is used, because a backslash escapes nothing after another
 * backslash or in an HTML block.
 */
export const escapeTags = (text: string): string => text.replace(TAG_START, '&lt;');

/** Quotes every line. A block that begins in the quote ends with it. */
export const quote = (text: string): string => text.replace(/^/gm, '> ');

/**
 * Closes a code block that is open at the end of a text. If it is unclear what else is open, the complete text is quoted and its tags are
 * escaped.
 */
export function closeMarkdown(text: string): string {
  const { prose, end } = splitFences(text);
  return end === undefined || !isBalanced(prose) ? quote(escapeTags(text)) : text + end;
}

const FENCE = /^( *)(`{3,}(?!.*`)|~{3,}(?!~))(.*)$/s;
/** A blank line of Markdown. Other whitespace, such as a no-break space, counts as text. */
const BLANK = /^[ \t]*$/;
/** A fence after a tab or a list marker. The list determines where the code block ends, and lists are not parsed here. */
const UNCLEAR_FENCE = /^(?! *[>`~])[ \t>*+\-\d.)]*(?:`{3}|~{3})/;
/** The start of an HTML block. A fence in it is text. Most HTML blocks end at a blank line. */
const HTML_BLOCK = /^[ \t>*+\-\d.)]*<[a-z!?/]/im;
/** The start of an HTML block that continues after a blank line, until its own end marker. */
const LONG_HTML_BLOCK = /^[ \t>*+\-\d.)]*<(?:[!?]|(?:script|pre|style|textarea)(?![\w-]))/im;

/**
 * Separates a text from its code blocks.
 *
 * @returns the lines outside of code blocks, and the text that closes the last code block: empty if none is open, undefined if it is
 * unclear where a code block ends
 */
function splitFences(text: string): { readonly prose: string; readonly end: string | undefined } {
  const prose: string[] = [];
  let fence: { readonly indent: string; readonly mark: string } | undefined;
  let inHtml = false;
  let isLongHtml = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const [, indent = '', mark = '', info = ''] = FENCE.exec(line) ?? [];
    if (fence) {
      if (mark.startsWith(fence.mark) && BLANK.test(info)) {
        if (indent !== fence.indent) return { prose: '', end: undefined };
        fence = undefined;
        // A line with a smaller indentation may end the list that contains the code block.
      } else if (!BLANK.test(line) && !line.startsWith(fence.indent)) return { prose: '', end: undefined };
    } else if (mark ? inHtml : UNCLEAR_FENCE.test(line)) return { prose: '', end: undefined };
    else if (mark) fence = { indent, mark };
    else {
      prose.push(line);
      // The end marker is not searched: the rest of the text counts as HTML.
      if (LONG_HTML_BLOCK.test(line)) isLongHtml = true;
      inHtml = isLongHtml || (!BLANK.test(line) && (inHtml || HTML_BLOCK.test(line)));
    }
  }
  return { prose: prose.join('\n'), end: fence ? `\n${fence.indent}${fence.mark}` : '' };
}

/** An escaped character, or a code span in one line. A span with `|` is not matched, because `|` may separate two table cells. */
const ESCAPE_OR_CODE_SPAN = /\\.|(?<!`)(`{1,8})(?!`)[^`|\n]+(?<!`)\1(?!`)/g;
const TAG_OR_COMMENT =
  /<!--(?!-?>)[\s\S]*?-->|<(\/?)([a-z][a-z\d]*)(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"`]*"|'[^'`]*'|[^\s"'=<>`]+))?)*\s*(\/?)>/gi;
const VOID_ELEMENTS = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** Whether all elements and comments are closed and correctly nested. If that is unclear, the result is false. */
function isBalanced(prose: string): boolean {
  const isHtml = HTML_BLOCK.test(prose);
  // A tag after a backslash is text, but not in an HTML block. Which lines belong to the block is not examined.
  if (isHtml && prose.includes('\\<')) return false;
  const text = isHtml ? prose : prose.replace(ESCAPE_OR_CODE_SPAN, '');
  if (text.lastIndexOf('<!--') > text.lastIndexOf('-->')) return false;
  const open: string[] = [];
  for (const [tag, slash, rawName = ''] of text.matchAll(TAG_OR_COMMENT)) {
    const name = rawName.toLowerCase();
    if (name === '') continue;
    // In Markdown, no tag continues after a blank line.
    if (/[\r\n][ \t]*[\r\n]/.test(tag)) return false;
    if (VOID_ELEMENTS.has(name)) continue;
    if (!slash) open.push(name);
    else if (open.pop() !== name) return false;
  }
  // The rest has no complete tag, but may have the start of one. Without an HTML block, only the start of a line is examined.
  const rest = text.replace(TAG_OR_COMMENT, '');
  return open.length === 0 && !(isHtml ? /<[a-z!?/]/i : HTML_BLOCK).test(rest);
}
