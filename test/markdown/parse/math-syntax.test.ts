import { expect, waitUntil } from '@open-wc/testing';
import fc from 'fast-check';
import type { MarkdownView } from '../../../src/markdown/render/markdown-context.ts';
import { AgentChatMath } from '../../../src/primitives/math/formula.ts';
import { beginnings, cuts } from '../documents.ts';
import { longMath, mathBlocks, mathSoup } from '../math-documents.ts';
import { createParser } from '../support/parser.ts';
import { show, view, wordsOf } from '../support/show.ts';
import { joined } from '../support/joined.ts';
import { effort } from '../../support/effort.ts';

const math: MarkdownView = { ...view, math: true };

/** The formulas of a text: inline ones as they are, display formulas in brackets. */
const formulasIn = (text: string): readonly string[] =>
  Array.from(show(text, false, math).place.querySelectorAll('agent-chat-math'), (formula) => {
    if (!(formula instanceof AgentChatMath)) throw new Error('It is not defined.');
    return formula.display ? `[${formula.formula.trim()}]` : formula.formula;
  });

describe('formulas in a text', () => {
  const rows: readonly (readonly [text: string, ...formulas: string[]])[] = [
    ['It is $x^2$.', 'x^2'],
    ['It is \\(x^2\\).', 'x^2'],
    ['$$x^2$$', '[x^2]'],
    ['In $$x^2$$ a line', '[x^2]'],
    ['\\[x^2\\]', '[x^2]'],
    ['Words\n$$\nx\n- y\n= z\n$$\nmore', '[x\n- y\n= z]'],
    ['\\[\na \\\\[2pt]\nb\n\\]', '[a \\\\[2pt]\nb]'],
    ['- one\n  $$\n  x\n  $$\n- $y$', '[x]', 'y'],
    ['> $$\n> x\n> $$', '[x]'],
    ['| a |\n|---|\n| $x_1$ |', 'x_1'],
    // In a table a bar ends a cell unless it is escaped. Source: GFM, Tables; GitHub does the same.
    ['| a |\n|---|\n| $\\|x\\|$ |', '|x|'],
    ['| a | b |\n|---|---|\n| $\\|x\\|$ | \\(\\|y\\|\\) |', '|x|', '|y|'],
    ['| a |\n|---|\n| $P(A \\mid B)$ and $\\lVert x \\rVert$ |', 'P(A \\mid B)', '\\lVert x \\rVert'],
    ['| $\\|x\\|$ |\n|---|\n| y |', '|x|'],
    ['| a |\n|---|\n| $|x|$ |'],
    ['It is $|x|$ and $\\|x\\|$.', '|x|', '\\|x\\|'],
    ['*the dual $V^*$ of it* and $a*b$, $c*d$', 'V^*', 'a*b', 'c*d'],
    ['$a_1$ and $b_1$', 'a_1', 'b_1'],
    ['$a$, $b$ and $c$', 'a', 'b', 'c'],
    ['[$x$](https://a.example)', 'x'],
    ['a $\\text{\\$5}$', '\\text{\\$5}'],
    ['It costs $5 and $6.'],
    ['US$5'],
    ['US$5 and CA$6'],
    ['from $5 to 10 $ and $ 5$'],
    ['$20,000 and $30,000'],
    ['\\$x\\$'],
    ['`$x$` and `\\(x\\)`'],
    ['```\n$$\nx\n$$\n```'],
    ['\\\\(x\\\\)'],
    ['$$\nx\n\ny\n$$'],
    ['$x\ny$'],
    ['$$$$'],
    ['a $x'],
  ];
  for (const [text, ...formulas] of rows) {
    it(`${JSON.stringify(text)}: ${formulas.join(', ') || 'none'}`, () => {
      expect(formulasIn(text)).to.deep.equal(formulas);
    });
  }

  it('are text unless the page enables formulas', () => {
    const { place } = show('$x$ and $$y$$');
    expect(place.textContent.trim()).to.equal('$x$ and $$y$$');
  });

  it('an incomplete formula is text', () => {
    expect(wordsOf(show('It costs $5 and $6 \\(or 7', false, math).place)).to.equal('It costs $5 and $6 (or 7');
  });

  const tokensOf = (steps: readonly string[]): unknown => {
    const parser = createParser({ math: true });
    for (const step of steps.slice(0, -1)) parser.update(step, false);
    return joined(parser.update(steps.at(-1) ?? '', true).finished.map(({ token }) => token));
  };
  for (const [name, document] of Object.entries({ mathSoup, mathBlocks, longMath })) {
    it(`are the same in one step and cut anywhere: ${name}`, () => {
      fc.assert(
        fc.property(document, cuts, (text, at) => {
          expect(tokensOf(beginnings(text, at))).to.deep.equal(tokensOf([text]));
        }),
        { numRuns: effort(name.startsWith('long') ? 40 : 200) },
      );
    }).timeout(60_000);
  }

  it('an empty pair of delimiters is not a formula, and the second one may begin one', () => {
    const text = '\n  $$\n$$\n\\[\nx\n\\]\n$$\n# *\n\n';
    const steps = Array.from(text, (_, index) => text.slice(0, index + 1));
    expect(tokensOf(steps)).to.deep.equal(tokensOf([text]));
  });

  it('are the same a character at a time', () => {
    fc.assert(
      fc.property(fc.oneof(mathSoup, mathBlocks), (text) => {
        const steps = Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1));
        fc.pre(text !== '');
        expect(tokensOf(steps)).to.deep.equal(tokensOf([text]));
      }),
      { numRuns: effort(60) },
    );
  }).timeout(60_000);
});

