import { expect, nextFrame, waitUntil } from '@open-wc/testing';
import '../../../src/markdown.ts';
import type { AgentChatMarkdown } from '../../../src/components/element/agent-chat-markdown.ts';
import { named, wordsIn } from '../../renderers/support/show.ts';
import { copiedBy } from '../../support/copied.ts';

const HEAD = '| Part | Price |\n| :-- | --: |\n';
const PARTS = `${HEAD}| **Zip** | 12 |\n| Cord \\| thin | 7.5 |\n| | 100 |\n`;
const many = (count: number): string =>
  HEAD +
  Array.from({ length: count }, (_, index) => `| Part ${String(index)} | ${String((index * 7) % count)} |\n`).join('');

const elements: AgentChatMarkdown[] = [];
afterEach(() => {
  for (const element of elements.splice(0)) element.remove();
});

async function show(
  text: string,
  settings: Partial<AgentChatMarkdown> = {},
): Promise<{ readonly element: AgentChatMarkdown; readonly root: ShadowRoot }> {
  const element = Object.assign(document.createElement('agent-chat-markdown'), settings);
  element.locale = 'en';
  element.text = text;
  document.body.append(element);
  elements.push(element);
  const root = element.shadowRoot!;
  await waitUntil(() => root.querySelector('[tools]') !== null, 'tools come', { timeout: 10_000 });
  return { element, root };
}
const rowsIn = (root: ParentNode): readonly string[] =>
  [...root.querySelectorAll<HTMLTableRowElement>('tbody tr')]
    .filter((row) => !row.hidden)
    .map((row) => [...row.cells].map(wordsIn).join(' ').trim());
const orders = (root: ParentNode): readonly (string | null)[] =>
  [...root.querySelectorAll('th')].map((head) => head.getAttribute('aria-sort'));

describe('the table toolbar', () => {
  it('sorts by a column, reverses the order and restores the original one', async () => {
    const { root } = await show(PARTS);
    const came = rowsIn(root);
    const [first] = root.querySelectorAll('tbody tr');
    const press = (): void => {
      named(root, 'Sort by Price').click();
    };
    press();
    expect(rowsIn(root)).to.deep.equal(['Cord | thin 7.5', 'Zip 12', '100']);
    expect(orders(root)).to.deep.equal(['none', 'ascending']);
    press();
    expect(rowsIn(root)).to.deep.equal(['100', 'Zip 12', 'Cord | thin 7.5']);
    expect(orders(root)).to.deep.equal(['none', 'descending']);
    press();
    expect(rowsIn(root)).to.deep.equal(came);
    expect(orders(root)).to.deep.equal(['none', 'none']);
    expect(root.querySelector('tbody tr')).to.equal(first);
  });

  it('sorts empty cells last in both directions', async () => {
    const { root } = await show(PARTS);
    named(root, 'Sort by Part').click();
    expect(rowsIn(root).at(-1)).to.equal('100');
    named(root, 'Sort by Part').click();
    expect(rowsIn(root).at(-1)).to.equal('100');
  });

  it('copies the table as Markdown and as CSV, in the current order', async () => {
    const { root } = await show(PARTS);
    named(root, 'Sort by Price').click();
    const copied = await copiedBy(async () => {
      named(root, 'Copy as Markdown').click();
      await waitUntil(() => root.textContent.includes('Copied'));
      named(root, 'Copy as CSV').click();
      await nextFrame();
    });
    expect(copied).to.deep.equal([
      '| Part | Price |\n| :-- | --: |\n| Cord \\| thin | 7.5 |\n| **Zip** | 12 |\n|  | 100 |',
      'Part,Price\r\nCord | thin,7.5\r\nZip,12\r\n,100',
    ]);
  });

  it('copies a formula as its source, also before it is rendered', async () => {
    const { root } = await show('| Size $a$ | Area |\n| --- | --- |\n| 2 $m$ | $x^2$ |\n', { math: 'on' });
    const [copied] = await copiedBy(async () => {
      named(root, 'Copy as CSV').click();
      await nextFrame();
    });
    expect(copied).to.equal('Size $a$,Area\r\n2 $m$,$x^2$');
  });

  it('offers no filter for a few rows', async () => {
    const { root } = await show(PARTS);
    expect(root.querySelector('[aria-expanded]')).to.equal(null);
  });

  it('filters the rows, and Escape clears the filter and restores the focus', async () => {
    const { root } = await show(many(20));
    named(root, 'Filter rows').click();
    const field = root.querySelector('input')!;
    expect(root.activeElement).to.equal(field);
    field.value = 'PART 1';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    expect(rowsIn(root).length).to.equal(11);
    expect(wordsIn(root.querySelector('[role="status"]')!)).to.equal('11 of 20 rows');
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    expect([rowsIn(root).length, root.querySelector('input')]).to.deep.equal([20, null]);
    expect(root.activeElement).to.equal(named(root, 'Filter rows'));
  });

  it('sorts a table of several boxes over all rows', async () => {
    const { root } = await show(many(100));
    named(root, 'Sort by Price').click();
    expect(rowsIn(root).map((row) => Number(row.split(' ').at(-1)))).to.deep.equal(
      Array.from({ length: 100 }, (_, index) => index),
    );
    expect([...root.querySelectorAll('tbody')].map(({ rows }) => rows.length)).to.deep.equal([32, 32, 32, 4]);
    const owned = [...(root.querySelector('[role="table"]')?.children ?? [])].map((part) => part.getAttribute('role'));
    expect(new Set(owned)).to.deep.equal(new Set(['none', 'rowgroup']));
    // In the first box it would scroll away with the rows of that box.
    expect(root.querySelector('thead')?.closest('table')?.className).to.equal('table-head');
  });

  it('is removed with a new text, whose rows have their original order', async () => {
    const { element, root } = await show(many(20));
    named(root, 'Sort by Price').click();
    element.text = many(20).replaceAll('Part', 'Piece');
    await element.updateComplete;
    expect(rowsIn(root)[0]).to.equal('Piece 0 0');
    expect(rowsIn(root).length).to.equal(20);
    await waitUntil(() => root.querySelector('[tools]') !== null, 'they come again');
    expect(root.querySelectorAll('.table-bar').length).to.equal(1);
    expect(root.querySelectorAll('.sort-by').length).to.equal(2);
  });

  it('appears when the table no longer streams', async () => {
    const { element, root } = await show(PARTS);
    element.text = '';
    element.write(many(12));
    await nextFrame();
    await element.updateComplete;
    expect(root.querySelector('[tools]')).to.equal(null);
    await element.end();
    await waitUntil(() => root.querySelector('[tools]') !== null);
  });
});
