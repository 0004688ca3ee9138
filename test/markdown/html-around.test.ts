import { expect } from '@open-wc/testing';
import { blocks, cuts, beginnings } from './documents.ts';
import fc from 'fast-check';
import { effort } from '../support/effort.ts';
import { grown, outline, show } from './support/show.ts';

/** A short outline: elements and text, without `class`, `dir` and group boxes. */
function shape(node: Node): string {
  if (node instanceof Text) return node.data.replace(/\s+/g, ' ');
  const inner = Array.from(node.childNodes, shape).join('').trim();
  if (!(node instanceof Element) || node.classList.contains('prose-group')) return inner;
  if (node.localName === 'agent-chat-html') return `html(${(node as Element & { source: string }).source.trim()})`;
  const names = Array.from(node.attributes, ({ name, value }) => (value ? `${name}=${value}` : name));
  const attributes = names.filter((name) => !/^(?:class|dir=auto|data-)/.test(name)).join(' ');
  return `${node.localName}${attributes && ` ${attributes}`}(${inner})`;
}

const rows: readonly (readonly [text: string, expected: string])[] = [
  [
    '<details>\n<summary>More</summary>\n\n**bold**\n\n- item\n\n</details>\n\nafter',
    'details(summary(More)p(strong(bold))ul(li(item)))p(after)',
  ],
  ['<details open><summary>A <b>b</b></summary>\n\nc\n</details>', 'details open(summary(A b(b))p(c))'],
  [
    '<details>\n<summary>1</summary>\n\none\n\n<details>\n<summary>2</summary>\n\ntwo\n\n</details>\n\nthree\n\n</details>\n\nfour',
    'details(summary(1)p(one)details(summary(2)p(two))p(three))p(four)',
  ],
  ['<details><summary>a</summary>b</details>', 'details(summary(a)div(b))'],
  ['<div align="center">\n\n# Title\n\n![a](/x)\n\n</div>\n\nafter', 'div align=center(h1(Title)p(s-image()))p(after)'],
  ['<div align=center>\n<b>a</b>\n\n*b*\n\n</div>', 'div align=center(div(b(a))p(em(b)))'],
  ['<div>\n*a*\n</div>', 'html(<div>\n*a*\n</div>)'],
  ['- <details><summary>a</summary>\n\n  *b*\n\n  </details>\n- c', 'ul(li(details(summary(a)p(em(b))))li(p(c)))'],
  ['> <details>\n>\n> a\n>\n> </details>\n\nb', 'blockquote(details(p(a)))p(b)'],
  // The examples of CommonMark: 148, 152, 188, 190, 191.
  [
    '<table><tr><td>\n<pre>\n**Hello**,\n\n_world_.\n</pre>\n</td></tr></table>',
    'table(tr(td(pre(**Hello**,p(em(world).)))))',
  ],
  ['<DIV CLASS="foo">\n\n*Markdown*\n\n</DIV>', 'div(p(em(Markdown)))'],
  ['<div>\n\n*Emphasized* text.\n\n</div>', 'div(p(em(Emphasized) text.))'],
  ['<table>\n\n<tr>\n\n<td>\nHi\n</td>\n\n</tr>\n\n</table>', 'table(tr(td(Hi)))'],
  ['<table>\n<tr>\n<td>\n\n**a** | b\n\n</td>\n</tr>\n</table>', 'table(tr(td(p(strong(a) | b))))'],
  ['<ul>\n<li>\n\n*a*\n\n<li>\n\nb\n\n</ul>\n\nc', 'ul(li(p(em(a)))li(p(b)))p(c)'],
  ['a\n\n</div>\n\nb', 'p(a)html(</div>)p(b)'],
  ['<div>\n\na <script>b</script>\n\n<div onclick=x style=y id=z title="t">\n\nc', 'div(p(a b)div title=t(p(c)))'],
];

describe('Markdown in HTML', () => {
  for (const [text, expected] of rows)
    it(JSON.stringify(text), () => {
      expect(shape(show(text).place).slice(4, -1)).to.equal(expected);
      const letters = Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1));
      expect(outline(grown(letters, text))).to.equal(outline(show(text).place));
    });

  for (const inside of ['bank.example', '*bank.example*', '`bank.example`', '**bank**.example'])
    it(`rule 67: shows the real target beside an HTML link whose text names another one: ${inside}`, () => {
      const { place } = show(`Go to <a href="https://other.example/">${inside}</a> now`);
      expect(place.textContent).to.contain('other.example');
    });

  it('keeps its nodes, and a details element stays open, while it is streaming', () => {
    const start = '<details>\n<summary>More';
    const { place, update } = show(start, true);
    const details = place.querySelector('details');
    details?.toggleAttribute('open', true);
    const rest = '</summary>\n\none\n\n```js\nlet a\n```\n\ntwo\n\n</details>\n\nafter';
    for (let length = 1; length <= rest.length; length++) {
      update(start + rest.slice(0, length), true);
      expect(place.querySelector('details') === details, rest.slice(0, length)).to.equal(true);
      expect(details?.open).to.equal(true);
    }
    const first = details?.querySelector('p');
    update(start + rest);
    expect(details?.querySelector('p') === first && details?.open).to.equal(true);
  });

  it('shows no details element before its summary begins', () => {
    const { place } = show('<details>\n<summ', true);
    expect(place.querySelector('details')).to.equal(null);
  });

  it('reads a block in it again when its reference arrives', () => {
    const text = '<div>\n\n[a]\n\nb\n\n</div>\n\n<div>\n\n[a]\n\nc\n\nd\n\n[a]: https://a.example\n\ne\n\nf';
    const letters = Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1));
    const place = grown(letters, text);
    expect(place.querySelectorAll('div > p > a')).to.have.length(2);
  });

  it('ends in the same elements as in one step, cut anywhere', () => {
    const tags = [
      '<div>',
      '</div>',
      '<details>',
      '<summary>s</summary>',
      '</details>',
      '<table>',
      '<tr><td>',
      '</table>',
      '<p>',
      '<li>',
    ];
    const some = fc
      .array(fc.oneof(blocks, fc.constantFrom(...tags, ...tags, ...tags)), { maxLength: 12 })
      .map((parts) => parts.join('\n\n'));
    fc.assert(
      fc.property(some, cuts, (text, at) => {
        const whole = show(text).place;
        const place = grown(beginnings(text, at), text);
        expect(outline(place)).to.equal(outline(whole));
        place.remove();
        whole.remove();
      }),
      { numRuns: effort(60) },
    );
  }).timeout(60_000);

  it('limits the nesting depth and takes time in proportion to the length', () => {
    const { place } = show('<div>\n\n> <div>\n> \n> a\n\n'.repeat(400));
    let depth = 0;
    for (let node: Element | null = place; node; node = node.lastElementChild) depth++;
    expect(depth).to.be.below(80);
    expect(place.querySelectorAll('p')).to.have.length(400);
  });
});
