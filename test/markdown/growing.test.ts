import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { Lexer, type Token } from 'marked';
import { anyDocument, beginnings, blocks, cuts, longBlock, longParagraph, soup, storm } from './documents.ts';
import type { MarkdownBlock } from '../../src/markdown/parse/incremental-parser.ts';
import { ChatTokenizer } from '../../src/markdown/parse/tokenizer.ts';
import { createParser } from './support/parser.ts';
import { joined } from './support/joined.ts';
import { makeReach } from './support/reach-back.ts';
import { grown, outline, show } from './support/show.ts';
import { effort } from '../support/effort.ts';

const isShown = ({ type }: Token): boolean => type !== 'space';

/** The parser's tokens for a text that arrives in steps. */
function tokensOf(steps: readonly string[]): unknown {
  const parser = createParser();
  for (const step of steps.slice(0, -1)) parser.update(step, false);
  return joined(parser.update(steps.at(-1) ?? '', true).finished.map(({ token }) => token));
}

/**
 * The tokens of marked with the same rules, in one step. Undefined for the few texts for which marked throws an error.
 */
function reference(text: string): unknown {
  try {
    const tokenizer = new ChatTokenizer();
    const lexer = new Lexer({ gfm: true, tokenizer });
    tokenizer.useRules();
    return joined(lexer.lex(text).filter(isShown));
  } catch {
    return undefined;
  }
}

const characters = (text: string): readonly string[] =>
  Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1));

describe('incremental Markdown', () => {
  const documents = { anyDocument, soup, blocks, longBlock, longParagraph };
  for (const [name, document] of Object.entries(documents)) {
    it(`gives the tokens of marked's lexer, cut anywhere: ${name}`, () => {
      fc.assert(
        fc.property(document, cuts, (text, at) => {
          const expected = reference(text);
          fc.pre(expected !== undefined);
          expect(tokensOf([text])).to.deep.equal(expected);
          expect(tokensOf(beginnings(text, at))).to.deep.equal(expected);
        }),
        { numRuns: effort(name.startsWith('long') ? 30 : 120) },
      );
    }).timeout(60_000);
  }

  it("gives the tokens of marked's lexer for a paragraph with some dozens of marks that stay open", () => {
    const text = `${'a *b '.repeat(40)}${'words '.repeat(200)}_em_`;
    expect(tokensOf([text])).to.deep.equal(reference(text));
  });

  const long = 'words and words\n'.repeat(400);
  for (const text of [
    'a\n(t\n|---|---|',
    `${long}(t\n|---|---|\n${long}`,
    '> > | a | a |\n> |-|-|\n> > | a | a |\n> > |-|\n',
    '- -   # a\n    -   - a\n      - | a | a |\n        |-|-|\n      - a\n',
  ])
    it(`gives the tokens of marked's lexer for a text that only looks like a table: ${JSON.stringify(text.slice(-60))}`, () => {
      expect(tokensOf([text])).to.deep.equal(reference(text));
      expect(
        tokensOf(text.length < 200 ? characters(text) : beginnings(text, [997, 5000, 6401, 6405, 9000])),
      ).to.deep.equal(reference(text));
    });

  it("gives the tokens of marked's lexer, a character at a time", () => {
    fc.assert(
      fc.property(fc.oneof(soup, blocks), (text) => {
        const expected = reference(text);
        fc.pre(expected !== undefined);
        expect(tokensOf(characters(text))).to.deep.equal(expected);
      }),
      { numRuns: effort(40) },
    );
  }).timeout(60_000);

  it('gives the same tokens in one step and cut anywhere, also for text that is cut at the limit', () => {
    fc.assert(
      fc.property(storm, cuts, (text, at) => {
        expect(tokensOf(beginnings(text, at))).to.deep.equal(tokensOf([text]));
      }),
      { numRuns: effort(60) },
    );
  }).timeout(60_000);

  it('ends in the same elements as in one step, cut anywhere', () => {
    fc.assert(
      fc.property(anyDocument, cuts, (text, at) => {
        const whole = show(text).place;
        const place = grown(beginnings(text, at), text);
        expect(outline(place)).to.equal(outline(whole));
        place.remove();
        whole.remove();
      }),
      { numRuns: effort(60) },
    );
  }).timeout(60_000);

  it('keeps finished blocks the same objects', () => {
    fc.assert(
      fc.property(fc.oneof(blocks, anyDocument), cuts, (text, at) => {
        const isReached = makeReach(text);
        const parser = createParser();
        let before: readonly MarkdownBlock[] = [];
        for (const beginning of beginnings(text, at)) {
          const { finished } = parser.update(beginning, false);
          expect(finished.length).to.be.at.least(before.length);
          before.forEach((block, index) => {
            if (isReached(block.token.raw)) expect(finished[index]?.token.raw).to.equal(block.token.raw);
            else expect(finished[index] === block, `block ${String(index)}`).to.equal(true);
          });
          before = [...finished];
        }
      }),
      { numRuns: effort(120) },
    );
  }).timeout(60_000);

  it('keeps the elements of finished blocks', () => {
    const { place, update } = show('# Title\n\nOne\n\nTwo', true);
    const heading = place.querySelector('h1');
    const first = place.querySelector('p');
    update('# Title\n\nOne\n\nTwo\n\n- three\n- four\n\nfive', true);
    expect(place.querySelector('h1')).to.equal(heading);
    expect(place.querySelector('p')).to.equal(first);
  });

  it('starts again with a different text', () => {
    const { place, update } = show('# Title\n\nOne', true);
    update('Other *words*', true);
    expect(outline(place)).to.equal(outline(show('Other *words*', true).place));
  });
});