describe('a streaming formula', () => {
  const texts = [
    'It is $x^2 + y$ and so on.',
    'It is \\(x^2\\) and so on.',
    'Words\n\n$$\nx\n- y\n= z\n$$\n\nmore',
    'Words\n$$\nx\n- y\n---\n# z\n$$\nmore',
    'Words\n\n\\[\n\\frac{a}{b} \\\\[2pt]\n\\]\n\nmore',
    'Words $$x$$ more **bold $y_1$ text**.',
    '- one\n- $$x$$\n- two \\[y\\]\n\nmore',
    '> $$\n> x\n> $$\n\nmore',
    '| a | b |\n|---|---|\n| $x$ | \\(y\\) |\n\nmore',
    '| a | b |\n|---|---|\n| $\\|x\\|$ | \\(\\|y\\|\\) |\n\nmore',
  ];
  for (const text of texts) {
    it(`shows no delimiter while it is streaming: ${JSON.stringify(text)}`, () => {
      const end = wordsOf(show(text, false, math).place);
      const { place, update } = show('', true, math);
      const seen: string[] = [];
      for (let length = 1; length <= text.length; length++) {
        update(text.slice(0, length), true);
        const words = wordsOf(place);
        if (/[$\\^_*|>#[\]=]/.test(words) || !end.startsWith(words)) seen.push(`${text.slice(0, length)}: ${words}`);
      }
      expect(seen).to.deep.equal([]);
    });
  }

  it('is rendered once', async () => {
    const text = 'Words\n\n$$x^2$$';
    const { place, update } = show(text, true, math);
    const formula = place.querySelector('agent-chat-math');
    await waitUntil(() => formula?.querySelector('math'), 'it is drawn', { timeout: 10_000 });
    const rendered = formula?.querySelector('math');
    for (const more of [' and', '\n', ' and words', ' and words\n\nmore $y$', ' and words\n\nmore $y$\n\n- z'])
      update(text + more, true);
    update(`${text} and words\n\nmore $y$\n\n- z`, false);
    expect(place.querySelector('agent-chat-math')).to.equal(formula);
    await waitUntil(() => place.querySelectorAll('math').length === 2, 'the other one is drawn');
    expect(formula?.querySelector('math')).to.equal(rendered);
  });

  it('a price is shown while it is streaming', () => {
    const { place } = show('It costs $5 and', true, math);
    expect(wordsOf(place)).to.equal('It costs $5 and');
  });
});
