import { expect } from '@open-wc/testing';
import { fillHistory } from '../../src/conversation/fill-history.ts';
import { fillMessage, type MessageInput } from '../../src/conversation/fill-message.ts';
import { NOW } from '../support/play-body.ts';

function counted() {
  let count = 0;
  return { now: NOW, newId: () => `id${String(++count)}` };
}
const fill = (path: readonly MessageInput[], hidden: readonly MessageInput[] = [], taken: readonly string[] = []) =>
  fillHistory({ path, hidden }, { ...counted(), taken });

const inputs: readonly MessageInput[] = [
  { role: 'user', text: 'hi' },
  { role: 'assistant', text: 'hello' },
  { role: 'system', text: 'be brief' },
  { role: 'tool', text: '4' },
  { role: 'user', text: '' },
  { role: 'user', text: 'hi', id: 'own', timestamp: 7 },
  { role: 'assistant', text: 'no', status: 'error' },
  { role: 'assistant', text: 'hi', name: 'Ann', metadata: { a: 1 } },
  { role: 'assistant', blocks: [{ type: 'content', content: 'a' }] },
  { role: 'assistant' },
  { role: 'user', text: undefined as unknown as string },
];

describe('fillHistory()', () => {
  for (const input of inputs) {
    it(`makes the same of ${JSON.stringify(input)} as fillMessage()`, () => {
      expect(fill([input]).path).to.deep.equal([fillMessage(input, counted())]);
    });
  }

  it('leaves what it was given as it is', () => {
    const given = structuredClone(inputs);
    fill(given);
    expect(given).to.deep.equal(structuredClone(inputs));
  });

  it('chains each message to the one before it, whatever it says', () => {
    const { path } = fill([
      { role: 'user', text: 'a', id: 'a', parentId: 'elsewhere' },
      { role: 'assistant', text: 'b', id: 'b' },
      { role: 'user', text: 'c', id: 'c', parentId: 'a' },
    ]);
    expect(path.map(({ parentId }) => parentId)).to.deep.equal(['elsewhere', 'a', 'b']);
  });

  it('leaves the other branches chained as they are', () => {
    const { hidden } = fill(
      [{ role: 'user', text: 'a', id: 'a' }],
      [
        { role: 'user', text: 'b' },
        { role: 'user', parentId: 'a' },
      ],
    );
    expect(hidden.map(({ parentId }) => parentId)).to.deep.equal([undefined, 'a']);
  });

  it('gives an id of its own to a message whose id is taken, by others or by an earlier one', () => {
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
