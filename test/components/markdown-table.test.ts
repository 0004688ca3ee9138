import { expect, nextFrame, waitUntil } from '@open-wc/testing';
import type { AgentChatMarkdown } from '../../src/components/markdown-element.ts';
import '../../src/markdown.ts';

const HEAD = '| Id | Product | Orders | Remark |\n| --: | :-- | --: | :-- |\n';
const row = (index: number, remark = 'nothing to say'): string =>
  `| ${String(index)} | A buckle of steel | ${String(index * 7)} | ${remark} |\n`;
const rows = (from: number, to: number, remark?: string): string =>
  Array.from({ length: to - from }, (_, index) => row(from + index, remark)).join('');

const places: HTMLElement[] = [];
afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});

async function make(width = 600): Promise<AgentChatMarkdown> {
  const place = document.createElement('div');
  place.style.inlineSize = `${String(width)}px`;
  const element = document.createElement('agent-chat-markdown');
  element.locale = 'en';
  place.append(element);
  document.body.append(place);
  places.push(place);
  await element.updateComplete;
  return element;
}

/** What is written has been drawn, measured and laid out. */
async function drawn(element: AgentChatMarkdown): Promise<void> {
  await element.updateComplete;
  await nextFrame();
  await nextFrame();
}

const tablesOf = (element: AgentChatMarkdown): readonly HTMLTableElement[] => [
  ...element.renderRoot.querySelectorAll('table'),
];

/** Where the columns of a table begin, to the pixel. */
const edgesOf = (table: HTMLTableElement | undefined): readonly number[] =>
  Array.from(table?.rows[0]?.cells ?? [], (cell) => Math.round(cell.getBoundingClientRect().left));

const edges = (element: AgentChatMarkdown): readonly (readonly number[])[] => tablesOf(element).map(edgesOf);

/** All tables have these columns, give or take the pixel that a share of the whole is rounded by. */
function expectSame(element: AgentChatMarkdown, wanted: readonly number[], count: number): void {
  const all = edges(element);
  expect(all.length).to.equal(count);
  for (const [table, places] of all.entries())
    for (const [column, place] of places.entries())
      expect(place, `table ${String(table)}, column ${String(column)}`).to.be.closeTo(wanted[column] ?? NaN, 1);
}

describe('a table that comes in', () => {
  const GROWING = '| # | Order | Remark |\n| :-: | --: | --- |\n| 1 | 97 | fine |';
  const isShown = (element: AgentChatMarkdown): boolean => element.renderRoot.querySelector('th')!.checkVisibility();

  it('is a dot until its first row is whole, and stands still from then on', async () => {
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
    const places = new Set<string>();
    for (const piece of rest.match(/.{1,5}/gs) ?? []) {
      element.write(piece);
      await drawn(element);
      if (isShown(element)) places.add(edges(element)[0]?.join() ?? '');
    }
    await element.end();
    await drawn(element);
    places.add(edges(element)[0]?.join() ?? '');
    expect(places.size).to.equal(1);
    const scroller = element.renderRoot.querySelector('.table-scroll')!;
    expect(scroller.scrollWidth).to.equal(scroller.clientWidth);
  });

  it('shows a figure that is not at the start of its column when it is whole', async () => {
    const element = await make();
    const figures = (): readonly boolean[] =>
      Array.from(element.renderRoot.querySelectorAll('td'), (cell) =>
        cell.checkVisibility({ visibilityProperty: true }),
      );
    element.write(`${GROWING}\n| 2 | 2,3`);
    await drawn(element);
    expect(figures()).to.deep.equal([true, true, true, true, false, true]);
    element.write('10 | The');
    await drawn(element);
    expect(figures()).to.deep.equal([true, true, true, true, true, true]);
  });

  it('is shown with one row where that is all', async () => {
    const element = await make();
    element.write(`- An item\n\n  ${GROWING.replaceAll('\n', '\n  ')}\n\n  And words`);
    await drawn(element);
    expect(isShown(element), 'words behind it').to.equal(true);
    const last = await make();
    last.write(GROWING);
    await last.end();
    await drawn(last);
    expect(isShown(last), 'the end').to.equal(true);
  });

  it('is not made to wait by a first row that is long', async () => {
    const element = await make();
    element.write(`| A | B |\n| --- | --- |\n| ${'many words '.repeat(12)}`);
    await drawn(element);
    expect(isShown(element)).to.equal(true);
  });

  it('is laid out afresh when another takes its place', async () => {
    const element = await make();
    element.write(`${GROWING}\n| 2 | 8 | no |`);
    await drawn(element);
    await element.end();
    await drawn(element);
    expect(element.renderRoot.querySelectorAll('col').length).to.equal(3);
    element.text = '| Other | Heads |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |';
    await drawn(element);
    expect(element.renderRoot.querySelectorAll('col').length).to.equal(0);
  });
});

