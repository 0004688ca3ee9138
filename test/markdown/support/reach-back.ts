/** What a definition reaches back to: the one thing that changes a block which stands before it. */

/** As marked compares labels; marks of quotes at the beginning of a line are not in them. */
const spelled = (label: string): string =>
  label
    .replace(/\n[ \t>]*/g, ' ')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase();

const LABEL = /\[((?:[^[\]\\]|\\[\s\S])+)\]/g;
const DEFINED = /\[((?:[^[\]\\]|\\[\s\S])+)\]:/g;

const labelsIn = (text: string, pattern: RegExp): ReadonlySet<string> =>
  new Set(Array.from(text.matchAll(pattern), ([, label = '']) => spelled(label)));

/** Whether a block may be read again: it names what the text defines. An `<a>` that it leaves open goes on in the next one. */
export function makeReach(text: string): (raw: string) => boolean {
  const lines = text.replace(/\r\n?/g, '\n');
  const defined = labelsIn(lines, DEFINED);
  if (defined.size === 0) return () => false;
  if (/<a\b/i.test(text)) return () => true;
  return (raw) => [...labelsIn(raw, LABEL)].some((label) => defined.has(label));
}
