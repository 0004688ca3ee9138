/** Documents for property-based tests, with formula delimiters at any position. */
import fc from 'fast-check';
import { blocks, longBlock, longParagraph, soup } from './documents.ts';

const marks = [
  ...[
    '$',
    '$$',
    '\\(',
    '\\)',
    '\\[',
    '\\]',
    '$x$',
    '$x_1*y$',
    '\\(a*b\\)',
    '$$x$$',
    '\\[x\\]',
    '$5',
    '5$',
    '\\$',
    '$ ',
  ],
  ...[
    '\n$$\n',
    '\n\\[\n',
    '\n\\]\n',
    '\n$$',
    '$$\n',
    '\n$$\nx\n$$\n',
    '\n- $$\n',
    '\n> $$\n',
    '\n  $$\n',
    '\n\\[\nx\n\\]',
  ],
];

const put = (document: fc.Arbitrary<string>, most: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      document,
      fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...marks)), {
        minLength: 1,
        maxLength: most,
      }),
    )
    .map(([text, all]) =>
      all.reduce((whole, [part, mark]) => {
        const at = Math.floor(part * whole.length);
        return whole.slice(0, at) + mark + whole.slice(at);
      }, text),
    );

export const mathSoup = put(soup, 12);
export const mathBlocks = put(blocks, 10);
export const longMath = put(fc.oneof(longBlock, longParagraph), 12);
