import type { Table } from './suite.ts';

/** A table as Markdown: its first column is text, the others are figures. */
export function toMarkdown({ caption, head, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = line(head.map((_, column) => (column === 0 ? ':--' : '--:')));
  return [...(caption ? [`${caption}\n`] : []), line(head), rule, ...rows.map(line)].join('\n');
}
