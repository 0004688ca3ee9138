/** Renders a document as a page: links between documents, heading anchors, highlighted code, scrolling tables. */
import { createRequire } from 'node:module';
import hljs from 'highlight.js/lib/common';
import { linkOf } from './links.ts';

/** The used part of markdown-it, which is part of Eleventy. */
interface Token {
  readonly tag: string;
  readonly content: string;
  children: readonly Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}
type Rule = (tokens: Token[], index: number, options: object, env: Env, self: { renderToken: Rule }) => string;
interface Env {
  /** Eleventy's data of the page. */
  readonly source?: string;
}
interface Markdown {
  readonly renderer: { readonly rules: Record<string, Rule | undefined> };
  render(text: string): string;
  renderInline(text: string): string;
}
type MakeMarkdown = (options: object) => Markdown;

const require = createRequire(import.meta.url);

/** The id that GitHub assigns to a heading, so that links work in both places. */
const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

function highlight(code: string, language: string): string {
  return hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : '';
}

/** @param documents - the documents with a page, relative to `docs/` */
export function makeMarkdown(documents: ReadonlySet<string>): Markdown {
  const make = require('markdown-it') as MakeMarkdown;
  // HTML is off: text that looks like a tag stays text.
  const markdown = make({ html: false, highlight });
  const { rules } = markdown.renderer;
  const asUsual: Rule = (tokens, index, options, env, self) => self.renderToken(tokens, index, options, env, self);

  rules['heading_open'] = (tokens, index, ...rest) => {
    const words = tokens[index + 1]?.children?.map(({ content }) => content).join('') ?? '';
    tokens[index]?.attrSet('id', idOf(words));
    return asUsual(tokens, index, ...rest);
  };
  /** Whether the current link has no page on the site. */
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
  // Scrolling boxes are focusable by keyboard.
  rules['table_open'] = () => '<div class="scrolls" role="group" aria-label="Table" tabindex="0"><table>';
  rules['table_close'] = () => '</table></div>';
  const fence = rules['fence'];
  rules['fence'] = (...given) => (fence?.(...given) ?? '').replace('<pre>', '<pre tabindex="0">');
  return markdown;
}
