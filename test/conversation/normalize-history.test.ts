import { expect } from '@open-wc/testing';
import { normalizeHistory } from '../../src/conversation/normalize-history.ts';
import { normalizeMessage, type MessageInput } from '../../src/conversation/normalize-message.ts';
import { NOW } from '../support/play-body.ts';

function counted() {
  let count = 0;
  return { now: NOW, newId: () => `id${String(++count)}` };
}
const fill = (path: readonly MessageInput[], hidden: readonly MessageInput[] = [], taken: readonly string[] = []) =>
  normalizeHistory({ path, hidden }, { ...counted(), taken });

const inputs: readonly MessageInput[] = [
  { role: 'user', text: 'hi' },
  { role: 'assistant', text: 'hello' },
  { role: 'system', text: 'be brief' },
  { role: 'tool', text: '4' },
  { role: 'user', text: '' },
  { role: 'user', text: 'hi', id: 'own', timestamp: 7 },
  { role: 'user', text: 'hi', timestamp: 1e300 },
  { role: 'assistant', text: 'no', status: 'error' },
  { role: 'assistant', text: 'hi', name: 'Ann', metadata: { a: 1 } },
  { role: 'assistant', blocks: [{ type: 'content', content: 'a' }] },
  { role: 'assistant' },
  { role: 'user', text: undefined as unknown as string },
];

describe('normalizeHistory()', () => {
  for (const input of inputs) {
    it(`gives the same as normalizeMessage() for ${JSON.stringify(input)}`, () => {
      expect(fill([input]).path).to.deep.equal([normalizeMessage(input, counted())]);
    });
  }

  it('does not change its input', () => {
    const original = structuredClone(inputs);
    fill(original);
    expect(original).to.deep.equal(structuredClone(inputs));
  });

  it('sets the parent of each message to the previous one and ignores its own `parentId`', () => {
    const { path } = fill([
      { role: 'user', text: 'a', id: 'a', parentId: 'elsewhere' },
      { role: 'assistant', text: 'b', id: 'b' },
      { role: 'user', text: 'c', id: 'c', parentId: 'a' },
    ]);
    expect(path.map(({ parentId }) => parentId)).to.deep.equal(['elsewhere', 'a', 'b']);
  });

  it('keeps the parents of hidden branches', () => {
    const { hidden } = fill(
      [{ role: 'user', text: 'a', id: 'a' }],
      [
        { role: 'user', text: 'b' },
        { role: 'user', parentId: 'a' },
      ],
    );
    expect(hidden.map(({ parentId }) => parentId)).to.deep.equal([undefined, 'a']);
  });

  it('gives a message with a duplicate id a new one', () => {
    const { path, hidden } = fill(
      [
        { role: 'user', text: 'a', id: 'a' },
        { role: 'user', text: 'b', id: 'a' },
        { role: 'user', text: 'c', id: 'c' },
      ],
      [{ role: 'user', text: 'd', id: 'a' }],
      ['c'],
    );
    const ids = [...path, ...hidden].map(({ id }) => id);
    expect(new Set(ids).size).to.equal(4);
    expect(ids[0]).to.equal('a');
    expect(ids).not.to.include('c');
    expect(path[2]?.parentId).to.equal(ids[1]);
  });
});
