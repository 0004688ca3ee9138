/** Documents for property-based tests: all of GFM in arbitrary combinations. */
import fc from 'fast-check';

const words = [
  'a',
  'foo',
  'Bar baz',
  'x',
  '1',
  '12',
  'naïve',
  '中文',
  '。',
  '（',
  '“',
  '한글',
  'ẞ',
  '😀',
  'www.a.b',
  'http://a.b/c',
  'a@b.cd',
  'snake_case',
];
const inlineMarks = [
  ...[
    '*',
    '**',
    '***',
    '_',
    '__',
    '~',
    '~~',
    '`',
    '``',
    '```',
    '[',
    ']',
    '![',
    '](',
    '](/u)',
    '](/u "t")',
    '][a]',
    '[a]',
    '[A ]',
  ],
  ...[
    '(',
    ')',
    '<',
    '>',
    '<b>',
    '</b>',
    '<a href="/u">',
    '</a>',
    '<br>',
    '<!-- c -->',
    '<kbd>',
    '</kbd>',
    '<i x="',
    '"',
    "'",
  ],
  ...[
    '\\',
    '\\*',
    '&amp;',
    '&#65;',
    '&',
    '|',
    '!',
    ':',
    '#',
    '+',
    '-',
    '=',
    '.',
    '<http://a.b>',
    '<a@b.cd>',
    '[^1]',
    '[b c]',
  ],
];
const blockMarks = [
  ...[
    '# ',
    '## ',
    '####### ',
    '#',
    '- ',
    '* ',
    '+ ',
    '-',
    '1. ',
    '2. ',
    '1) ',
    '12. ',
    '> ',
    '>',
    '>> ',
    '- [ ] ',
    '- [x] ',
    '- > ',
  ],
  ...[
    '```',
    '```js',
    '````',
    '~~~',
    '~~~ x',
    '---',
    '***',
    '___',
    '- - -',
    '===',
    '=',
    '--',
    '|',
    '| a | b |',
    '|---|---|',
    '|:-|',
  ],
  ...[
    'a | b',
    '- | -',
    '--|--',
    '    ',
    '  ',
    ' ',
    '\t',
    '   ',
    '[a]: /u',
    '[a]:',
    '[b c]: <x y>',
    "[A]: /v 't",
    '[a]: /u "t"',
    '[a',
  ],
  ...[
    '"t"',
    '"',
    "'",
    '(t',
    ')',
    '<div>',
    '</div>',
    '<pre>',
    '</pre>',
    '<script>',
    '</script>',
    '<style>',
    '<!--',
    '-->',
    '<?',
    '?>',
  ],
  ...[
    '<!X',
    '<![CDATA[',
    ']]>',
    '<x-y>',
    '</x-y>',
    '<x-y a="b">',
    '<details>',
    '<DIV>',
    '<b>',
    '\\',
    '- a',
    '1. a',
    '> a',
    '  - a',
    '   a',
  ],
];
const ends = ['\n', '\n', '\n', '\n\n', '\n\n', '  \n', '\\\n', ' \n', '\n \n', '\r\n', '\r', '\n\n\n', '\t\n', '\n\t'];

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ends) },
  { weight: 3, arbitrary: fc.constantFrom(...words) },
  { weight: 3, arbitrary: fc.constantFrom(...blockMarks) },
  { weight: 2, arbitrary: fc.constantFrom(...inlineMarks) },
  { weight: 1, arbitrary: fc.constantFrom(' ', ' ', '  ') },
);

/** Marks, words and line ends in any order. */
export const soup = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

const inline = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...words) },
      { weight: 2, arbitrary: fc.constantFrom(...inlineMarks) },
    ),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .chain((pieces) => fc.constantFrom('', ' ').map((between) => pieces.join(between)));
const line = inline.map((text) => text.replace(/\n/g, ' '));
const lines = fc.array(line, { minLength: 1, maxLength: 4 });
const indent = fc.constantFrom('', '', '', ' ', '   ');

const indented = (prefix: string, next: string) => (text: string) =>
  text
    .split('\n')
    .map((part, index) => (part === '' ? part : (index === 0 ? prefix : next) + part))
    .join('\n');

