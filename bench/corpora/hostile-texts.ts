/**
 * Texts that are meant to block a page: cheap to send, expensive to parse, lay out or paint. `make` gets the requested
 * length in UTF-16 code units.
 */

type Make = (length: number) => string;

const cut = (text: string, length: number): string => text.slice(0, length);
const repeat =
  (unit: string, head = '', end = ''): Make =>
  (length) =>
    head + unit.repeat(Math.max(1, Math.floor((length - head.length - end.length) / unit.length))) + end;
/** Numbered parts in sequence, up to the length. */
const counted =
  (part: (index: number) => string, head = '', end: (count: number) => string = () => ''): Make =>
  (length) => {
    const parts = [head];
    let size = head.length;
    let index = 0;
    for (; size < length; index++) {
      const text = part(index);
      parts.push(text);
      size += text.length;
    }
    return parts.join('') + end(index);
  };
/** A text in two halves: opening and closing marks. */
const mirrored =
  (open: string, middle: string, close: string): Make =>
  (length) => {
    const count = Math.floor(length / (open.length + close.length));
    return open.repeat(count) + middle + close.repeat(count);
  };

function table(columns: number, rows: number): string {
  const row = (cell: string): string => `${`|${cell}`.repeat(columns)}|\n`;
  return row('a') + row('-') + row('b').repeat(rows);
}

const zeroWidth = '\u200b\u200c\u200d\u2060\ufeff';
const bidi = '\u202a\u202b\u202d\u202e\u2066\u2067\u2068';
const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}';
const languages = ['js', 'python', 'rust', 'html', 'sql', 'go', 'diff', 'mermaid', 'json', 'x-none'];

