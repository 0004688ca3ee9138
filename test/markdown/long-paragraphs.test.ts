import { expect } from '@open-wc/testing';
import { seeded } from '../../bench/corpora/random.ts';
import { effort, isChromium } from '../support/effort.ts';
import { createParser } from './support/parser.ts';
import { grown, outline, show } from './support/show.ts';

const words = 'a *b* `c` d '.repeat(60);
/** marked's expression for tables takes WebKit seconds for more. */
const HEAD = '|a|\n|-|-|\n';
const heads = HEAD.repeat(effort(600, 6));
const cells = '|a *b*'.repeat(80);

/** Long paragraphs that are split while they grow, and what is on the page at the end. */
const rows: readonly { name: string; text: string; has: string; count: number }[] = [
  { name: 'lines that look like the heads of tables', text: heads, has: 'table', count: 0 },
  {
    name: 'a table below lines that look like heads',
    text: `${heads}|a|b|\n|-|-|\n|c|d|\n`,
    has: 'table',
    count: 1,
  },
  { name: 'a table below a long paragraph', text: `${words.repeat(8)}\n|a|\n|-|\n|b|\n`, has: 'table', count: 1 },
  {
    name: 'a line that is too long for the head of a table',
    text: `${`${words}|`.repeat(40)}\n-|-\n`,
    has: 'table',
    count: 0,
  },
  {
    name: 'the end of a line that is too long, with a row below',
    text: `${'a|'.repeat(9000)} b\n${'-|'.repeat(500)}-\n`,
    has: 'table',
    count: 0,
  },
  { name: 'a heading that is underlined late', text: `${`${words}\n`.repeat(8)}===\n`, has: 'h1', count: 1 },
  { name: 'a list behind a long paragraph', text: `${`1 ${words}\n`.repeat(8)}- a\n`, has: 'li', count: 1 },
  {
    name: 'code behind a long paragraph',
    text: `${`|${words}\n`.repeat(8)}    a\n\n\`\`\`\nb\n\`\`\`\n`,
    has: 'agent-chat-code',
    count: 1,
  },
  { name: 'lines of numbers and signs', text: `+1|${words}\n#2 a\n`.repeat(20), has: 'p', count: 1 },
  {
    name: 'a link of HTML that is left open',
    text: `b <a href="https://a.example/">${words.repeat(8)}[d](https://e.example/)`,
    has: 'p',
    count: 1,
  },
  {
    name: 'many links of HTML',
    text: `b ${'<a href="https://a.example/">c</a> https://d.example/ '.repeat(200)}`,
    has: 'p',
    count: 1,
  },
  { name: 'half tags of links', text: `a ${'<a b="'.repeat(2000)}`, has: 'a', count: 0 },
  { name: 'words in a bracket', text: `[${words.repeat(8)}](/b)`, has: 'a', count: 0 },
  {
    name: 'a definition with a label that is too long',
    text: `[a]\n\n[${'b '.repeat(600)}]: /c\n`,
    has: 'a',
    count: 0,
  },
  {
    name: 'a definition with a long label',
    text: `[${'b '.repeat(400)}]\n\n[${'b '.repeat(400)}]: https://a.example/\n`,
    has: 'a',
    count: 1,
  },
  {
    name: 'a title that is too long',
    text: `[a]\n\n[a]: /c "${'b '.repeat(3000)}"\n`,
    has: 'a',
    count: 0,
  },
  {
    name: 'a title on a line of its own that is too long',
    text: `[a]\n\n[a]: https://a.example/\n"${'b '.repeat(3000)}"\n`,
    has: 'a',
    count: 1,
  },
  {
    name: 'a definition with a long address',
    text: `[a]\n\n[a]: https://a.example/${'b'.repeat(9000)} "c"\n`,
    has: 'a[title="c"]',
    count: 1,
  },
  {
    name: 'a URL of 20 KB',
    text: `see https://a.example/${'b'.repeat(20_000)} there`,
    has: 'a',
    count: 1,
  },
  {
    name: 'a URL that is too long for a link',
    text: `see https://a.example/${'b'.repeat(100_000)} there`,
    has: 'a',
    count: 0,
  },
  {
    name: 'marks on a letter at the split',
    text: `${'b'.repeat(4090)}a${'\u0301'.repeat(20)}${'c'.repeat(5000)}`,
    has: 'p',
    count: 1,
  },
];

describe('a long paragraph', () => {
  for (const { name, text, has, count } of rows) {
    it(`is the same when it grows: ${name}`, () => {
      const { place } = show(text);
      expect(place.querySelectorAll(has).length).to.equal(count);
      const random = seeded(name.length);
      for (const most of [700, 5000]) {
        const beginnings: string[] = [];
        for (let length = 0; length < text.length; length += random.integer(1, most))
          beginnings.push(text.slice(0, length));
        expect(outline(grown(beginnings, text)), `pieces up to ${String(most)}`).to.equal(outline(place));
      }
    });
  }

  for (const [name, unit, head = ''] of [
    ['lines that look like the heads of tables', HEAD],
    ['a line of cells', cells],
    ['half tags of links', '<a b="', 'a '],
    ['links of HTML', '<a href="/b">c</a> ', 'a '],
    ['words in a bracket', '*a* ', '['],
    ['lines that begin with a sign', '+1 a *b*\n', 'a\n'],
    ['a title of a definition', 'a ', '[b]: /c "'],
    ['a label of a definition', 'a ', '['],
  ] as const) {
    if (unit === HEAD && !isChromium) continue;
    it(`is not parsed again from its beginning: ${name}`, () => {
      const text = head + unit.repeat(100_000 / unit.length);
      const parser = createParser();
      parser.update(text.slice(0, -10), false);
      const { open: before } = parser.update(text.slice(0, -5), false);
      const { open: after } = parser.update(text, false);
      for (const [first] of [before, after]) {
        expect(first?.token.type).to.equal('paragraph');
        expect(first?.settled).to.be.above(10);
      }
    }).timeout(60_000);
  }
});
