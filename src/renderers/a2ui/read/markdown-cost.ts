/** The signs that Markdown may make elements of. Letters and spaces are text in any number. */
const MARK = /[!-/:-@[-`{-~\n]/g;

/**
 * About how many elements Markdown makes of a text at most: one for each sign. In a table, each line has the cells of all
 * columns, also without a sign.
 */
export function markdownCost(text: string): number {
  const marks = text.match(MARK)?.length ?? 0;
  if (!text.includes('|')) return marks;
  const lines = text.split('\n');
  const columns = lines.reduce((most, line) => Math.max(most, line.split('|').length), 0);
  return marks + columns * lines.length;
}