describe('the columns of a long table', () => {
  it('stand still while rows come, from the last of the first rows on', async () => {
    const element = await make();
    element.write(HEAD + rows(0, 32));
    await drawn(element);
    const [first = []] = edges(element);
    element.write(rows(32, 34));
    await drawn(element);
    expectSame(element, first, 2);
    element.write(rows(34, 150, 'many more words than any row had before it, and a_very_long_word_without_a_blank'));
    await drawn(element);
    expectSame(element, first, 5);
  });

  it('are fitted once it is complete and nobody looks, where later rows have much more to say, and only there', async () => {
    const element = await make();
    element.write(HEAD + rows(0, 40, '–'));
    await drawn(element);
    const [before = []] = edges(element);
    element.write(rows(40, 100, 'many more words than any row had before it, which need their place'));
    await element.end();
    await drawn(element);
    expectSame(element, before, 4);
    const place = element.parentElement!;
    place.style.marginBlockStart = '3000px';
    scrollTo(0, 0);
    await waitUntil(() => (edges(element)[0]?.[3] ?? Infinity) < (before[3] ?? 0) - 40);
    place.style.marginBlockStart = '';
    const [fitted = []] = edges(element);
    for (const table of tablesOf(element)) {
      // Firefox lays out what it skips when it comes into view, and not when it is asked for a place in it.
      table.scrollIntoView();
      await drawn(element);
      for (const [column, edge] of edgesOf(table).entries()) expect(edge).to.be.closeTo(fitted[column] ?? NaN, 1);
    }
    scrollTo(0, 0);

    const calm = await make();
    calm.write(HEAD + rows(0, 40));
    await drawn(calm);
    const [still = []] = edges(calm);
    calm.write(rows(40, 100));
    await calm.end();
    await drawn(calm);
    expectSame(calm, still, 4);
  });

  it('are the same in all rows of a table that comes whole, at any width, and where text runs the other way', async () => {
    const element = await make();
    element.text = HEAD + rows(0, 100);
    await drawn(element);
    const place = element.parentElement!;
    // What is out of sight has the width that it had last, in Firefox.
    for (const { style } of element.renderRoot.querySelectorAll<HTMLElement>('.whole'))
      Object.assign(style, { transition: 'none', contentVisibility: 'visible' });
    for (const width of [600, 420, 240, 900]) {
      place.style.inlineSize = `${String(width)}px`;
      expectSame(element, edges(element)[0] ?? [], 4);
      const scroller = element.renderRoot.querySelector('.table-scroll')!;
      const least = Math.max(...tablesOf(element).map(({ offsetWidth }) => offsetWidth));
      expect(scroller.scrollWidth).to.equal(Math.max(least, scroller.clientWidth));
      expect(element.getBoundingClientRect().width).to.equal(width);
    }
    // As a head in Arabic gives it.
    element.renderRoot.querySelector<HTMLElement>('.table-scroll')!.dir = 'rtl';
    const [first, ...others] = edges(element);
    expect(others).to.deep.equal(others.map(() => first));
    expect(first?.[0]).to.be.above(first?.[1] ?? Infinity);
  });

  it('are measured when there is something to measure: not in what is hidden', async () => {
    const element = await make();
    const place = element.parentElement!;
    place.hidden = true;
    element.text = HEAD + rows(0, 100);
    await drawn(element);
    place.hidden = false;
    await drawn(element);
    const [first, ...others] = edges(element);
    expect(others).to.deep.equal([first, first, first]);
    expect(tablesOf(element).at(-1)?.rows.length).to.equal(4);
    expect(tablesOf(element).at(-1)?.getBoundingClientRect().height).to.be.above(0);
  });
});

describe('a long table', () => {
  it('is one table for those who do not see it', async () => {
    const element = await make();
    element.write(HEAD + rows(0, 20));
    await drawn(element);
    element.write(rows(20, 70));
    await element.end();
    await drawn(element);
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
    await drawn(element);
    const all = tablesOf(element).flatMap((table) => [...table.rows]);
    // (No range is added: in a shadow tree that is not everywhere heard.)
    getSelection()?.setBaseAndExtent(all[31]!, 0, all[34]!, all[34]!.childNodes.length);
    // What is selected is laid out, also where it is out of sight: with the next frame.
    await drawn(element);
    const words = getSelection()?.toString().trim().split(/\n+/);
    expect(words).to.deep.equal([30, 31, 32, 33].map((at) => row(at).trim().slice(2, -2).replaceAll(' | ', '\t')));
  });

  it('is a short one again when another text takes its place', async () => {
    const element = await make();
    element.text = HEAD + rows(0, 70);
    await drawn(element);
    expect(element.renderRoot.querySelectorAll('col').length).to.equal(12);
    element.text = HEAD + rows(0, 3);
    await drawn(element);
    expect(element.renderRoot.querySelectorAll('col').length).to.equal(0);
    expect(element.renderRoot.querySelector('.table-scroll')?.getAttribute('role')).to.equal('group');
  });
});
