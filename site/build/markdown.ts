/** How a document becomes a page: links between documents, headings that can be linked to, coloured code, tables that scroll. */
import { createRequire } from 'node:module';
import hljs from 'highlight.js/lib/common';
import { linkOf } from './links.ts';

/** What is used of markdown-it, which comes with Eleventy. */
interface Token {
  readonly tag: string;
  readonly content: string;
  children: readonly Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}
type Rule = (tokens: Token[], index: number, options: object, env: Env, self: { renderToken: Rule }) => string;
interface Env {
  /** What Eleventy knows of the page. */
  readonly source?: string;
}
interface Markdown {
  readonly renderer: { readonly rules: Record<string, Rule | undefined> };
  render(text: string): string;
  renderInline(text: string): string;
}
type MakeMarkdown = (options: object) => Markdown;

const require = createRequire(import.meta.url);

/** The id that GitHub gives a heading, so that a link works in both places. */
const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

function highlight(code: string, language: string): string {
  return hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : '';
}

/** @param documents - those that have a page, relative to `docs/` */
export function makeMarkdown(documents: ReadonlySet<string>): Markdown {
  const make = require('markdown-it') as MakeMarkdown;
  // No HTML: what looks like a tag in a document is a word of it.
  const markdown = make({ html: false, highlight });
  const { rules } = markdown.renderer;
  const asUsual: Rule = (tokens, index, options, env, self) => self.renderToken(tokens, index, options, env, self);

  rules['heading_open'] = (tokens, index, ...rest) => {
    const words = tokens[index + 1]?.children?.map(({ content }) => content).join('') ?? '';
    tokens[index]?.attrSet('id', idOf(words));
    return asUsual(tokens, index, ...rest);
  };
  /** Whether the link that is open leads nowhere on the site. */
  let lost = false;
  rules['link_open'] = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const href = linkOf(token?.attrGet('href') ?? '', env.source ?? '', documents);
    lost = href === undefined;
    if (href === undefined) return '';
    token?.attrSet('href', href);
    return asUsual(tokens, index, options, env, self);
  };
  rules['link_close'] = (...given) => (lost ? '' : asUsual(...given));
  // A box that scrolls can be reached by keyboard.
  rules['table_open'] = () => '<div class="scrolls" role="group" aria-label="Table" tabindex="0"><table>';
  rules['table_close'] = () => '</table></div>';
  const fence = rules['fence'];
  rules['fence'] = (...given) => (fence?.(...given) ?? '').replace('<pre>', '<pre tabindex="0">');
  return markdown;
}
