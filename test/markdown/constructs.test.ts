import { expect, waitUntil } from '@open-wc/testing';
import { AgentChatCode } from '../../src/primitives/code/code-block.ts';
import { outline, show } from './support/show.ts';

/** The rendered elements of each construct, as an outline. */
const rows: readonly { name: string; text: string; expected: readonly string[] }[] = [
  ...[1, 2, 3, 4, 5, 6].map((depth) => ({
    name: `heading ${String(depth)}`,
    text: `${'#'.repeat(depth)} A *title*`,
    expected: [`h${String(depth)} dir=auto`, '  "A "', '  em', '    "title"'],
  })),
  { name: 'paragraphs', text: 'one\ntwo\n\nthree', expected: ['p dir=auto', '  "one two"', 'p dir=auto', '  "three"'] },
  { name: 'strong', text: '**a** __b__', expected: ['p dir=auto', '  strong', '    "a"', '  strong', '    "b"'] },
  { name: 'strong in emphasis', text: '***a***', expected: ['p dir=auto', '  em', '    strong', '      "a"'] },
  { name: 'strikethrough', text: '~~a~~', expected: ['p dir=auto', '  del', '    "a"'] },
  { name: 'inline code', text: '`a <b>&amp;`', expected: ['p dir=auto', '  code translate=no', '    "a <b>&amp;"'] },
  { name: 'escapes', text: '\\*a\\* \\<b>', expected: ['p dir=auto', '  "*a* <b>"'] },
  { name: 'entities', text: '&copy;&#32;&#x41; &nope; &lt;b&gt;', expected: ['p dir=auto', '  "© A &nope; <b>"'] },
  { name: 'a thematic break', text: 'a\n\n---', expected: ['p dir=auto', '  "a"', 'hr'] },
  { name: 'a line break', text: 'a  \nb', expected: ['p dir=auto', '  "a"', '  br', '  "b"'] },
  {
    name: 'a block quote',
    text: '> a\n>\n> b',
    expected: ['blockquote dir=auto', '  p dir=auto', '    "a"', '  p dir=auto', '    "b"'],
  },
  {
    name: 'nested lists',
    text: '3. a\n   - b\n4. c',
    expected: [
      'ol start=3',
      '  li dir=auto',
      '    "a "',
      '    ul',
      '      li dir=auto',
      '        "b "',
      '  li dir=auto',
      '    "c "',
    ],
  },
  {
    name: 'a loose list',
    text: '- a\n\n- b',
    expected: ['ul', '  li dir=auto', '    p dir=auto', '      "a"', '  li dir=auto', '    p dir=auto', '      "b"'],
  },
  {
    name: 'footnote markers without a footnote as text',
    text: 'a[^1]',
    expected: ['p dir=auto', '  "a[^1]"'],
  },
  {
    name: 'inline tags',
    text: '<kbd>a</kbd><sub>b</sub><span lang=de id=x>c</span>',
    expected: ['p dir=auto', '  kbd', '    "a"', '  sub', '    "b"', '  span lang=de', '    "c"'],
  },
  { name: 'tags that are never closed', text: '<b>a *b', expected: ['p dir=auto', '  b', '    "a *b"'] },
  { name: 'closing tags without an opening tag', text: 'a</b></p> b', expected: ['p dir=auto', '  "a b"'] },
  {
    name: 'tags that overlap',
    text: '<b>a<i>b</b>c</i>',
    expected: ['p dir=auto', '  b', '    "a"', '    i', '      "b"', '  "c"'],
  },
  {
    name: 'an abbreviation',
    text: '<abbr title="a &amp; b">c</abbr>',
    expected: ['p dir=auto', '  abbr title=a & b', '    "c"'],
  },
  {
    name: 'text between marks',
    text: 'a\ufdd01\ufdd1 b',
    expected: ['p dir=auto', '  "a"', '  s-cite', '    "1"', '  " b"'],
  },
  {
    name: 'a mark in code',
    text: '`a\ufdd02\ufdd1`',
    expected: ['p dir=auto', '  code translate=no', '    "a"', '  s-cite', '    "2"'],
  },
  { name: 'an incomplete mark', text: 'a\ufdd0 b\ufdd1', expected: ['p dir=auto', '  "a b"'] },
  {
    name: 'an image',
    text: '![a &amp; b](https://a.example/?x=1&amp;y=2)',
    expected: ['p dir=auto', '  s-image data-alt=a & b data-src=https://a.example/?x=1&y=2'],
  },
  {
    name: 'an image as an HTML tag',
    text: 'a <img src="/x?a&amp;b" alt="c" onerror=x>',
    expected: ['p dir=auto', '  "a "', '  s-image data-alt=c data-src=/x?a&b'],
  },
];

/** The outline of a document's blocks, without the group around them. */
const blocksOf = (text: string): string[] =>
  outline(show(text).place)
    .split('\n')
    .slice(1)
    .map((line) => line.slice(2));

describe('rendered Markdown', () => {
  for (const { name, text, expected } of rows) {
    it(name, () => {
      // White space of the template around an item is ignored.
      const trimmed = (lines: readonly string[]): string[] => lines.map((line) => line.replace(/" | "$/g, '"'));
      expect(trimmed(blocksOf(text))).to.deep.equal(trimmed(expected));
    });
  }
});

