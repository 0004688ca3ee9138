import { expect, waitUntil } from '@open-wc/testing';
import { HOSTILE, showBlock, wordsIn } from './support/show.ts';

const tree = (data: unknown, description?: string) =>
  showBlock({
    type: 'data',
    data: { data_type: 'custom', data, ...(description !== undefined && { metadata: { description } }) },
  });
const leavesOf = (element: Element) => [...element.querySelectorAll('.json-leaf')].map(wordsIn);

describe('data of the agent’s own', () => {
  it('is a tree of JSON: every kind of value as it is written', async () => {
    const { element } = await tree({ s: 'a "b"', n: 1.5, t: true, z: null, l: [1] }, 'Totals');
    expect(leavesOf(element)).to.deep.equal(['s: "a \\"b\\""', 'n: 1.5', 't: true', 'z: null', '0: 1']);
    expect(element.querySelector('section')?.getAttribute('aria-label')).to.equal('Totals');
    expect(wordsIn(element.querySelector('summary') ?? element)).to.equal('{ 5 entries }');
  });

  it('is open at first two levels deep, and folds by keyboard', async () => {
    const { element } = await tree({ a: { b: { c: 1 } } });
    const [root, first, second] = element.querySelectorAll('details');
    expect([root?.open, first?.open, second?.open]).to.deep.equal([true, true, false]);
    second?.querySelector('summary')?.click();
    await waitUntil(() => second?.open);
    expect(second?.querySelector('summary')?.tabIndex).to.equal(0);
  });

  it('runs from left to right in any language', async () => {
    const { element } = await tree({ a: 1 });
    expect(element.querySelector('.json-tree')?.getAttribute('dir')).to.equal('ltr');
  });

  it('is bounded in depth and in width, and says how much there is', async () => {
    let deep: unknown = 'end';
    for (let depth = 0; depth < 100; depth++) deep = { deep };
    const { element } = await tree({ deep, wide: Array.from({ length: 1000 }, (_, index) => index) });
    expect(element.querySelectorAll('details').length).to.be.lessThan(20);
    expect(leavesOf(element).length).to.be.lessThan(210);
    expect(leavesOf(element)).to.include('…');
    expect(wordsIn(element)).to.contain('1,000 entries');
  });

  for (const [name, value, expected] of [
    ['a word', 'x', '"x"'],
    ['a number', 7, '7'],
    ['nothing', null, 'null'],
    ['not even that', undefined, 'undefined'],
  ] as const) {
    it(`${name} is a tree of one leaf`, async () => {
      const { element } = await tree(value);
      expect(leavesOf(element)).to.deep.equal([expected]);
    });
  }

  it('a kind that is not known is shown as the data it is', async () => {
    const data = { data_type: 'hologram' as 'custom', data: { a: 1 } };
    const { element } = await showBlock({ type: 'data', data });
    expect(leavesOf(element)).to.deep.equal(['a: 1']);
  });

  it('hostile names and values are text, and turn no words round', async () => {
    const { element } = await tree({ [`\u202E${HOSTILE}`]: `\u202E${HOSTILE}` }, HOSTILE);
    expect(leavesOf(element)).to.deep.equal([`${HOSTILE}: ${JSON.stringify(HOSTILE)}`]);
    expect(element.querySelector('img')).to.equal(null);
  });

  it('a surface that no renderer of the page takes is a tree as well', async () => {
    const { element } = await showBlock({ type: 'ui', ui: { kind: 'card' } });
    expect(leavesOf(element)).to.deep.equal(['kind: "card"']);
  });
});
