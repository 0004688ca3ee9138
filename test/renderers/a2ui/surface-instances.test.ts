import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import { surfaceInstances } from '../../../src/renderers/a2ui/surface-instances.ts';
import { create, data, remove } from '../support/surfaces.ts';

const conversation = (...turns: readonly (readonly unknown[])[]): readonly ChatMessage[] =>
  turns.map((messages, index) => ({
    id: `m${String(index)}`,
    role: 'assistant',
    status: 'complete',
    timestamp: 0,
    blocks: [{ type: 'ui', id: `b${String(index)}`, status: 'success', timestamp: 0, ui: { kind: 'a2ui', messages } }],
  }));

const lives = (...turns: readonly (readonly unknown[])[]) =>
  surfaceInstances(conversation(...turns)).map(({ id, blockId, messages, blocks, deleted }) => [
    id,
    blockId,
    messages.length,
    [...blocks].join(' '),
    deleted,
  ]);

describe('surfaceLives()', () => {
  it('a surface lives in the block that created it', () => {
    expect(lives([create(), data('/a', 1)], [data('/a', 2)])).to.deep.equal([['s', 'b0', 3, 'b0 b1', false]]);
  });

  it('different surfaces live apart, also in one block', () => {
    expect(lives([create('a'), create('b')], [data('/x', 1, 'b')])).to.deep.equal([
      ['a', 'b0', 1, 'b0', false],
      ['b', 'b0', 2, 'b0 b1', false],
    ]);
  });

  it('after its deletion a surface lives again elsewhere', () => {
    expect(lives([create()], [remove()], [create()])).to.deep.equal([
      ['s', 'b0', 2, 'b0 b1', true],
      ['s', 'b2', 1, 'b2', false],
    ]);
  });

  it('replaced within a block it keeps one life', () => {
    expect(lives([create(), remove(), create(), data('/a', 1)])).to.deep.equal([['s', 'b0', 2, 'b0', false]]);
  });

  it('a deletion without a surface is no second life', () => {
    expect(lives([create(), remove()], [remove()])).to.deep.equal([['s', 'b0', 3, 'b0 b1', true]]);
  });

  it('are read once for a conversation, whichever of its surfaces asks', () => {
    const messages = conversation([create()], [data('/a', 2)]);
    expect(surfaceInstances(messages)).to.equal(surfaceInstances(messages));
  });

  it('rule 43: of one agent are not changed by another one', () => {
    const [first, second, third] = conversation([create()], [data('/a', 2), remove()], [data('/a', 3)]);
    if (!first || !second || !third) throw new Error('There are no messages.');
    const found = surfaceInstances([
      { ...first, agentId: 'bank' },
      { ...second, agentId: 'other' },
      { ...third, agentId: 'bank' },
    ]);
    expect(found.map(({ blockId, blocks, deleted }) => [blockId, [...blocks].join(' '), deleted])).to.deep.equal([
      ['b0', 'b0 b2', false],
      ['b1', 'b1', true],
    ]);
  });

  it('garbage has no life', () => {
    expect(lives([null, 7, 'x', {}, { createSurface: null }, { createSurface: { surfaceId: 3 } }])).to.deep.equal([]);
  });

  it('ten thousand surfaces stay within a limit', () => {
    expect(lives(Array.from({ length: 10_000 }, (_, index) => create(String(index)))).length).to.equal(500);
  });
});
