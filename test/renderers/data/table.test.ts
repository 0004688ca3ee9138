import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { copiedBy } from '../../support/copied.ts';
import { HOSTILE, named, showBlock, wordsIn } from '../support/show.ts';

const frame = (data: unknown, metadata?: Readonly<Record<string, unknown>>) =>
  ({ type: 'data', data: { data_type: 'dataframe', data, ...(metadata && { metadata }) } }) as const;

const ORDERS = {
  name: 'Orders',
  columns: ['Product', 'Count'],
  rows: [
    ['Trail 9', 1310],
    ['Trail 40', 842],
    ['Ärmel', null],
  ],
};
const show = async (data: unknown = ORDERS, metadata?: Readonly<Record<string, unknown>>) => {
  const { chat, element } = await showBlock(frame(data, metadata));
  await waitUntil(() => element.querySelector('table') !== null, 'the table comes', { timeout: 10_000 });
  return { chat, element };
};
const column = (element: Element, index: number) =>
  [...element.querySelectorAll(`tbody td:nth-child(${String(index + 1)})`)].map(wordsIn);
const orderOf = (element: Element) => [...element.querySelectorAll('th')].map((head) => head.getAttribute('aria-sort'));

/** Clicks a column name and waits for the new order. */
async function sortBy(element: Element, name: string): Promise<void> {
  named(element, `Sort by ${name}`).click();
  await element.querySelector<HTMLElement & { readonly updateComplete: Promise<unknown> }>('agent-chat-table')
    ?.updateComplete;
}

