import { expect, nextFrame } from '@open-wc/testing';
import type { AgentChatMarkdown } from '../../../src/components/element/agent-chat-markdown.ts';
import '../../../src/markdown.ts';

/** A longer word may break: the renderer's limit. */
const LONG = 40;
const ADDRESS = `https://shop.example/${'orders/'.repeat(26)}`;

const containers: HTMLElement[] = [];
afterEach(() => {
  for (const container of containers.splice(0)) container.remove();
});

async function make(width: number, dir = 'ltr'): Promise<AgentChatMarkdown> {
  const container = document.createElement('div');
  container.style.inlineSize = `${String(width)}px`;
  container.dir = dir;
  const element = document.createElement('agent-chat-markdown');
  element.locale = 'en';
  container.append(element);
  document.body.append(container);
  containers.push(container);
  await element.updateComplete;
  return element;
}

async function rendered(element: AgentChatMarkdown): Promise<void> {
  await element.updateComplete;
  await nextFrame();
  await nextFrame();
}

/** Words that are broken over two lines or overlap the next cell. */
function brokenWords(element: AgentChatMarkdown): readonly string[] {
  const words: string[] = [];
  for (const cell of element.renderRoot.querySelectorAll('td, th')) {
    const box = cell.getBoundingClientRect();
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode as Text;
      for (const { index, 0: word } of text.data.matchAll(/[\p{L}\p{N}.,:%€]+/gu)) {
        if (word.length > LONG || /\p{Script=Han}/u.test(word)) continue;
        const range = new Range();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
        const isOut = rects.some(({ left, right }) => left < box.left - 1 || right > box.right + 1);
        if (new Set(rects.map(({ top }) => Math.round(top))).size > 1 || isOut) words.push(word);
      }
    }
  }
  return words;
}

const tableOf = (columns: number, cellAt: (row: number, column: number) => string, rows = 6): string => {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const all = Array.from({ length: columns }, (_, column) => column);
  return [
    line(all.map((column) => `C${String(column)}`)),
    line(all.map((column) => (column % 3 === 1 ? '--:' : ':--'))),
    ...Array.from({ length: rows }, (_, row) => line(all.map((column) => cellAt(row, column)))),
  ].join('');
};

const WORDS = [
  'September',
  'cancelled',
  '1,234,567.89',
  '11,204.00',
  '`deployment`',
  '**Confirmation**',
  '东京的天气很好',
  'a',
];
const growing = (row: number, column: number): string =>
  row === 0 ? String(column) : (WORDS[(row * 3 + column * 5) % WORDS.length] ?? '');

const TABLES: readonly { readonly name: string; readonly source: string }[] = [
  ...[2, 3, 4, 6, 9, 12].map((columns) => ({
    name: `${String(columns)} columns, short first row`,
    source: tableOf(columns, growing),
  })),
  {
    name: 'more rows than one box holds',
    source: tableOf(4, (row, column) => (row < 70 ? 'a' : growing(row, column)), 75),
  },
  {
    name: 'links, and sentences with a long word',
    source: tableOf(3, (row, column) =>
      row === 0 ? 'a' : column === 0 ? '[Reimbursement](https://a.example)' : 'It was internationalised last Wednesday',
    ),
  },
];

