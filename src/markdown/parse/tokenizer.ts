/** The tokenizer of `marked`, the Markdown library, with changed rules; its limits are in `bounded-lexer.ts`. */
import { Lexer, Tokenizer, type Tokens } from 'marked';
import { emphasisRules, punctuationBefore } from './cjk-emphasis.ts';
import {
  FOOTNOTE_LINE,
  footnoteAt,
  footnoteReferenceAt,
  normalizeLabel,
  type FootnoteToken,
  type FootnoteReference,
} from './footnotes.ts';
import { withoutLongTitle } from './link-references.ts';

/** `marked` looks at the last UTF-16 unit only, which may be half of a surrogate pair. */
const fullCharacter = (before: string, src: string, masked: string): string =>
  /[\udc00-\udfff]/.test(before) ? masked.slice(0, masked.length - src.length).slice(-2) : before;

/** GitHub's syntax for an alert in a quote. Text may follow on the same line, as models write it. */
const ALERT = /^\[!(note|tip|important|warning|caution)\](?:[ \t]*\n|[ \t]+|$)/i;

/** A quote with an alert type. */
export interface AlertToken extends Tokens.Blockquote {
  readonly alert?: 'note' | 'tip' | 'important' | 'warning' | 'caution';
}

/** A footnote definition interrupts a paragraph. */
export const paragraph = new RegExp(Lexer.rules.block.gfm.paragraph.source.replace('(?!', `(?!${FOOTNOTE_LINE}|`));

/** It interrupts the text of an underlined heading too (`lheading` is the name in `marked`). */
const lheading = new RegExp(
  Lexer.rules.block.gfm.lheading.source.replace(String.raw`\n(?!`, String.raw`\n(?!${FOOTNOTE_LINE}|`),
);

/** An escaped bracket opens no link. Otherwise the text up to 999 escapes after each of them would be read. */
const reflinkSearch = new RegExp(
  String.raw`(?<!(?:^|[^\\])(?:\\\\)*\\)(?:${Lexer.rules.inline.gfm.reflinkSearch.source})`,
  'g',
);

export class ChatTokenizer extends Tokenizer {
  /** More text may follow: what looks like a footnote reference is treated as one. */
  growing = false;
  /** Nesting level of quotes, lists and footnotes: a footnote is defined only at level 0. */
  #level = 0;

  /** Applies our rules; must be called after the lexer of `marked` has set its own. */
  useRules(block: Partial<typeof this.rules.block> = {}): void {
    const { rules } = this;
    this.rules = {
      ...rules,
      block: { ...rules.block, lheading, paragraph, ...block },
      inline: { ...rules.inline, ...emphasisRules, reflinkSearch },
    };
  }

  override emStrong(src: string, masked: string, before = ''): Tokens.Em | Tokens.Strong | undefined {
    this.#setPunctuationRule(src);
    return super.emStrong(src, masked, fullCharacter(before, src, masked));
  }

  override del(src: string, masked: string, before = ''): Tokens.Del | undefined {
    this.#setPunctuationRule(src);
    return super.del(src, masked, fullCharacter(before, src, masked));
  }

  #setPunctuationRule(src: string): void {
    const { inline } = this.rules;
    if (/^[*~]/.test(src)) inline.punctuation = punctuationBefore(src);
    else if (src.startsWith('_')) inline.punctuation = Lexer.rules.inline.gfm.punctuation;
  }

  override blockquote(src: string): AlertToken | undefined {
    const quote = this.#inside(() => super.blockquote(src));
    const [first] = quote?.tokens ?? [];
    const [mark, kind] = first?.type === 'paragraph' ? (ALERT.exec((first as Tokens.Paragraph).text) ?? []) : [];
    if (!quote || mark === undefined) return quote;
    const { text, tokens } = first as Tokens.Paragraph;
    const rest = text.slice(mark.length);
    const inlineText = this.lexer.inlineQueue.findLast((queued) => queued.tokens === tokens);
    if (inlineText) inlineText.src = rest;
    if (rest === '') quote.tokens.shift();
    else Object.assign(quote.tokens[0] ?? {}, { text: rest });
    return { ...quote, alert: kind?.toLowerCase() as AlertToken['alert'] & string };
  }

  override list(src: string): Tokens.List | undefined {
    return this.#inside(() => super.list(src));
  }

  /**
   * A footnote or a link reference definition. The lexer of `marked` appends the token and enters its `tag` in the known definitions,
   * so that `reflink` knows which footnotes exist.
   */
  override def(src: string): Tokens.Def | undefined {
    const match = this.#level > 0 ? undefined : footnoteAt(src);
    if (match) {
      const { label, raw, text } = match;
      // The lexer would append a definition to a paragraph directly before it; an empty token separates them.
      if (this.lexer.tokens.at(-1)?.type === 'paragraph') this.lexer.tokens.push({ type: 'space', raw: '' });
      const tokens = this.#inside(() => this.lexer.blockTokens(text, []));
      const note: FootnoteToken = { type: 'footnote', tag: normalizeLabel(label), label, raw, tokens };
      return { ...note, href: '', title: '' } as unknown as Tokens.Def;
    }
    const definition = super.def(src);
    // `[^1]:` in a quote or a list defines no link either.
    if (!definition || definition.tag.startsWith('^')) return undefined;
    const short = withoutLongTitle(definition.raw);
    return short.length < definition.raw.length ? super.def(short) : definition;
  }

  override reflink(src: string, links: Parameters<Tokenizer['reflink']>[1]): ReturnType<Tokenizer['reflink']> {
    if (!this.lexer.state.inLink) {
      const mark: FootnoteReference | undefined = footnoteReferenceAt(
        src,
        (tag) => Object.hasOwn(links, tag),
        this.growing,
      );
      if (mark) return mark as unknown as Tokens.Link;
    }
    const match = super.reflink(src, links);
    // The label of a footnote (`[^1]`) names no link: only the first character is read, as text.
    if (!match || match.type === 'text' || !/\[\^[^[\]]*\](?:\[\])?$/.test(match.raw)) return match;
    const raw = match.raw.charAt(0);
    return { type: 'text', raw, text: raw, escaped: false };
  }

  #inside<T>(read: () => T): T {
    this.#level++;
    try {
      return read();
    } finally {
      this.#level--;
    }
  }
}
