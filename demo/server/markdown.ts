/**
 * Fallbacks as Markdown for steps that a protocol cannot express, and Markdown as plain text for the protocol without
 * Markdown.
 */
import type { Cell, Source, Step, StepOf, StepName } from './step.ts';

/** Parses a number, also with separators and units: `2.7 %`, `9,870.10`. */
const isFigure = (cell: Cell | undefined): boolean => typeof cell === 'number' || /^-?[\d.,]+(?: %)?$/.test(cell ?? '');

const table = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string => {
  const line = (cells: readonly Cell[]): string => `| ${cells.map(String).join(' | ')} |`;
  const align = columns.map((_, index) => (rows.every((row) => isFigure(row[index])) ? '--:' : '---'));
  return `\n${[line(columns), line(align), ...rows.map(line)].join('\n')}\n\n`;
};

/** The numbers of a chart, a row for each label. */
export const chartRows = ({ labels, series }: StepOf<'chart'>): readonly (readonly Cell[])[] =>
  labels.map((label, index) => [label, ...series.map(({ values }) => values[index] ?? '')]);

export const sourceLink = ({ title, url }: Source): string => ` ([${title}](${url}))`;

/** A tool call as a line of reasoning, because many protocols have no calls of the agent's own tools. */
export const toolNote = ({ description, summary, outcome }: StepOf<'tool'>): string =>
  `\n\n${description}: ${'failure' in outcome ? outcome.failure.message : summary}.`;

type Words = { readonly [Name in StepName]: (step: StepOf<Name>) => string };

const words: Words = {
  text: ({ text }) => text,
  // Not part of the answer; only protocols with a field for them send them.
  think: () => '',
  suggestions: () => '',
  tool: ({ description, summary, outcome }) =>
    `*${description}: ${'failure' in outcome ? outcome.failure.message : summary}.*\n\n`.replace('..', '.'),
  table: ({ columns, rows }) => table(columns, rows),
  chart: (chart) => table([chart.name, ...chart.series.map(({ name }) => name)], chartRows(chart)),
  image: ({ description, mimeType, data }) => `\n![${description}](data:${mimeType};base64,${data})\n\n`,
  record: ({ value }) => `\n\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\`\n\n`,
  surface: ({ description }) => `${description}\n\n`,
  permission: ({ question }) => `\n\n${question}\n`,
  toolLimit: ({ question }) => `\n\n${question}\n`,
  pageTools: ({ question }) => `\n\n${question}\n`,
  rateLimit: ({ providerId, currentQps, qpsLimit }) =>
    `*${providerId} asks to wait: ${String(currentQps)} of ${String(qpsLimit)} requests a second.*\n\n`,
  error: ({ message }) => `\n\n**Something went wrong.** ${message}\n`,
  speaker: ({ name }) => `\n**${name}**\n\n`,
};

/** A step as Markdown. */
export function asMarkdown(step: Step): string {
  // TypeScript cannot relate the key to the argument; the mapped type above guarantees it.
  return words[step.type](step as never);
}

/**
 * Removes Markdown syntax: "all text is plain text without Markdown symbols". Citation marks stay. Source:
 * `docs/protocols/agent-phase.md`.
 */
export function asPlainText(markdown: string): string {
  let fenced = false;
  return markdown
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('```')) {
        fenced = !fenced;
        return [];
      }
      if (fenced || /^\|[-:| ]+\|$/.test(line)) return fenced ? [line] : [];
      return [plainLine(line)];
    })
    .join('\n');
}

const plainLine = (line: string): string =>
  line
    .replace(/^#+ /, '')
    .replace(/^> ?/, '')
    .replace(/^(\s*)- \[x\] /, '$1✓ ')
    .replace(/^(\s*)- \[ \] /, '$1○ ')
    .replace(/^(\s*)- /, '$1• ')
    .replace(/^\| (.*) \|$/, (_, cells: string) => cells.split(' | ').join(', '))
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]*)\]\(([^)]*)\)/g, '$1 ($2)')
    .replace(
      /\*\*([^*]+)\*\*|\*([^*]+)\*|`([^`]+)`/g,
      (_, ...groups: (string | undefined)[]) => groups.slice(0, 3).find((group) => group !== undefined) ?? '',
    );
