/** Keeps an unfinished part of a message, such as an open code block, from swallowing the next exported messages. */

/** The start of a tag or comment. */
const TAG = /<(?=[a-z!?/])/gi;

/** Shows tags and comments as text. With an entity: a backslash is no escape after another one, or inside of an HTML block. */
export const escapeTags = (text: string): string => text.replace(TAG, '&lt;');

/** Puts every line into a quotation, which ends each block that begins in it. */
export const quote = (text: string): string => text.replace(/^/gm, '> ');

/** Ends a code block that is open at the end of a text. A text whose end is unclear is quoted, without HTML. */
export function closeMarkdown(text: string): string {
  const { prose, end } = splitFences(text);
  return end === undefined || !isBalanced(prose) ? quote(escapeTags(text)) : text + end;
}

const FENCE = /^( *)(`{3,}(?!.*`)|~{3,}(?!~))(.*)$/s;
/** In Markdown, no other space is blank. */
const BLANK = /^[ \t]*$/;
/** A fence after a tab or a list marker: where it ends depends on the list. */
const UNCLEAR_FENCE = /^(?! *[>`~])[ \t>*+\-\d.)]*(?:`{3}|~{3})/;
/** The start of an HTML block, in which fences are text: most end at a blank line. */
const HTML_BLOCK = /^[ \t>*+\-\d.)]*<[a-z!?/]/im;
const LONG_HTML_BLOCK = /^[ \t>*+\-\d.)]*<(?:[!?]|(?:script|pre|style|textarea)(?![\w-]))/im;

/** Separates a text from its code blocks. `end` closes the last one; undefined if it is unclear where they end. */
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
        // A list ends before a line with a smaller indentation, and its code block with it.
      } else if (!BLANK.test(line) && !line.startsWith(fence.indent)) return { prose: '', end: undefined };
    } else if (mark ? inHtml : UNCLEAR_FENCE.test(line)) return { prose: '', end: undefined };
    else if (mark) fence = { indent, mark };
    else {
      prose.push(line);
      if (LONG_HTML_BLOCK.test(line)) isLongHtml = true;
      inHtml = isLongHtml || (!BLANK.test(line) && (inHtml || HTML_BLOCK.test(line)));
    }
  }
  return { prose: prose.join('\n'), end: fence ? `\n${fence.indent}${fence.mark}` : '' };
}

/** Code in one line. A bar would separate two cells of a table. */
const CODE_SPAN = /\\.|(?<!`)(`{1,8})(?!`)[^`|\n]+(?<!`)\1(?!`)/g;
const HTML =
  /<!--(?!-?>)[\s\S]*?-->|<(\/?)([a-z][a-z\d]*)(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"`]*"|'[^'`]*'|[^\s"'=<>`]+))?)*\s*(\/?)>/gi;
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** Whether each element and comment ends in the text, in the order in which they begin. */
function isBalanced(prose: string): boolean {
  const isHtml = HTML_BLOCK.test(prose);
  // Inside of an HTML block, a backslash escapes nothing; elsewhere it makes a tag text.
  if (isHtml && prose.includes('\\<')) return false;
  const text = isHtml ? prose : prose.replace(CODE_SPAN, '');
  if (text.lastIndexOf('<!--') > text.lastIndexOf('-->')) return false;
  const open: string[] = [];
  for (const [tag, slash, spelled = ''] of text.matchAll(HTML)) {
    const name = spelled.toLowerCase();
    if (name === '') continue;
    // A blank line ends a tag.
    if (/[\r\n][ \t]*[\r\n]/.test(tag)) return false;
    if (VOID.has(name)) continue;
    if (!slash) open.push(name);
    else if (open.pop() !== name) return false;
  }
  // What is left is no complete tag: it may begin one. Inside of an HTML block, that is also so within a line.
  const rest = text.replace(HTML, '');
  return open.length === 0 && !(isHtml ? /<[a-z!?/]/i : HTML_BLOCK).test(rest);
}
