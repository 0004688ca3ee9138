/** Tokens to templates, a function a token type: text can't become markup. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Token, Tokens } from 'marked';
import { decodeEntities } from '../safety/entities.ts';
import { textOfHtml } from '../safety/html-tags.ts';
import { inGroups } from './appended.ts';
import { splitMarks, withoutMarks } from './citation-marks.ts';
import { growingText } from '../primitives/growing-text.ts';
import { InlineBuilder } from './inline-html.ts';
import { link } from './link.ts';
import type { ParsedMarkdown } from './parse.ts';
import type { RunToken } from './runs.ts';
import type { MarkdownView } from './view.ts';
import { words } from './words.ts';

/**
 * Blocks, items, rows and lines are gathered in groups that the browser lays out and skips as one; see `docs/decisions`.
 */
const GROUP = 32;
/** Runs of words are longer. */
const RUNS = 4;

/** What is known about the place of a block. */
interface Place {
  readonly view: MarkdownView;
  /** The code that is still being written. */
  readonly growing?: Token | undefined;
  /** How many parts of the block stay as they are. */
  readonly settled: number;
}

/** Blocks in groups. What is finished costs nothing any more. */
export function renderBlocks({ finished, open, again }: ParsedMarkdown, view: MarkdownView): unknown {
  return inGroups(
    {
      count: finished.length + open.length,
      settled: finished.length,
      key: [finished, view],
      again,
      at(index) {
        const block = finished[index] ?? open[index - finished.length];
        return block && renderBlock(block.token, { ...block, view });
      },
    },
    GROUP,
    (content, { whole }) => html`<div class="prose-group ${whole ? 'whole' : ''}">${content}</div>`,
  );
}

type Renderers<Context> = Readonly<Record<string, ((token: never, context: Context) => unknown) | undefined>>;

const blockRenderers: Renderers<Place> = {
  paragraph: ({ tokens }: Tokens.Paragraph, place) => html`<p dir="auto">${wordsIn(tokens, place)}</p>`,
  heading: ({ depth, tokens }: Tokens.Heading, { view }) => heading(depth, inline(tokens, view)),
  code: (token: Tokens.Code, place) => code(token, place),
  blockquote: ({ tokens }: Tokens.Blockquote, place) =>
    html`<blockquote dir="auto">${innerBlocks(tokens, place)}</blockquote>`,
  list: (token: Tokens.List, place) => list(token, place),
  table: (token: Tokens.Table, place) => table(token, place),
  hr: () => html`<hr />`,
  html: ({ raw }: Tokens.HTML, { view }) =>
    html`<agent-chat-html .source=${withoutMarks(raw)} .view=${view}></agent-chat-html>`,
  // A tight list's item, or a text that was too deep to be parsed.
  text: (token: Tokens.Text, { view }) => (token.tokens ? inline(token.tokens, view) : words(token.text, view)),
  def: () => nothing,
  space: () => nothing,
  checkbox: (token: Tokens.Checkbox, { view }) => checkbox(token.checked, view),
};

function renderBlock(token: Token, place: Place): unknown {
  const renderer = Object.hasOwn(blockRenderers, token.type) ? blockRenderers[token.type] : undefined;
  // TypeScript cannot tie the key to the token; the types of the table above do.
  return renderer ? renderer(token as never, place) : words(token.raw, place.view);
}

/** The blocks in a quote or an item. The last one may be growing in parts of its own. */
const innerBlocks = (tokens: readonly Token[], place: Place): unknown =>
  tokens.map((token) => renderBlock(token, place));

/** The place of a part in the place of the block. */
const inside = ({ settled, ...place }: Place, index: number): Place => ({
  ...place,
  settled: index < settled ? Number.POSITIVE_INFINITY : 0,
});

/** The words of a paragraph. One that is longer than a screen is broken into boxes, each of which ends its last line. */
function wordsIn(tokens: readonly Token[], { view, settled }: Place): unknown {
  const isLong = tokens[0]?.type === 'run';
  return inGroups(
    {
      count: isLong ? tokens.length : 1,
      settled: isLong ? settled : 0,
      key: [tokens, view],
      at: (index) => inline(isLong ? tokens.slice(index, index + 1) : tokens, view),
    },
    RUNS,
    (content, { index, whole }) =>
      index === 0 ? content : html`<span class="part ${whole ? 'whole' : ''}">${content}</span>`,
  );
}

function heading(depth: number, content: unknown): TemplateResult {
  switch (depth) {
    case 1:
      return html`<h1 dir="auto">${content}</h1>`;
    case 2:
      return html`<h2 dir="auto">${content}</h2>`;
    case 3:
      return html`<h3 dir="auto">${content}</h3>`;
    case 4:
      return html`<h4 dir="auto">${content}</h4>`;
    case 5:
      return html`<h5 dir="auto">${content}</h5>`;
    default:
      return html`<h6 dir="auto">${content}</h6>`;
  }
}

/** A fence's language is used only when it looks like one. Source: `security/README.md`, rule 4. */
const LANGUAGE = /^[\w+#.-]{1,32}$/;

function code(token: Tokens.Code, { view, growing }: Place): TemplateResult {
  const { text, lang = '' } = token;
  const [name = ''] = withoutMarks(lang).trim().split(/\s+/);
  return html`<agent-chat-code
    .code=${withoutMarks(text)}
    .language=${LANGUAGE.test(name) ? name : ''}
    .whole=${token !== growing && isWhole(token.raw)}
    .localize=${view.localize}
  ></agent-chat-code>`;
}

/** A fence without its end is still being written. */
function isWhole(raw: string): boolean {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1];
  return fence === undefined || new RegExp(`\\n {0,3}${fence}[\`~]*[ \\t]*\\n*$`).test(raw);
}