describe('words in a table', () => {
  // All widths and directions share the frames of one row.
  for (const { name, source } of TABLES)
    it(`are not broken while it streams, in three widths and both directions: ${name}`, async () => {
      const elements = await Promise.all([328, 358, 700].flatMap((width) => [make(width, 'ltr'), make(width, 'rtl')]));
      const size = Math.max(23, Math.ceil(source.length / 40));
      for (let start = 0; start < source.length; start += size) {
        for (const element of elements) element.write(source.slice(start, start + size));
        await Promise.all(elements.map(rendered));
      }
      await Promise.all(elements.map((element) => element.end()));
      await Promise.all(elements.map(rendered));
      expect(elements.map(brokenWords)).to.deep.equal([[], [], [], [], [], []]);
    });

  for (const { name, source } of TABLES)
    it(`are not broken when it arrives in one step: ${name}`, async () => {
      const element = await make(358);
      element.text = source;
      await rendered(element);
      for (const { style } of element.renderRoot.querySelectorAll<HTMLElement>('.whole'))
        Object.assign(style, { transition: 'none', contentVisibility: 'visible' });
      await rendered(element);
      expect(brokenWords(element)).to.deep.equal([]);
    });

  it('are not broken when the page becomes narrower', async () => {
    const element = await make(900);
    for (const piece of tableOf(6, growing).match(/.{1,20}/gs) ?? []) {
      element.write(piece);
      await rendered(element);
    }
    await element.end();
    element.parentElement!.style.inlineSize = '300px';
    await rendered(element);
    expect(brokenWords(element)).to.deep.equal([]);
    const scroller = element.renderRoot.querySelector('.table-scroll')!;
    expect(scroller.scrollWidth).to.be.above(scroller.clientWidth);
    expect(element.getBoundingClientRect().width).to.equal(300);
  });

  for (const streamed of [true, false])
    it(`may break when they are longer than a line, and no column is as wide as an address (${streamed ? 'streamed' : 'whole'})`, async () => {
      const element = await make(358);
      const source = tableOf(2, (row, column) => (row === 0 || column === 0 ? 'a' : ADDRESS));
      if (streamed) {
        for (const piece of source.match(/.{1,50}/gs) ?? []) {
          element.write(piece);
          await rendered(element);
        }
        await element.end();
      } else element.text = source;
      await rendered(element);
      const scroller = element.renderRoot.querySelector('.table-scroll')!;
      expect(scroller.scrollWidth).to.equal(scroller.clientWidth);
      const [cell] = [...element.renderRoot.querySelectorAll('td')].filter(
        ({ textContent }) => textContent.length > LONG,
      );
      expect(cell!.getBoundingClientRect().width).to.be.above(150);
    });

  it('keep a number and its unit together', async () => {
    const element = await make(200);
    element.write(tableOf(4, (row) => (row === 0 ? '1' : '12 %')));
    await rendered(element);
    await element.end();
    await rendered(element);
    const heights = new Set(Array.from(element.renderRoot.querySelectorAll('td'), ({ offsetHeight }) => offsetHeight));
    expect(heights.size).to.equal(1);
  });

  it('of a row that is still streaming do not change the column widths', async () => {
    const element = await make(358);
    element.write('| Name | Note |\n| -- | -- |\n| ab | cd |\n| A sentence that is still being written');
    await rendered(element);
    expect(element.renderRoot.querySelectorAll('th')[1]!.offsetWidth).to.be.above(110);
  });

  it('get a minimum width for a header of two ideographs', async () => {
    const element = await make(358);
    element.write('| 名称 | 说明 |\n| -- | -- |\n| 甲 | 短 |\n| 乙 | 东京的天气很好 |');
    await rendered(element);
    expect(element.renderRoot.querySelectorAll('th')[1]!.offsetWidth).to.be.above(80);
  });

  it('measure each cell once', async () => {
    const element = await make(358);
    element.write(tableOf(3, () => 'a', 2));
    await rendered(element);
    const measured = new Map<Node, number>();
    const watcher = new MutationObserver((changes) => {
      for (const { target } of changes) measured.set(target, (measured.get(target) ?? 0) + 1);
    });
    watcher.observe(element.renderRoot, { subtree: true, attributeFilter: ['measuring'] });
    for (let row = 0; row < 40; row++) {
      element.write('| word | word | word |\n');
      await rendered(element);
    }
    await element.end();
    await rendered(element);
    watcher.disconnect();
    const cells = [...measured].filter(([node]) => node instanceof HTMLTableCellElement);
    expect(cells.length).to.be.above(115);
    // Two changes for each cell: observed and unobserved.
    expect(new Set(cells.map(([, changes]) => changes))).to.deep.equal(new Set([2]));
  });
});
