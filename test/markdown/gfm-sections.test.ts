/**
 * The extension sections of the GFM specification, as Markdown and HTML of our own: its examples are not in this
 * repository because of their licence. `npm run fuzz -- gfm` fetches and runs them.
 */
import { expect } from '@open-wc/testing';
import { canonicalOfHtml, canonicalOfOurs } from './support/canonical.ts';
import { grown, outline, show } from './support/show.ts';

interface Example {
  readonly rule: string;
  readonly markdown: string;
  readonly html: string;
}

const table = (head: string, ...rows: readonly string[]): string =>
  `<table><thead>${head}</thead>${rows.length > 0 ? `<tbody>${rows.join('')}</tbody>` : ''}</table>`;
const row = (...cells: readonly string[]): string => `<tr>${cells.join('')}</tr>`;
const link = (href: string, text = href): string => `<p><a href="${href}">${text}</a></p>`;
const box = (checked: boolean): string => `<input ${checked ? 'checked="" ' : ''}disabled="" type="checkbox">`;

const sections: Readonly<Record<string, readonly Example[]>> = {
  Tables: [
    {
      rule: 'a header, a delimiter row and rows',
      markdown: '| city | people |\n| --- | --- |\n| Oslo | 700 000 |\n',
      html: table(row('<th>city</th>', '<th>people</th>'), row('<td>Oslo</td>', '<td>700 000</td>')),
    },
    {
      rule: 'colons align; outer pipes are optional',
      markdown: '| one | two |\n:-: | --:\nthree | four\n',
      html: table(
        row('<th align="center">one</th>', '<th align="right">two</th>'),
        row('<td align="center">three</td>', '<td align="right">four</td>'),
      ),
    },
    {
      rule: 'an escaped pipe is text, also in code and emphasis',
      markdown: '| a\\|b |\n| --- |\n| c `\\|` d |\n| e **\\|** f |\n',
      html: table(row('<th>a|b</th>'), row('<td>c <code>|</code> d</td>'), row('<td>e <strong>|</strong> f</td>')),
    },
    {
      rule: 'another block ends the table',
      markdown: '| a | b |\n| --- | --- |\n| 1 | 2 |\n> quote\n',
      html: `${table(row('<th>a</th>', '<th>b</th>'), row('<td>1</td>', '<td>2</td>'))}<blockquote><p>quote</p></blockquote>`,
    },
    {
      rule: 'a blank line ends the table; a line without a pipe does not',
      markdown: '| a | b |\n| --- | --- |\n| 1 | 2 |\nplain\n\nplain\n',
      html: `${table(row('<th>a</th>', '<th>b</th>'), row('<td>1</td>', '<td>2</td>'), row('<td>plain</td>', '<td></td>'))}<p>plain</p>`,
    },
    {
      rule: 'header and delimiter row have the same number of cells, or there is no table',
      markdown: '| a | b |\n| --- |\n| c |\n',
      html: '<p>| a | b | | --- | | c |</p>',
    },
    {
      rule: 'missing cells are empty, and excess cells are dropped',
      markdown: '| a | b |\n| --- | --- |\n| 1 |\n| 2 | 3 | 4 |\n',
      html: table(row('<th>a</th>', '<th>b</th>'), row('<td>1</td>', '<td></td>'), row('<td>2</td>', '<td>3</td>')),
    },
    {
      rule: 'a table without rows',
      markdown: '| a | b |\n| --- | --- |\n',
      html: table(row('<th>a</th>', '<th>b</th>')),
    },
  ],
  'Task list items': [
    {
      rule: 'open and done',
      markdown: '- [ ] buy\n- [x] cook\n- [X] eat\n',
      html: `<ul><li>${box(false)} buy</li><li>${box(true)} cook</li><li>${box(true)} eat</li></ul>`,
    },
    {
      rule: 'nested',
      markdown: '- [x] a\n  - [ ] b\n  - [x] c\n- [ ] d\n',
      html: `<ul><li>${box(true)} a<ul><li>${box(false)} b</li><li>${box(true)} c</li></ul></li><li>${box(false)} d</li></ul>`,
    },
    {
      rule: 'white space after the marker is required',
      markdown: '1. [x]a\n2. [-] b\n',
      html: '<ol><li>[x]a</li><li>[-] b</li></ol>',
    },
  ],
  Strikethrough: [
    {
      rule: 'one or two tildes',
      markdown: '~~old~~ new, ~also~\n',
      html: '<p><del>old</del> new, <del>also</del></p>',
    },
    { rule: 'not across paragraphs', markdown: 'so ~~long\n\nor~~ short\n', html: '<p>so ~~long</p><p>or~~ short</p>' },
    { rule: 'not with three tildes', markdown: 'so ~~~long~~~ it is\n', html: '<p>so ~~~long~~~ it is</p>' },
  ],
  Autolinks: [
    { rule: 'www', markdown: 'www.e.example\n', html: link('http://www.e.example', 'www.e.example') },
    {
      rule: 'a path',
      markdown: 'Read www.e.example/a today.\n',
      html: '<p>Read <a href="http://www.e.example/a">www.e.example/a</a> today.</p>',
    },
    {
      rule: 'punctuation at the end does not belong to it',
      markdown: 'See www.e.example. Or www.e.example/a.b.\n',
      html: '<p>See <a href="http://www.e.example">www.e.example</a>. Or <a href="http://www.e.example/a.b">www.e.example/a.b</a>.</p>',
    },
    {
      rule: 'a closing parenthesis belongs to it only with an opening one',
      markdown: 'www.e.example/q=(a)\n\n(www.e.example/q=(a))\n',
      html: `${link('http://www.e.example/q=(a)', 'www.e.example/q=(a)')}<p>(<a href="http://www.e.example/q=(a)">www.e.example/q=(a)</a>)</p>`,
    },
    {
      rule: 'parentheses inside are ignored when it does not end with one',
      markdown: 'www.e.example/q=(a))+b\n',
      html: link('http://www.e.example/q=(a))+b', 'www.e.example/q=(a))+b'),
    },
    {
      rule: 'what looks like an entity at the end does not belong to it',
      markdown: 'www.e.example/q=a&b=c\n\nwww.e.example/q=a&zz;\n',
      html: `${link('http://www.e.example/q=a&amp;b=c', 'www.e.example/q=a&amp;b=c')}<p><a href="http://www.e.example/q=a">www.e.example/q=a</a>&amp;zz;</p>`,
    },
    {
      rule: 'ends at <',
      markdown: 'www.e.example/a<b\n',
      html: '<p><a href="http://www.e.example/a">www.e.example/a</a>&lt;b</p>',
    },
    {
      rule: 'http and https',
      markdown: 'http://e.example\n\n(Go to https://e.example/a?b=c+d.)\n',
      html: `${link('http://e.example')}<p>(Go to <a href="https://e.example/a?b=c+d">https://e.example/a?b=c+d</a>.)</p>`,
    },
    { rule: 'an email address', markdown: 'me@e.example\n', html: link('mailto:me@e.example', 'me@e.example') },
    {
      rule: 'a plus before the @ is allowed, after it is not',
      markdown: 'a@m+x.example is none, a+b@m.example is.\n',
      html: '<p>a@m+x.example is none, <a href="mailto:a+b@m.example">a+b@m.example</a> is.</p>',
    },
    {
      rule: 'an email address does not end with a hyphen or an underscore',
      markdown: 'a.b-c_d@e.b\n\na.b-c_d@e.b.\n\na.b-c_d@e.b-\n\na.b-c_d@e.b_\n',
      html: `${link('mailto:a.b-c_d@e.b', 'a.b-c_d@e.b')}<p><a href="mailto:a.b-c_d@e.b">a.b-c_d@e.b</a>.</p><p>a.b-c_d@e.b-</p><p>a.b-c_d@e.b_</p>`,
    },
  ],
  'Disallowed raw HTML': [
    {
      rule: 'the tags are dropped; an HTML block also loses its content if that is code or data',
      markdown:
        '<em>a</em> <form>b</form>\n\n<script>c</script>\n\nd <style>e</style>\n\n<iframe src="https://e.example"></iframe>\n\nf\n',
      html: '<p><em>a</em> b</p><p>d e</p><p>f</p>',
    },
  ],
};

const characters = (text: string): readonly string[] =>
  Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1));

for (const [section, examples] of Object.entries(sections))
  describe(`GFM: ${section}`, () => {
    for (const { rule, markdown, html } of examples) {
      it(rule, () => {
        expect(canonicalOfOurs(show(markdown).place)).to.equal(canonicalOfHtml(html));
      });

      it(`${rule}, a character at a time`, () => {
        expect(outline(grown(characters(markdown), markdown))).to.equal(outline(show(markdown).place));
      });
    }
  });