function list({ ordered, start, items }: Tokens.List, place: Place): TemplateResult {
  const first = typeof start === 'number' ? start : 1;
  const content = inGroups(
    {
      count: items.length,
      settled: place.settled,
      key: [items, place.view],
      at: (index) => {
        const item = items[index];
        // Where boxes keep the count of their items to themselves, each begins with its number.
        const value = ordered && index >= GROUP && index % GROUP === 0 ? first + index : nothing;
        return html`<li dir="auto" class=${item?.task ? 'task' : nothing} value=${value}>
          ${innerBlocks(item?.tokens ?? [], inside(place, index))}
        </li>`;
      },
    },
    GROUP,
    (group, { index, whole }) =>
      index === 0 ? group : html`<div class="part ${whole ? 'whole' : ''}" role="none">${group}</div>`,
  );
  // In a list with boxes in it the items are those of the list only where it says that it is one.
  const role = items.length > GROUP ? 'list' : nothing;
  return ordered
    ? html`<ol role=${role} start=${first === 1 ? nothing : first}>
        ${content}
      </ol>`
    : html`<ul role=${role}>
        ${content}
      </ul>`;
}

function table({ header, rows }: Tokens.Table, place: Place): TemplateResult {
  const { view } = place;
  const content = inGroups(
    {
      count: rows.length,
      settled: place.settled,
      key: [rows, view],
      at: (index) =>
        html`<tr>
          ${rows[index]?.map(({ tokens, align }) => html`<td dir="auto" class=${align ?? nothing}>${inline(tokens, view)}</td>`)}
        </tr>`,
    },
    GROUP,
    (group) =>
      html`<tbody>
        ${group}
      </tbody>`,
  );
  return html`<div class="table-scroll" tabindex="0" role="group" aria-label=${view.localize('table.scroll')}>
    <table>
      <thead>
        <tr>
          ${header.map(({ tokens, align }) => html`<th scope="col" dir="auto" class=${align ?? nothing}>${inline(tokens, view)}</th>`)}
        </tr>
      </thead>
      ${content}
    </table>
  </div>`;
}

const checkbox = (checked: boolean, { localize }: MarkdownView): TemplateResult =>
  html`<input
    type="checkbox"
    disabled
    .checked=${checked}
    aria-label=${localize(checked ? 'task.done' : 'task.open')}
  /> `;

/** What stands in a line. Tags of raw HTML open and close around the tokens between them. */
function inline(tokens: readonly Token[], view: MarkdownView): unknown {
  const builder = new InlineBuilder(view);
  for (const token of tokens) {
    if (token.type === 'html') builder.addHtml(withoutMarks(token.raw));
    else builder.add(renderInline(token, view), wordsOf(token));
  }
  return builder.end();
}

/** What a reader reads of a token. */
function wordsOf(token: Token): string {
  if (token.type === 'html') return textOfHtml(withoutMarks(token.raw));
  // marked's token of any type leaves all its fields untyped.
  const { tokens, text = '' } = token as Partial<Tokens.Text>;
  if (tokens) return tokens.map(wordsOf).join('');
  return token.type === 'codespan' ? withoutMarks(text) : plain(text);
}

const inlineRenderers: Renderers<MarkdownView> = {
  run: ({ tokens }: RunToken, view) => inline(tokens, view),
  text: ({ text, tokens }: Tokens.Text, view) => (tokens ? inline(tokens, view) : words(text, view)),
  escape: ({ text }: Tokens.Escape, view) => words(text, view),
  strong: ({ tokens }: Tokens.Strong, view) => html`<strong>${inline(tokens, view)}</strong>`,
  em: ({ tokens }: Tokens.Em, view) => html`<em>${inline(tokens, view)}</em>`,
  del: ({ tokens }: Tokens.Del, view) => html`<del>${inline(tokens, view)}</del>`,
  codespan: ({ text }: Tokens.Codespan, view) =>
    html`<code>${growingText(withoutMarks(text))}</code>${marksOf(text, view)}`,
  br: () => html`<br />`,
  link: ({ href, title, tokens }: Tokens.Link, view) => {
    const words = tokens.map(wordsOf).join('');
    return html`${link(plain(href), inline(tokens, view), plain(title ?? ''), words)}${marksOf(href, view)}`;
  },
  image: ({ href, text }: Tokens.Image, view) => html`${view.image(plain(href), plain(text))}${marksOf(href, view)}`,
  checkbox: (token: Tokens.Checkbox, view) => checkbox(token.checked, view),
};

/** A text for a place where no mark can be shown. */
const plain = (text: string): string => decodeEntities(withoutMarks(text));

function renderInline(token: Token, view: MarkdownView): unknown {
  const renderer = Object.hasOwn(inlineRenderers, token.type) ? inlineRenderers[token.type] : undefined;
  return renderer ? renderer(token as never, view) : words(token.raw, view);
}

/** The marks of a text that can't show them inside: they stand behind it. */
const marksOf = (text: string, view: MarkdownView): unknown =>
  splitMarks(text).flatMap((piece) => (typeof piece === 'number' ? [view.cite?.(piece)] : []));
