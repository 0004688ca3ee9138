/** The blocks that a definition can change although they come before it. */

/** Labels as marked compares them, without block quote marks at the beginning of a line. */
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

/** A footnote marker is text until its note arrives. */
const isNoteMark = (raw: string): boolean => /\[\^[^\s[\]]+\]/.test(raw);

/**
 * Whether a block may be read again because it uses a definition of the text. An unclosed `<a>` continues in the next
 * block.
 */
export function makeReach(text: string): (raw: string) => boolean {
  const lines = text.replace(/\r\n?/g, '\n');
  const defined = labelsIn(lines, DEFINED);
  if (defined.size === 0) return isNoteMark;
  if (/<a\b/i.test(text)) return () => true;
  return (raw) => isNoteMark(raw) || [...labelsIn(raw, LABEL)].some((label) => defined.has(label));
}
