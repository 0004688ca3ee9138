import { expect, waitUntil } from '@open-wc/testing';
import { HOSTILE, showBlock, wordsIn } from '../support/show.ts';

const tree = (data: unknown, description?: string) =>
  showBlock({
    type: 'data',
    data: { data_type: 'custom', data, ...(description !== undefined && { metadata: { description } }) },
  });
const leavesOf = (element: Element) => [...element.querySelectorAll('.json-leaf')].map(wordsIn);

describe('custom data', () => {
  it('is a JSON tree with every kind of value', async () => {
    const { element } = await tree({ s: 'a "b"', n: 1.5, t: true, z: null, l: [1] }, 'Totals');
    expect(leavesOf(element)).to.deep.equal(['s: "a \\"b\\""', 'n: 1.5', 't: true', 'z: null', '0: 1']);
    expect(element.querySelector('section')?.getAttribute('aria-label')).to.equal('Totals');
    expect(wordsIn(element.querySelector('summary') ?? element)).to.equal('{ 5 entries }');
  });

  it('is expanded two levels deep, and collapses by keyboard', async () => {
    const { element } = await tree({ a: { b: { c: 1 } } });
    const [root, first, second] = element.querySelectorAll('details');
    expect([root?.open, first?.open, second?.open]).to.deep.equal([true, true, false]);
    second?.querySelector('summary')?.click();
    await waitUntil(() => second?.open);
    expect(second?.querySelector('summary')?.tabIndex).to.equal(0);
  });

  it('is left-to-right in any language', async () => {
    const { element } = await tree({ a: 1 });
    expect(element.querySelector('.json-tree')?.getAttribute('dir')).to.equal('ltr');
  });

  it('is limited in depth and width, and shows the total number', async () => {
    let deep: unknown = 'end';
    for (let depth = 0; depth < 100; depth++) deep = { deep };
    const { element } = await tree({ deep, wide: Array.from({ length: 1000 }, (_, index) => index) });
    expect(element.querySelectorAll('details').length).to.be.lessThan(20);
    expect(leavesOf(element).length).to.be.lessThan(210);
    expect(leavesOf(element)).to.include('…');
    expect(wordsIn(element)).to.contain('1,000 entries');
  });

  for (const [name, value, expected] of [
    ['a number', 7, '7'],
    ['nothing', null, 'null'],
    ['undefined', undefined, 'undefined'],
  ] as const) {
    it(`${name} is a tree of one leaf`, async () => {
      const { element } = await tree(value);
      expect(leavesOf(element)).to.deep.equal([expected]);
    });
  }

  it('a text keeps its lines', async () => {
    const { element } = await tree('a: 1\n  b: 2');
    expect([leavesOf(element), element.querySelector('pre')?.textContent]).to.deep.equal([[], 'a: 1\n  b: 2']);
  });

  it('an unknown type is shown as a tree', async () => {
    const data = { data_type: 'hologram' as 'custom', data: { a: 1 } };
    const { element } = await showBlock({ type: 'data', data });
    expect(leavesOf(element)).to.deep.equal(['a: 1']);
  });

  it('shows hostile names and values as text, without direction controls', async () => {
    const { element } = await tree({ [`\u202E${HOSTILE}`]: `\u202E${HOSTILE}` }, HOSTILE);
    expect(leavesOf(element)).to.deep.equal([`\\u202e${HOSTILE}: "\\u202e${JSON.stringify(HOSTILE).slice(1)}`]);
    expect(element.querySelector('img')).to.equal(null);
  });

  it('an agent UI without a renderer is shown as a tree', async () => {
    const { element } = await showBlock({ type: 'ui', ui: { kind: 'card' } });
    expect(leavesOf(element)).to.deep.equal(['kind: "card"']);
  });
});