describe('a table', () => {
  it('has a name, columns with their scope, and numbers in the user’s format', async () => {
    const { element } = await show();
    expect(element.querySelector('section')?.getAttribute('aria-label')).to.equal('Orders');
    expect([...element.querySelectorAll('th')].map((head) => [wordsIn(head), head.scope])).to.deep.equal([
      ['Product', 'col'],
      ['Count', 'col'],
    ]);
    expect(column(element, 1)).to.deep.equal(['1,310', '842', '']);
  });

  it('is named by its description without a name, or else “Table”', async () => {
    const { name: _name, ...rest } = ORDERS;
    const nameOf = async (metadata?: Readonly<Record<string, unknown>>) =>
      (await show(rest, metadata)).element.querySelector('section')?.getAttribute('aria-label');
    expect(await nameOf({ description: 'March' })).to.equal('March');
    expect(await nameOf()).to.equal('Table');
  });

  describe('without any data says so', () => {
    const empty: readonly { readonly name: string; readonly kind?: 'chart' | 'custom'; readonly data: unknown }[] = [
      { name: 'no columns and no rows', data: { columns: [], rows: [] } },
      { name: 'the same with a name', data: { name: 'Orders', columns: [], rows: [] } },
      { name: 'columns without rows', data: { columns: ['Product'], rows: [] } },
      { name: 'an empty list', data: [] },
      { name: 'an empty object', data: {} },
      { name: 'nothing', data: null },
      { name: 'a chart without series', kind: 'chart', data: { type: 'bar', labels: [], series: [] } },
      { name: 'a chart of an empty table', kind: 'chart', data: { columns: [], rows: [] } },
      { name: 'custom data of a table', kind: 'custom', data: { name: 'Orders', columns: [], rows: [] } },
    ];
    for (const { name, kind = 'dataframe', data } of empty) {
      it(name, async () => {
        const { element } = await showBlock({ type: 'data', data: { data_type: kind, data } });
        await waitUntil(() => wordsIn(element).includes('No data'), name, { timeout: 10_000 });
        expect(element.querySelector('.json-tree')).to.equal(null);
        expect(wordsIn(element.querySelector('b') ?? element)).to.match(/^(?:Orders|Table)$/);
        expect(element.querySelectorAll('th')).to.have.length(name === 'columns without rows' ? 1 : 0);
        expect(element.querySelectorAll('.data-scroll')).to.have.length(name === 'columns without rows' ? 1 : 0);
      });
    }
  });

  it('sorts by a column, reverses the order, and restores the agent’s order', async () => {
    const { element } = await show();
    expect(orderOf(element)).to.deep.equal(['none', 'none']);
    await sortBy(element, 'Product');
    expect(column(element, 0)).to.deep.equal(['Ärmel', 'Trail 9', 'Trail 40']);
    expect(orderOf(element)).to.deep.equal(['ascending', 'none']);
    await sortBy(element, 'Product');
    expect(column(element, 0)).to.deep.equal(['Trail 40', 'Trail 9', 'Ärmel']);
    expect(orderOf(element)).to.deep.equal(['descending', 'none']);
    await sortBy(element, 'Product');
    expect(column(element, 0)).to.deep.equal(['Trail 9', 'Trail 40', 'Ärmel']);
    expect(orderOf(element)).to.deep.equal(['none', 'none']);
  });

  it('sorts numbers as numbers, and empty cells last in both directions', async () => {
    const { element } = await show({ columns: ['n'], rows: [[10], [null], [9], [-1], [100]] });
    await sortBy(element, 'n');
    expect(column(element, 0)).to.deep.equal(['-1', '9', '10', '100', '']);
    await sortBy(element, 'n');
    expect(column(element, 0)).to.deep.equal(['100', '10', '9', '-1', '']);
  });

  for (const { name, cells } of [
    { name: 'per cent', cells: ['18.9 %', '2%', '-3.5 %', '100 %'] },
    { name: 'currency', cells: ['€ 12.50', '€ 2', '-€1,310.00', '€ 1,310'] },
    { name: 'currency after the number', cells: ['12,50 €', '2 €', '−1.310,50 €', '1.310,00 €'] },
    { name: 'groups', cells: ['1,310', '842', '-7', '1,000,000'] },
  ]) {
    it(`a column of ${name} as text is aligned and sorted as numbers`, async () => {
      const { element } = await show({ columns: ['m', 'n'], rows: [...cells, null].map((cell) => ['x', cell]) });
      const inColumn = [...element.querySelectorAll('tr')].map((row) =>
        [...row.children].map((cell) => cell.className),
      );
      expect(inColumn).to.deep.equal(Array(cells.length + 2).fill(['', 'right']));
      await sortBy(element, 'n');
      const [second, first, least, most] = cells;
      expect(column(element, 1)).to.deep.equal([least, first, second, most, '']);
    });
  }

  it('numbers in the first column are aligned as names', async () => {
    const { element } = await show({ columns: ['Year', 'Count'], rows: [[2024, 1]] });
    expect([...element.querySelectorAll('td')].map((cell) => cell.className)).to.deep.equal(['', 'right']);
  });

  it('a column with one text cell is a text column', async () => {
    const { element } = await show({
      columns: ['m', 'n'],
      rows: [
        ['x', '12 %'],
        ['x', 'about 3 %'],
      ],
    });
    expect(element.querySelector('.right')).to.equal(null);
  });

  it('works by keyboard: columns are buttons, the scroll area takes the focus', async () => {
    const { chat, element } = await show();
    const button = named<HTMLButtonElement>(element, 'Sort by Count');
    button.focus();
    expect(activeIn(chat)).to.equal(button);
    await sortBy(element, 'Count');
    expect(activeIn(chat), 'the focus stays where it was').to.equal(button);
    const scrollArea = element.querySelector<HTMLElement>('.data-scroll');
    expect([
      scrollArea?.tabIndex,
      scrollArea?.getAttribute('role'),
      scrollArea?.getAttribute('aria-label'),
    ]).to.deep.equal([0, 'group', 'Orders']);
  });

  it('scrolls in itself, never the conversation', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `A rather long column ${String(index)}`);
    const { chat, element } = await show({ columns: names, rows: [names] });
    const scrollArea = element.querySelector('.data-scroll');
    const list = chat.renderRoot.querySelector('[part="transcript"]');
    expect(scrollArea && scrollArea.scrollWidth > scrollArea.clientWidth).to.equal(true);
    expect(list && list.scrollWidth <= list.clientWidth).to.equal(true);
  });

  it('shows the first rows of many, and all of them on request', async () => {
    const { element } = await show({ columns: ['n'], rows: Array.from({ length: 1204 }, (_, index) => [index]) });
    expect(column(element, 0).length).to.equal(10);
    expect(wordsIn(element.querySelector('.foot') ?? element)).to.equal('10 of 1,204 rows Show all');
    named(element, 'Show all').click();
    await waitUntil(() => column(element, 0).length === 1204);
    expect(element.querySelector('.foot')).to.equal(null);
  });

  it('rule 61: shows the rows of a wide table in steps, up to a number of cells', async () => {
    const columns = Array.from({ length: 200 }, String);
    const { element } = await show({ columns, rows: Array.from({ length: 2500 }, () => []) });
    const rows = (): number => element.querySelectorAll('tbody tr').length;
    const shown: number[] = [];
    for (let step = 0; step < 5; step++) {
      const before = rows();
      named(element, 'Show more').click();
      await waitUntil(() => rows() > before, 'more rows');
      shown.push(rows());
    }
    expect(shown).to.deep.equal([100, 200, 300, 400, 500]);
    expect(wordsIn(element.querySelector('.foot') ?? element)).to.equal('500 of 2,500 rows');
  });

  it('copies all rows as CSV in the agent’s order, and confirms it', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => [`=${String(index)}+1`, index]);
    const { element } = await show({ columns: ['f', 'n'], rows });
    await sortBy(element, 'n');
    const copied = await copiedBy(async () => {
      named(element, 'Copy as CSV').click();
      await waitUntil(() => [...element.querySelectorAll('button')].some((button) => wordsIn(button) === 'Copied'));
    });
    expect(copied).to.deep.equal([
      ['f,n', ...rows.map(([formula, index]) => `'${String(formula)},${String(index)}`)].join('\r\n'),
    ]);
  });

  it('shows format names on the copy buttons, for devices without tooltips', async () => {
    const { element } = await show();
    expect([...element.querySelectorAll('agent-chat-copy')].map(wordsIn)).to.deep.equal(['Markdown', 'CSV']);
  });

  it('keeps words and numbers unbroken and breaks long addresses', async () => {
    const address = `https://shop.example/${'orders/'.repeat(26)}`;
    const { element } = await show({ columns: ['a', 'b'], rows: [['internationalised', address]] });
    const [word, long] = element.querySelectorAll('td');
    element.style.cssText = 'display: block; inline-size: 300px';
    const range = new Range();
    range.selectNodeContents(word!);
    expect(range.getClientRects().length).to.equal(1);
    expect(long!.getBoundingClientRect().width).to.be.within(200, 320);
  });

  it('shows data that is not a table as a tree', async () => {
    const { element } = await showBlock(frame({ total: 12 }));
    expect(wordsIn(element)).to.contain('total: 12');
    expect(element.querySelector('table')).to.equal(null);
  });

  it('shows hostile names, columns and cells as text, without direction controls', async () => {
    const { element } = await show({
      name: `\u202E${HOSTILE}`,
      columns: [`\u202E${HOSTILE}`],
      rows: [[`\u202E${HOSTILE}`], [{ a: HOSTILE }]],
    });
    expect(element.querySelector('section')?.getAttribute('aria-label')).to.equal(HOSTILE);
    expect(named(element, `Sort by ${HOSTILE}`)).to.be.instanceOf(HTMLButtonElement);
    expect(column(element, 0)).to.deep.equal([HOSTILE, JSON.stringify({ a: HOSTILE })]);
    expect(element.querySelector('img')).to.equal(null);
  });
});

const activeIn = (chat: AgentChat): Element | null => (chat.renderRoot as ShadowRoot).activeElement;
