/** Elements that start and end a line. */
const LINES = 'p, div, li, tr, pre, blockquote, h1, h2, h3, h4, h5, h6, article, details, summary, br';

/** The selected text of an element, one line per paragraph. */
export function textOfRange(element: Element, range: Range): string {
  const part = document.createRange();
  part.selectNodeContents(element);
  if (element.contains(range.startContainer)) part.setStart(range.startContainer, range.startOffset);
  if (element.contains(range.endContainer)) part.setEnd(range.endContainer, range.endOffset);
  const copy = part.cloneContents();
  for (const control of copy.querySelectorAll('button, [hidden], .hidden-visually')) control.remove();
  for (const line of copy.querySelectorAll(LINES)) {
    line.before('\n');
    line.after('\n');
  }
  return copy.textContent.replace(/(?<![ \t])[ \t]*\n\s*/g, '\n').trim();
}