describe('code', () => {
  const codeOf = (text: string, growing = false): AgentChatCode => {
    const code = show(text, growing).place.querySelector('agent-chat-code');
    if (!(code instanceof AgentChatCode)) throw new Error('There is no code.');
    return code;
  };

  const fences: readonly { name: string; text: string; code: string; language: string; whole: boolean }[] = [
    { name: 'with a language', text: '```js\na\n```', code: 'a', language: 'js', whole: true },
    {
      name: 'with more text after the language',
      text: '~~~ c++ title="x"\na\n~~~',
      code: 'a',
      language: 'c++',
      whole: true,
    },
    { name: 'without a language', text: '```\na\n\nb\n```', code: 'a\n\nb', language: '', whole: true },
    { name: 'with markup as the language', text: '```"><img\na\n```', code: 'a', language: '', whole: true },
    {
      name: 'with a property name of objects as the language',
      text: '```__proto__\na\n```',
      code: 'a',
      language: '__proto__',
      whole: true,
    },
    {
      name: 'with a language that is too long',
      text: `\`\`\`${'x'.repeat(33)}\na\n\`\`\``,
      code: 'a',
      language: '',
      whole: true,
    },
    { name: 'without a closing fence', text: '```js\na', code: 'a', language: 'js', whole: false },
    { name: 'indented', text: '    a\n    b', code: 'a\nb', language: '', whole: true },
    { name: 'with marks inside', text: '```md\n**a** <b>\n```', code: '**a** <b>', language: 'md', whole: true },
  ];
  for (const { name, text, code, language, whole } of fences) {
    it(name, async () => {
      const element = codeOf(text);
      expect([element.code, element.language, element.complete]).to.deep.equal([code, language, whole]);
      await element.updateComplete;
      expect(element.querySelector('code')?.textContent).to.equal(code);
    });
  }

  it('has no language before its first line is complete', () => {
    expect(codeOf('```j', true).language).to.equal('');
    expect(codeOf('```java\n', true).language).to.equal('java');
  });

  for (const [name, text] of [
    ['indented', '    a\n    b'],
    ['of many lines', `    a\n${'    line\n'.repeat(2000)}`],
    ['in an item', '- a\n\n      b'],
    ['in a quote', '>     a'],
  ] as const)
    it(`may get more lines while it is streaming, also without a fence: ${name}`, () => {
      expect(codeOf(text, true).complete).to.equal(false);
      expect(codeOf(text).complete).to.equal(true);
    });

  it('keeps its element and the beginning of its text while it is streaming', async () => {
    const { place, update } = show('```js\nlet a;\n', true);
    const element = place.querySelector<AgentChatCode>('agent-chat-code')!;
    await element.updateComplete;
    const words = element.querySelector('code')?.lastChild;
    update('```js\nlet a;\nlet b;\n', true);
    await element.updateComplete;
    expect(place.querySelector('agent-chat-code')).to.equal(element);
    expect(element.querySelector('code')?.lastChild).to.equal(words);
    expect(words?.textContent).to.equal('let a;\nlet b;');
  });
});

describe('accessible tables and tasks', () => {
  it('a table has headed columns, their alignment, and a region that can be scrolled by keyboard', async () => {
    const { place } = show('| a | b | c | d |\n|---|:--|:-:|--:|\n| 1 | 2 | *3* | 4 |');
    const cells = (tag: string): string[] => Array.from(place.querySelectorAll(tag), ({ className }) => className);
    expect(cells('th')).to.deep.equal(['', 'left', 'center', 'right']);
    expect(cells('td')).to.deep.equal(['', 'left', 'center', 'right']);
    expect(place.querySelectorAll('th[scope="col"]').length).to.equal(4);
    expect(place.querySelector('td em')?.textContent).to.equal('3');
    const region = place.querySelector<HTMLElement>('[role="group"]');
    expect(region?.tabIndex).to.equal(0);
    expect(region?.getAttribute('aria-label')).to.not.equal('');
    await expect(place).to.be.accessible();
  });

  it('a task has a labelled checkbox that can’t be changed', async () => {
    const { place } = show('- [x] one\n- [ ] two\n- three\n\n1. [X] four\n\n2. five');
    const boxes = [...place.querySelectorAll('input')];
    expect(boxes.map(({ type, checked, disabled }) => [type, checked, disabled])).to.deep.equal([
      ['checkbox', true, true],
      ['checkbox', false, true],
      ['checkbox', true, true],
    ]);
    expect(boxes.map(({ ariaLabel }) => ariaLabel)).to.deep.equal(['Done', 'To do', 'Done']);
    expect(Array.from(place.querySelectorAll('li.task'), ({ textContent }) => textContent.trim())).to.deep.equal([
      'one',
      'two',
      'four',
    ]);
    await expect(place).to.be.accessible();
  });
});

describe('HTML blocks', () => {
  it('are sanitized elements, with images by the page’s policy', async () => {
    const { place } = show(
      '<div align="center" id="x">\n<h2>a &amp; b</h2><img src="/p" alt="c"><p onclick="x()">d</p>\n</div>',
    );
    await waitUntil(() => place.querySelector('agent-chat-html h2'));
    const block = place.querySelector('agent-chat-html')!;
    expect(Array.from(block.querySelectorAll('*'), ({ localName }) => localName)).to.deep.equal([
      'div',
      'h2',
      'span',
      's-image',
      'p',
    ]);
    expect(block.querySelector('s-image')?.getAttribute('data-src')).to.equal('/p');
    expect(block.querySelector('p')?.attributes.length).to.equal(0);
    expect(block.textContent.replace(/\s+/g, ' ').trim()).to.equal('a & bd');
  });

  it('show the latest text', async () => {
    const { place, update } = show('<p>one', true);
    update('<p>one two', true);
    update('<p>one two three</p>');
    await waitUntil(() => place.querySelector('agent-chat-html p'));
    expect(place.querySelector('agent-chat-html')?.textContent.trim()).to.equal('one two three');
  });
});