/** Complete blocks of each kind, also nested, well formed or nearly. */
const { block } = fc.letrec<{ block: string; leaf: string }>((tie) => ({
  leaf: fc.oneof(
    lines.map((all) => all.join('\n')),
    fc.tuple(fc.integer({ min: 1, max: 7 }), line).map(([depth, text]) => `${'#'.repeat(depth)} ${text}`),
    fc
      .tuple(lines, fc.constantFrom('===', '---', '=', '--- ', '---\t'))
      .map(([all, rule]) => `${all.join('\n')}\n${rule}`),
    fc.constantFrom('---', '***', '* * *', '___'),
    fc
      .tuple(
        indent,
        fc.constantFrom('```', '````', '~~~', '~~~~'),
        fc.constantFrom('', 'js', ' ts x', 'a`b'),
        lines,
        fc.constantFrom(true, true, false),
      )
      .map(([pad, fence, info, all, closed]) => [pad + fence + info, ...all, ...(closed ? [fence] : [])].join('\n')),
    lines.map((all) => all.map((text) => `    ${text}`).join('\n')),
    fc
      .tuple(
        fc.constantFrom('a', 'A', 'b c', 'a\nb', '1'),
        fc.constantFrom('/u', '<u v>', '\n/u', '#x', 'http://a.b'),
        fc.constantFrom('', ' "t"', "\n't'", ' (t\nu)', '\n"t\n\nu"', '\n"t'),
      )
      .map(([label, address, title]) => `[${label}]: ${address}${title}`),
    fc
      .tuple(
        fc.array(
          fc.array(
            line.map((text) => text.replace(/\|/g, '')),
            { minLength: 2, maxLength: 2 },
          ),
          { minLength: 1, maxLength: 7 },
        ),
        fc.constantFrom('|-|-|', '|:-|-:|', '-|-', '|-|'),
      )
      .map(([rows, rule]) =>
        rows
          .map((cells) => `| ${cells.join(' | ')} |`)
          .join('\n')
          .replace(/(\n|$)/, `\n${rule}$1`),
      ),
    fc
      .tuple(
        fc.constantFrom(
          '<div>',
          '<pre>',
          '<script>',
          '<!-- c',
          '<?php',
          '<!X',
          '<![CDATA[',
          '<x-y>',
          '<details><summary>s</summary>',
          '</x-y>',
        ),
        lines,
        fc.constantFrom('</div>', '</pre>', '</script>', '-->', '?>', '>', ']]>', '</x-y>', '', '</details>'),
      )
      .map(([open, all, close]) => [open, ...all, close].join('\n')),
  ),
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.tuple(tie('block'), fc.constantFrom('> ', '>', ' > ')).map(([inner, mark]) => indented(mark, mark)(inner)),
    // Lazy continuation: only the first line has the mark.
    tie('block').map(indented('> ', '')),
    fc
      .tuple(
        fc.array(tie('block'), { minLength: 1, maxLength: 6 }),
        fc.constantFrom('- ', '* ', '1. ', '3) ', '- [ ] ', '- [x] ', '-   '),
        fc.constantFrom('\n', '\n', '\n\n'),
        fc.constantFrom('  ', '   ', '    ', ''),
      )
      .map(([items, mark, between, pad]) => items.map(indented(mark, pad)).join(between)),
  ),
}));

const separator = fc.constantFrom('\n\n', '\n\n', '\n', '\n', '\n\n\n', '\n \n', '\r\n\r\n');

/** A sequence of blocks. */
export const blocks = fc
  .array(fc.tuple(block, separator), { minLength: 1, maxLength: 6 })
  .map((all) => all.flat().join(''));

/** A paragraph that is longer than the parser's limit for one step. */
export const longParagraph = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...words) },
      { weight: 1, arbitrary: fc.constantFrom(...inlineMarks, '**bold** ', '`code` ', '[link](/u) ', '_em_ ', '\n') },
    ),
    {
      minLength: 400,
      maxLength: 900,
    },
  )
  .map((pieces) => pieces.join(' ').replace(/ ?\n ?/g, '\n'));

/** Unpaired marks for longer than the parser's limit for inline text, followed by another block. */
export const storm = fc
  .tuple(
    fc.array(fc.constantFrom(...words, ...inlineMarks, ' ', '\n'), { minLength: 1, maxLength: 6 }),
    fc.integer({ min: 9_000, max: 24_000 }),
    soup,
  )
  .map(([pieces, length, rest]) => {
    const part = pieces.join('');
    return part.repeat(Math.ceil(length / part.length)) + rest;
  });

/** Lists and tables with many items and rows, and code and HTML with many lines. */
export const longBlock = fc.oneof(
  fc
    .tuple(
      fc.array(fc.tuple(line, fc.constantFrom('\n', '\n', '\n', '\n', '\n\n', '\n  ', '\n\n  ', '\n ')), {
        minLength: 6,
        maxLength: 30,
      }),
      fc.constantFrom('- ', '1. ', '* [x] ', ' - '),
    )
    .map(([items, mark]) => items.map(([text, end]) => mark + text + end).join('')),
  fc
    .array(line, { minLength: 6, maxLength: 30 })
    .map((rows) => `| a | b |\n|---|:-:|\n${rows.map((row) => `| ${row}\n`).join('')}`),
  fc
    .tuple(
      fc.constantFrom('```js', '~~~', ' ```', '````'),
      fc.array(fc.oneof(line, fc.constantFrom('', '', '  ', '```', '~~~')), { minLength: 6, maxLength: 30 }),
    )
    .map(([fence, all]) => `${fence}\n${all.join('\n')}\n${fence.replace(/\w/g, '').trim()}\n`),
  fc
    .array(fc.oneof(line, fc.constantFrom('', '  ', '\tx', '  \t y', '      z')), { minLength: 6, maxLength: 30 })
    .map((all) => `    ${all.join('\n    ')}\n`),
  fc
    .tuple(
      fc.constantFrom('<div>', '<pre>', '<!-- c', '<x-y>', ' <details>', '<?php', '<style>', '</div>', '<![CDATA['),
      fc.array(fc.oneof(line, fc.constantFrom('<p>', '  <b>x</b>', '-->', '</pre>', '?>', '', '</style>')), {
        minLength: 6,
        maxLength: 30,
      }),
    )
    .map(([open, all]) => `${open}\n${all.join('\n')}\n`),
);

/** Documents of all kinds. */
export const anyDocument = fc.oneof(
  soup,
  blocks,
  fc.tuple(blocks, soup).map((all) => all.join('\n')),
  fc.tuple(soup, longBlock, soup).map((all) => all.join('\n')),
  fc.tuple(longBlock, blocks).map((all) => all.join('')),
);

/** Positions at which a document is cut, as fractions of its length in any order. */
export const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 80 });

/** The prefixes of a text that are rendered while it streams. */
export const beginnings = (text: string, at: readonly number[]): readonly string[] => [
  ...[...at].sort((left, right) => left - right).map((part) => text.slice(0, Math.floor(part * text.length))),
  text,
];
