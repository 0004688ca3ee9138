/** The columns of a table: measured once, the same in all of its boxes, and wide enough for each word. */
import { aTimeout, expect, waitUntil } from '@open-wc/testing';
import '../../../src/markdown.ts';
import type { AgentChatMarkdown } from '../../../src/components/element/agent-chat-markdown.ts';
import { completeCells, longestWords } from '../../../src/markdown/render/cell-widths.ts';
import { show } from '../support/show.ts';

const HEAD = '| Part | Note |\n| --- | --- |\n';
const rows = (...notes: readonly string[]): string => notes.map((note) => `| Cord | ${note} |\n`).join('');
const many = (count: number, note: string): string => rows(...Array<string>(count).fill(note));

const tablesOf = (place: ParentNode): readonly HTMLTableElement[] => [...place.querySelectorAll('table')];
/** The shares of the columns in percent, of each table. */
const sharesOf = (place: ParentNode): readonly (readonly number[])[] =>
  tablesOf(place).map((table) => [...table.querySelectorAll('col')].map((col) => parseFloat(col.style.inlineSize)));
const rowsElement = (place: ParentNode): Element | null => place.querySelector('agent-chat-rows');

const elements: AgentChatMarkdown[] = [];
afterEach(() => {
  for (const element of elements.splice(0)) element.remove();
});

/** Shows a text with the widget's styles, until its columns are measured. */
async function laidOut(text: string, growing = false): Promise<AgentChatMarkdown> {
  const element = document.createElement('agent-chat-markdown');
  Object.assign(element, { text, streaming: growing, locale: 'en' });
  elements.push(element);
  document.body.append(element);
  await waitUntil(() => rowsElement(element.shadowRoot!)?.hasAttribute('frozen'), 'the columns are measured');
  return element;
}

describe('the columns of a table', () => {
  it('are the same in all of its boxes', async () => {
    const shares = sharesOf((await laidOut(HEAD + many(70, 'thin and of another colour'))).shadowRoot!);
    expect(shares.length).to.equal(3);
    for (const [part = 0, note = 0] of shares) {
      expect([part, note]).to.deep.equal(shares[0]);
      expect(part + note).to.be.closeTo(100, 0.1);
      expect(note).to.be.above(part);
      expect(part).to.be.above(0);
    }
  });

  it('are as wide as a long word of a later box', async () => {
    const short = await laidOut(HEAD + many(70, 'thin'));
    const long = await laidOut(HEAD + many(50, 'thin') + rows('thin', 'Donaudampfschifffahrtsgesellschaft', 'thin'));
    const [shortNote = 0, longNote = 0] = [short, long].map((element) => sharesOf(element.shadowRoot!)[0]?.[1]);
    expect(longNote).to.be.above(shortNote + 10);
  });

  it('are adjusted once to text that came later, when nobody sees the table', async () => {
    const element = await laidOut(HEAD + rows('a', 'b'), true);
    const noteOf = (): number => sharesOf(element.shadowRoot!)[0]?.[1] ?? 0;
    const text = HEAD + rows('a', 'b', 'several words and then some, which need more space than the first rows');
    element.text = text;
    await element.updateComplete;
    element.streaming = false;
    await element.updateComplete;
    // The browser reports what is visible in one of the next frames.
    await aTimeout(100);
    const before = noteOf();
    element.style.marginBlockStart = '20000px';
    await waitUntil(() => noteOf() !== before, 'the columns are adjusted');
    expect(noteOf()).to.be.above(before);
  });
});

describe('the cells that are measured', () => {
  it('are the three with the longest words of each column, wherever they are', () => {
    const { place } = show(HEAD + rows('a', 'bb', 'ccc', 'dddd and so on', 'e', 'ffff', 'gg'));
    const [table] = tablesOf(place);
    const notes = longestWords(table ? completeCells(table, false) : []).filter(({ cellIndex }) => cellIndex === 1);
    expect(notes.map(({ textContent }) => textContent)).to.deep.equal(['dddd and so on', 'ffff', 'ccc']);
  });
});

describe('the roles of a table', () => {
  it('are those of its elements in one box', () => {
    const rowsOf = rowsElement(show(HEAD + many(10, 'thin')).place);
    expect(rowsOf?.getAttribute('role')).to.equal('group');
    expect(rowsOf?.hasAttribute('boxed')).to.equal(false);
  });

  it('are on the element around its boxes', () => {
    const rowsOf = rowsElement(show(HEAD + many(40, 'thin')).place);
    expect(rowsOf?.getAttribute('role')).to.equal('table');
    expect(rowsOf?.hasAttribute('boxed')).to.equal(true);
  });
});

describe('a cell with a number in groups', () => {
  for (const { groups, isFigure } of [
    { groups: 9, isFigure: true },
    { groups: 10, isFigure: false },
  ])
    it(`is ${isFigure ? '' : 'not '}kept in one line with ${String(1 + 4 * groups)} characters`, () => {
      const { place } = show(HEAD + rows(`1${' 000'.repeat(groups)}`));
      expect(place.querySelectorAll('td')[1]?.classList.contains('figure')).to.equal(isFigure);
    });
});