export const hostileTexts: Readonly<Record<string, Make>> = {
  // The texts of the first measurement.
  'table of 2,000 columns': (length) => table(2000, Math.max(1, Math.floor(length / 4000))),
  details: repeat('<details><summary>a</summary>'),
  images: repeat('![a](https://a.example/b.png) '),
  'emphasis, brackets and code left open': repeat('*[`( '),
  'code left open': repeat('`a '),
  'emphasis in strong': repeat('_a**b'),
  links: repeat('[a](https://a.example/) '),
  'nested lists': (length) => {
    const deep = Array.from({ length: Math.floor(Math.sqrt(length)) }, (_, index) => `${' '.repeat(index * 2)}- a\n`);
    return cut(deep.join('').repeat(2), length);
  },
  'stars and underscores': (length) => `${'*_'.repeat(length / 2 - 11)}x${'_*'.repeat(10)}`,
  headings: repeat('# a\n'),
  // Delimiters.
  stars: repeat('*'),
  'stars that open': repeat('*a '),
  'stars that close': repeat('a* '),
  'strong left open': repeat('**a *b '),
  emphasis: repeat('*a* '),
  'emphasis without blanks': repeat('*a*b'),
  'strong in strong': mirrored('**a ', 'x', ' b**'),
  'emphasis of every kind, nested': mirrored('*_~~', 'x', '~~_*'),
  strikethrough: repeat('~~a~~ ~b '),
  'underscores in words': repeat('a_b__c'),
  code: repeat('`a` '),
  'backticks in growing runs': counted((index) => `${'`'.repeat((index % 1000) + 1)} `),
  punctuation: repeat('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ '),
  'marks of every kind': repeat('*_~`[<!&\\'),
  // Links, images, references.
  brackets: repeat('['),
  'brackets in brackets': mirrored('[', 'a', ']'),
  'links in links': mirrored('[a', 'x', '](b)'),
  'half links': repeat('[a]('),
  'half links with angles': repeat('[a](<b'),
  'links with nested parentheses': repeat(`[a](${'('.repeat(20)}`),
  'images in images': mirrored('![', 'a', '](b)'),
  'definitions and their uses': (length) => {
    const count = Math.floor(length / 26);
    const names = Array.from({ length: count }, (_, index) => index);
    return (
      names.map((index) => `[a${String(index)}] `).join('') +
      '\n\n' +
      names.map((index) => `[a${String(index)}]: /b\n`).join('')
    );
  },
  'uses in paragraphs, definitions last': (length) => {
    const count = Math.floor(length / 26);
    const names = Array.from({ length: count }, (_, index) => index);
    return (
      names.map((index) => `[a${String(index)}]\n\n`).join('') +
      names.map((index) => `[a${String(index)}]: /b\n`).join('')
    );
  },
  'one definition, used everywhere': repeat('[a] ', '', '\n\n[a]: /b\n'),
  'half definitions': repeat('[a]: b "\n'),
  footnotes: counted((index) => `a[^${String(index)}]\n\n[^${String(index)}]: b\n\n`),
  'bare addresses': repeat('https://a.example/b '),
  'www without end': repeat('www.a.'),
  'mail addresses': repeat('a@b.example '),
  'mail addresses without end': repeat('a@b.c-'),
  autolinks: repeat('<https://a.example/b> '),
  'autolinks left open': repeat('<https://'),
  // HTML.
  'tags in a line': repeat('<b>', 'a '),
  'tags in a line, closed': repeat('<b>a</b> ', 'a '),
  'half tags': repeat('<a b="', 'a '),
  'tags with many attributes': repeat(' a=b', 'a <b', '>'),
  'comments left open': repeat('<!-- ', 'a '),
  'processing instructions': repeat('<?a ', 'a '),
  'blocks of HTML': repeat('<p>a</p>\n\n'),
  'one block of HTML': repeat('<p>a</p>\n'),
  'nested elements': repeat('<div>'),
  'nested elements, closed': mirrored('<div>', 'a', '</div>'),
  'details, nested': (length) => {
    const deep = `${'<details><summary>a</summary>'.repeat(2000)}b${'</details>'.repeat(2000)}\n\n`;
    return deep.repeat(Math.max(1, Math.floor(length / deep.length)));
  },
  'a table of HTML': repeat('<tr><td>a<td>b', '<table>'),
  'images of HTML': repeat('<img src="https://a.example/b.png">'),
  'formatting left open': repeat('<p><b><i><u>a', '<div>\n'),
  entities: repeat('&amp;&#x41;&nope;'),
  'half entities': repeat('&#'),
  // Blocks.
  'quotes in quotes': repeat('> '),
  'quotes, line by line': repeat(`${'> '.repeat(40)}a\n`),
  'quotes of one line': repeat('> a\n\nb\n\n'),
  items: repeat('- a\n'),
  'loose items': repeat('- a\n\n'),
  'empty items': repeat('-\n'),
  'items in items': repeat('- '),
  'items with code': repeat('- a\n\n      b\n\n'),
  tasks: repeat('- [ ] a\n- [x] b\n'),
  numbers: counted((index) => `${String(index + 1)}. a\n`),
  'lists of other marks': repeat('- a\n+ a\n* a\n'),
  'a quote of one paragraph': repeat('> a *b* c\n'),
  'an item of one paragraph': repeat('  a *b* c\n', '- a\n'),
  'table of one column': repeat('|a|\n', '|a|\n|-|\n'),
  'table of 200 columns': (length) => table(200, Math.max(1, Math.floor(length / 400))),
  'table of 50,000 columns': (length) => table(Math.min(50_000, Math.floor(length / 6)), 1),
  'table with ragged rows': counted((index) => `${'|a'.repeat((index % 60) + 1)}|\n`, '|a|b|c|\n|-|-|-|\n'),
  tables: repeat('|a|b|\n|-|-|\n|c|d|\n\n'),
  'heads of tables that are none': repeat('|a|\n|-|-|\n'),
  'a table with marks': repeat('|*a* `b`|[c](d)|**e**|\n', '|a|b|c|\n|-|-|-|\n'),
  'pipes in a line': repeat('|'),
  fences: repeat('```\n'),
  'fences of languages': counted((index) => `\`\`\`${languages[index % languages.length] ?? ''}\na = 1\n\`\`\`\n\n`),
  'a line of code': repeat('a(b); ', '```js\n'),
  'lines of code': repeat('const a = 1;\n', '```js\n'),
  'indented code': repeat('    a\n\n    b\n'),
  'underlined headings': repeat('a\n=\n'),
  'lines above an underline': repeat('a\n', '', '==='),
  rules: repeat('---\n'),
  'headings with marks': repeat('## *a* `b` [c](d)\n\n'),
  paragraphs: repeat('a\n\n'),
  'hard breaks': repeat('a  \n'),
  'breaks by backslash': repeat('a\\\n'),
  // Characters.
  'one word': repeat('a'),
  words: repeat('word '),
  'one line of numbers': counted((index) => `${String(index)} `),
  backslashes: repeat('\\'),
  escapes: repeat('\\*'),
  blanks: repeat(' ', 'a', 'b'),
  tabs: repeat('\t', 'a', 'b'),
  'tabs in lines': repeat('\ta\t\tb\n'),
  'line ends': repeat('\n', 'a', 'b'),
  'carriage returns': repeat('a\r'),
  nulls: repeat('a\0'),
  'zero widths': repeat(zeroWidth),
  directions: repeat(`${bidi}a`),
  'two directions': repeat('a \u05d0\u05d1 (b) \u0627\u0644 1, '),
  'right to left': repeat('\u0645\u0631\u062d\u0628\u0627 '),
  'accents on one letter': repeat('\u0301\u0323\u0489', 'a'),
  'accents on letters': repeat('a\u0301\u0323\u0489\u0300\u0330'),
  families: repeat(family),
  flags: repeat('\u{1f1e9}\u{1f1ea}'),
  Chinese: repeat('文字'),
  'Thai without blanks': repeat('สวัสดี'),
  'halves of characters': repeat('\ud83d'),
  noncharacters: repeat('\ufdd0 1\ufdd1'),
  dollars: repeat('$'),
  formulas: repeat('$a$ '),
  'formulas left open': repeat('$$a\n'),
  'formulas in brackets': repeat('\\[a\\] \\(b\\) '),
  'hosts in a link': repeat('a.example ', '[', '](https://b.example/)'),
  'words of a link': repeat('*a* ', '[', '](https://b.example/)'),
  'letters of two fonts': repeat('a文'),
  'letters of many fonts': repeat('a文เ\u0905\u05d0\u{1f600}→'),
  // Mixtures, as answers have them, but without end.
  'all kinds of blocks': repeat(
    '# a\n\nb *c* `d` [e](https://a.example) $f$ [^1]\n\n- g\n  1. h\n\n> i\n\n|j|k|\n|-|-|\n|l|m|\n\n```js\nn\n```\n\n<p>o</p>\n\n[^1]: p\n\n',
  ),
  alerts: repeat('> [!NOTE]\n> a\n\n'),
  'code in quotes': repeat('> ```js\n> a\n> ```\n\n'),
  'code in numbered items': counted((index) => `${String(index)}. a\n\n   ~~~\n   b\n   ~~~\n\n`),
  'tables in items': repeat('- a\n\n  |b|c|\n  |-|-|\n  |d|e|\n\n'),
  'lists in quotes in lists': repeat('- a\n  > - b\n  >   > c\n'),
  'folded code': repeat('<details><summary>a</summary>\n\n```js\nb\n```\n\n</details>\n\n'),
  'tables of HTML': repeat('<table><tr><td>a</td><td>b</td></tr></table>\n\n'),
  'lists of HTML': repeat('<ul><li>a</li><li>b</li></ul>\n\n'),
  'HTML in Markdown in HTML': repeat('<div>\n\n*a*\n\n<b>c</b>\n\n</div>\n\n'),
  'raised and lowered letters': repeat('a<sup>b</sup><sub>c</sub>'),
  'line breaks of HTML': repeat('a<br>'),
  'comments between blocks': repeat('<!-- a -->\n\nb\n\n'),
  drawings: repeat('<svg><path d="M0 0h9"/></svg>\n\n'),
  'scripts and styles': repeat('<script>a</script>\n\n<style>b{}</style>\n\n'),
  'linked images': repeat('[![a](https://a.example/b.png)](https://a.example/) '),
  'images in the text': repeat('![a](data:image/png;base64,iVBORw0KGgo=) '),
  'images by reference': repeat('![a][b] ', '[b]: https://a.example/b.png\n\n'),
  citations: counted((index) => `a [${String(index % 99)}] 【${String(index % 99)}†b】 `),
  diagrams: repeat('```mermaid\ngraph TD\nA-->B\n```\n\n'),
  'changes of code': repeat('+ a\n- b\n@@ c\n', '```diff\n'),
  'soft hyphens': repeat('a\u00ad'),
  'rows that never become a table': repeat('a | b | c\n'),
  'headings with code and links': repeat('### `a` [b](https://a.example) ~~c~~\n'),
  'emphasis across lines': repeat('*a\nb* **c\nd** '),
  'formulas in tables': repeat('| $a$ | $$b$$ |\n', '|a|b|\n|-|-|\n'),
  'formulas in items, left open': repeat('- \\[a\n'),
  'escaped brackets': repeat('\\[a\\]\\(b\\) '),
  'definitions of the same label': repeat('[a]: https://a.example/b\n'),
  'ordered and unordered by turns': repeat('- a\n1. b\n'),
};

export type HostileText = keyof typeof hostileTexts;
export const hostileTextNames: readonly HostileText[] = Object.keys(hostileTexts);

/** Returns a text of a given length, and creates it only once. */
export function hostileText(name: HostileText, length: number): string {
  const make = hostileTexts[name];
  if (!make) throw new Error(`There is no text "${name}".`);
  return make(length);
}
