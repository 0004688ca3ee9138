import { expect, nextFrame, waitUntil } from '@open-wc/testing';
import type { AgentChatMarkdown } from '../../../src/components/element/agent-chat-markdown.ts';
import '../../../src/markdown.ts';

const HEAD = '| Id | Product | Orders | Remark |\n| --: | :-- | --: | :-- |\n';
const row = (index: number, remark = 'nothing to say'): string =>
  `| ${String(index)} | A buckle of steel | ${String(index * 7)} | ${remark} |\n`;
const rows = (from: number, to: number, remark?: string): string =>
  Array.from({ length: to - from }, (_, index) => row(from + index, remark)).join('');

const containers: HTMLElement[] = [];
afterEach(() => {
  for (const container of containers.splice(0)) container.remove();
});

async function make(width = 600): Promise<AgentChatMarkdown> {
  const container = document.createElement('div');
  container.style.inlineSize = `${String(width)}px`;
  const element = document.createElement('agent-chat-markdown');
  element.locale = 'en';
  container.append(element);
  document.body.append(container);
  containers.push(container);
  await element.updateComplete;
  return element;
}

/** Waits until written text is rendered, measured and laid out. */
async function rendered(element: AgentChatMarkdown): Promise<void> {
  await element.updateComplete;
  await nextFrame();
  await nextFrame();
}

const tablesOf = (element: AgentChatMarkdown): readonly HTMLTableElement[] => [
  ...element.renderRoot.querySelectorAll('table'),
];

/** The left edges of a table's columns, rounded to pixels. */
const edgesOf = (table: HTMLTableElement | undefined): readonly number[] =>
  Array.from(table?.rows[0]?.cells ?? [], (cell) => Math.round(cell.getBoundingClientRect().left));

const edges = (element: AgentChatMarkdown): readonly (readonly number[])[] => tablesOf(element).map(edgesOf);

/** All tables have these columns, within one pixel of rounding. */
function expectSame(element: AgentChatMarkdown, wanted: readonly number[], count: number): void {
  const all = edges(element);
  expect(all.length).to.equal(count);
  for (const [table, positions] of all.entries())
    for (const [column, position] of positions.entries())
      expect(position, `table ${String(table)}, column ${String(column)}`).to.be.closeTo(wanted[column] ?? NaN, 1);
}

describe('a streaming table', () => {
  const GROWING = '| # | Order | Remark |\n| :-: | --: | --- |\n| 1 | 97 | fine |';
  const isShown = (element: AgentChatMarkdown): boolean => element.renderRoot.querySelector('th')!.checkVisibility();

  it('is a dot until its first row is complete, and does not move after that', async () => {
    const element = await make();
    const seen: string[] = [];
    for (const character of GROWING) {
      element.write(character);
      await element.updateComplete;
      if (element.renderRoot.querySelector('th') && isShown(element)) seen.push(character);
    }
    expect(seen).to.deep.equal([]);
    const rest =
      '\n| 2 | 2,310 | The buckle has come off, and was sent back with a letter |\n| 14 | 7 | Without_a_blank_in_it_and_longer_than_its_column_is |\n';
    const positions = new Set<string>();
    for (const piece of rest.match(/.{1,5}/gs) ?? []) {
      element.write(piece);
      await rendered(element);
      if (isShown(element)) positions.add(edges(element)[0]?.join() ?? '');
    }
    await element.end();
    await rendered(element);
    positions.add(edges(element)[0]?.join() ?? '');
    expect(positions.size).to.equal(1);
    const scroller = element.renderRoot.querySelector('.table-scroll')!;
    expect(scroller.scrollWidth).to.equal(scroller.clientWidth);
  });

  it('shows a number that does not begin its column when it is complete', async () => {
    const element = await make();
    const figures = (): readonly boolean[] =>
      Array.from(element.renderRoot.querySelectorAll('td'), (cell) =>
        cell.checkVisibility({ visibilityProperty: true }),
      );
    element.write(`${GROWING}\n| 2 | 2,3`);
    await rendered(element);
    expect(figures()).to.deep.equal([true, true, true, true, false, true]);
    element.write('10 | The');
    await rendered(element);
    expect(figures()).to.deep.equal([true, true, true, true, true, true]);
  });

  it('is shown with one row when it has no more', async () => {
    const element = await make();
    element.write(`- An item\n\n  ${GROWING.replaceAll('\n', '\n  ')}\n\n  And words`);
    await rendered(element);
    expect(isShown(element), 'words behind it').to.equal(true);
    const last = await make();
    last.write(GROWING);
    await last.end();
    await rendered(last);
    expect(isShown(last), 'the end').to.equal(true);
  });

  it('is not delayed by a long first row', async () => {
    const element = await make();
    element.write(`| A | B |\n| --- | --- |\n| ${'many words '.repeat(12)}`);
    await rendered(element);
    expect(isShown(element)).to.equal(true);
  });

  it('is laid out again when another table replaces it', async () => {
    const element = await make();
    element.write(`${GROWING}\n| 2 | 8 | no |`);
    await rendered(element);
    await element.end();
    await rendered(element);
    expect(element.renderRoot.querySelectorAll('col').length).to.equal(3);
    element.text = '| Other | Heads |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |';
    await rendered(element);
    expect(element.renderRoot.querySelectorAll('col').length).to.equal(0);
  });
});

