/** Tokens to templates, a function a token type: text can't become markup. */
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { Token, Tokens } from 'marked';
import { decodeEntities } from '../safety/entities.ts';
import { textOfHtml } from '../safety/html-tags.ts';
import { splitMarks, withoutMarks } from './citation-marks.ts';
import { growingText } from '../primitives/growing-text.ts';
import { InlineBuilder } from './inline-html.ts';
import { link } from './link.ts';
import type { MarkdownBlock } from './parse.ts';
import type { MarkdownView } from './view.ts';

/** Finished blocks are gathered in groups that the browser lays out and skips as one; see `docs/decisions`. */
const GROUP = 32;

/** Blocks in groups. One that is the same object as before costs nothing. */
export function renderBlocks(blocks: readonly MarkdownBlock[], view: MarkdownView): readonly TemplateResult[] {
  const groups: TemplateResult[] = [];
  for (let start = 0; start < blocks.length; start += GROUP) {
    const group = blocks.slice(start, start + GROUP);
    const whole = group.length === GROUP && start + GROUP < blocks.length;
    groups.push(
      html`<div class="prose-group ${whole ? 'whole' : ''}">
        ${group.map((block) => guard([block, view], () => renderBlock(block.token, view)))}
      </div>`,
    );
  }
  return groups;
}

type Renderers = Readonly<Record<string, ((token: never, view: MarkdownView) => unknown) | undefined>>;

const blockRenderers: Renderers = {
  paragraph: ({ tokens }: Tokens.Paragraph, view) => html`<p dir="auto">${inline(tokens, view)}</p>`,
  heading: ({ depth, tokens }: Tokens.Heading, view) => heading(depth, inline(tokens, view)),
  code: (token: Tokens.Code, view) => code(token, view),
  blockquote: ({ tokens }: Tokens.Blockquote, view) =>
    html`<blockquote dir="auto">${tokens.map((token) => renderBlock(token, view))}</blockquote>`,
  list: (token: Tokens.List, view) => list(token, view),
  table: (token: Tokens.Table, view) => table(token, view),
  hr: () => html`<hr />`,
  html: ({ raw }: Tokens.HTML, view) =>
    html`<agent-chat-html .source=${withoutMarks(raw)} .view=${view}></agent-chat-html>`,
  // A tight list's item, or a text that was too deep to be parsed.
  text: (token: Tokens.Text, view) => (token.tokens ? inline(token.tokens, view) : words(token.text, view)),
  def: () => nothing,
  space: () => nothing,
  checkbox: (token: Tokens.Checkbox, view) => checkbox(token.checked, view),
};

function renderBlock(token: Token, view: MarkdownView): unknown {
  const renderer = Object.hasOwn(blockRenderers, token.type) ? blockRenderers[token.type] : undefined;
  // TypeScript cannot tie the key to the token; the types of the table above do.
  return renderer ? renderer(token as never, view) : words(token.raw, view);
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

function code({ text, lang = '', raw }: Tokens.Code, view: MarkdownView): TemplateResult {
  const [name = ''] = withoutMarks(lang).trim().split(/\s+/);
  // A fence without its end is still being written.
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1];
  const whole = fence === undefined || new RegExp(`\\n {0,3}${fence}[\`~]*[ \\t]*\\n*$`).test(raw);
  return html`<agent-chat-code
    .code=${withoutMarks(text)}
    .language=${LANGUAGE.test(name) ? name : ''}
    .whole=${whole}
    .localize=${view.localize}
  ></agent-chat-code>`;
}

function list({ ordered, start, items }: Tokens.List, view: MarkdownView): TemplateResult {
  const content = items.map(
    (item) =>
      html`<li dir="auto" class=${item.task ? 'task' : nothing}>
        ${item.tokens.map((token) => renderBlock(token, view))}
      </li>`,
  );
  return ordered
    ? html`<ol start=${typeof start === 'number' && start !== 1 ? start : nothing}>
        ${content}
      </ol>`
    : html`<ul>
        ${content}
      </ul>`;
}

function table({ header, rows }: Tokens.Table, view: MarkdownView): TemplateResult {
  return html`<div class="table-scroll" tabindex="0" role="group" aria-label=${view.localize('table.scroll')}>
    <table>
      <thead>
        <tr>
          ${header.map(({ tokens, align }) => html`<th scope="col" dir="auto" class=${align ?? nothing}>${inline(tokens, view)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map(({ tokens, align }) => html`<td dir="auto" class=${align ?? nothing}>${inline(tokens, view)}</td>`)}
            </tr>`,
        )}
      </tbody>
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

const inlineRenderers: Renderers = {
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

/** Words, with the marks of citations between them. */
function words(text: string, view: MarkdownView): unknown {
  const pieces = splitMarks(text);
  const [only] = pieces;
  if (pieces.length === 1 && typeof only === 'string') return growingText(decodeEntities(only));
  return pieces.map((piece) => (typeof piece === 'number' ? view.cite?.(piece) : growingText(decodeEntities(piece))));
}

/** The marks of a text that can't show them inside: they stand behind it. */
const marksOf = (text: string, view: MarkdownView): unknown =>
  splitMarks(text).flatMap((piece) => (typeof piece === 'number' ? [view.cite?.(piece)] : []));
