import { IncrementalMarkdownParser, type ParsedMarkdown } from '../../../src/markdown/parse/incremental-parser.ts';

interface Parser {
  /** The text received so far. */
  update(text: string, whole: boolean): ParsedMarkdown;
}

/** A parser that gets the complete text so far with each step, as the element does. */
export function createParser(options = {}): Parser {
  const growing = new IncrementalMarkdownParser(options);
  let known = 0;
  return {
    update(text, whole) {
      const more = text.slice(known);
      known = text.length;
      return growing.append(more, whole);
    },
  };
}