describe('the columns of a long table', () => {
  it('do not move while rows arrive, after the first group of rows', async () => {
    const element = await make();
    element.write(HEAD + rows(0, 32));
    await rendered(element);
    const [first = []] = edges(element);
    element.write(rows(32, 34));
    await rendered(element);
    expectSame(element, first, 2);
    element.write(rows(34, 150, 'many more words than any row had before it'));
    await rendered(element);
    expectSame(element, first, 5);
  });

  it('are fitted again when the table is complete, off-screen, and later rows need much more space', async () => {
    const element = await make();
    element.write(HEAD + rows(0, 40, '–'));
    await rendered(element);
    const [before = []] = edges(element);
    element.write(rows(40, 100, 'many more words than any row had before it, which need their place'));
    await element.end();
    await rendered(element);
    expectSame(element, before, 4);
    const container = element.parentElement!;
    container.style.marginBlockStart = '3000px';
    scrollTo(0, 0);
    await waitUntil(() => (edges(element)[0]?.[3] ?? Infinity) < (before[3] ?? 0) - 40);
    container.style.marginBlockStart = '';
    const [fitted = []] = edges(element);
    for (const table of tablesOf(element)) {
      // Firefox lays out skipped content when it comes into view, not when its position is read.
      table.scrollIntoView();
      await rendered(element);
      for (const [column, edge] of edgesOf(table).entries()) expect(edge).to.be.closeTo(fitted[column] ?? NaN, 1);
    }
    scrollTo(0, 0);

    const calm = await make();
    calm.write(HEAD + rows(0, 40));
    await rendered(calm);
    const [still = []] = edges(calm);
    calm.write(rows(40, 100));
    await calm.end();
    await rendered(calm);
    expectSame(calm, still, 4);
  });

  it('are the same in all rows of a table set in one step, at any width, and from right to left', async () => {
    const element = await make();
    element.text = HEAD + rows(0, 100);
    await rendered(element);
    const container = element.parentElement!;
    // In Firefox off-screen content has its last width.
    for (const { style } of element.renderRoot.querySelectorAll<HTMLElement>('.whole'))
      Object.assign(style, { transition: 'none', contentVisibility: 'visible' });
    for (const width of [600, 420, 240, 900]) {
      container.style.inlineSize = `${String(width)}px`;
      expectSame(element, edges(element)[0] ?? [], 4);
      const scroller = element.renderRoot.querySelector('.table-scroll')!;
      const least = Math.max(...tablesOf(element).map(({ offsetWidth }) => offsetWidth));
      expect(scroller.scrollWidth).to.equal(Math.max(least, scroller.clientWidth));
      expect(element.getBoundingClientRect().width).to.equal(width);
    }
    // As for a header in Arabic.
    element.renderRoot.querySelector<HTMLElement>('.table-scroll')!.dir = 'rtl';
    const [first, ...others] = edges(element);
    expect(others).to.deep.equal(others.map(() => first));
    expect(first?.[0]).to.be.above(first?.[1] ?? Infinity);
  });

  it('are measured only when the table is visible', async () => {
    const element = await make();
    const container = element.parentElement!;
    container.hidden = true;
    element.text = HEAD + rows(0, 100);
    await rendered(element);
    container.hidden = false;
    await rendered(element);
    const [first, ...others] = edges(element);
    expect(others).to.deep.equal([first, first, first]);
    expect(tablesOf(element).at(-1)?.rows.length).to.equal(4);
    expect(tablesOf(element).at(-1)?.getBoundingClientRect().height).to.be.above(0);
  });
});

describe('a long table', () => {
  it('is one table for assistive technology', async () => {
    const element = await make();
    element.write(HEAD + rows(0, 20));
    await rendered(element);
    element.write(rows(20, 70));
    await element.end();
    await rendered(element);
    const parts = [...element.renderRoot.querySelectorAll('[role="table"] :is(table, div, thead, tbody, tr, th, td)')];
    const roles = { table: 'none', div: 'none', thead: 'rowgroup', tbody: 'rowgroup' };
    const named = { ...roles, tr: 'row', th: 'columnheader', td: 'cell' } as Readonly<Record<string, string>>;
    expect(parts.length).to.be.above(71 * 5);
    for (const part of parts) expect(part.getAttribute('role'), part.localName).to.equal(named[part.localName]);
    await expect(element).shadowDom.to.be.accessible();
  });

  it('is copied as rows of cells', async () => {
    const element = await make();
    element.text = HEAD + rows(0, 40);
    await rendered(element);
    const all = tablesOf(element).flatMap((table) => [...table.rows]);
    // No range is added: inside a shadow tree not every browser supports that.
    getSelection()?.setBaseAndExtent(all[31]!, 0, all[34]!, all[34]!.childNodes.length);
    // Selected off-screen content is laid out with the next frame.
    await rendered(element);
    const words = getSelection()?.toString().trim().split(/\n+/);
    expect(words).to.deep.equal([30, 31, 32, 33].map((at) => row(at).trim().slice(2, -2).replaceAll(' | ', '\t')));
  });

  it('is a short table again when another text replaces it', async () => {
    const element = await make();
    element.text = HEAD + rows(0, 70);
    await rendered(element);
    expect(element.renderRoot.querySelectorAll('col').length).to.equal(12);
    element.text = HEAD + rows(0, 3);
    await rendered(element);
    expect(element.renderRoot.querySelectorAll('col').length).to.equal(0);
    expect(element.renderRoot.querySelector('.table-scroll')?.getAttribute('role')).to.equal('group');
  });
});
