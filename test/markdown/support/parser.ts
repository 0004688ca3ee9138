import { GrowingMarkdown, type ParsedMarkdown } from '../../../src/markdown/parse.ts';

interface Parser {
  /** The text as far as it is known. */
  update(text: string, whole: boolean): ParsedMarkdown;
}

/** A parser that is told the text so far, as a page sees it, and not what has come. */
export function createParser(options = {}): Parser {
  const growing = new GrowingMarkdown(options);
  let known = 0;
  return {
    update(text, whole) {
      const more = text.slice(known);
      known = text.length;
      return growing.grow(more, whole);
    },
  };
}
