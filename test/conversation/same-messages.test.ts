import { expect } from '@open-wc/testing';
import { isSame, snapshotOf } from '../../src/conversation/same-messages.ts';

const itself: unknown[] = [];
itself.push(itself);
const messages = [
  { id: 'a', role: 'user', blocks: [{ type: 'content', content: 'hi' }] },
  { id: 'b', role: 'assistant', metadata: { at: new Date(0) }, blocks: [] },
];
const [first, second] = messages;

describe('isSame()', () => {
  const rows: readonly { readonly name: string; readonly inputs: readonly unknown[]; readonly same: boolean }[] = [
    { name: 'the array itself', inputs: messages, same: true },
    { name: 'the same objects', inputs: [...messages], same: true },
    { name: 'copies', inputs: structuredClone(messages), same: true },
    { name: 'what JSON makes of them', inputs: JSON.parse(JSON.stringify(messages)) as unknown[], same: true },
    {
      name: 'fields in another order',
      inputs: messages.map((one) => Object.fromEntries(Object.entries(one).reverse())),
      same: true,
    },
    { name: 'a field that is undefined', inputs: [{ ...first, name: undefined }, second], same: true },
    { name: 'a field that is a function', inputs: [{ ...first, show: () => 1 }, second], same: true },
    { name: 'a field more', inputs: [{ ...first, name: 'A' }, second], same: false },
    { name: 'a field less', inputs: [first, { id: 'b', role: 'assistant', blocks: [] }], same: false },
    { name: 'one message more', inputs: [...messages, first], same: false },
    { name: 'one message less', inputs: messages.slice(1), same: false },
    {
      name: 'another word',
      inputs: [{ ...first, blocks: [{ type: 'content', content: 'Bye' }] }, second],
      same: false,
    },
    { name: 'another time', inputs: [first, { ...second, metadata: { at: new Date(1) } }], same: false },
    {
      name: 'an object for an array',
      inputs: [{ ...first, blocks: { 0: { type: 'content', content: 'hi' } } }, second],
      same: false,
    },
    { name: 'null for an object', inputs: [{ ...first, blocks: null }, second], same: false },
    { name: 'none', inputs: [], same: false },
  ];
  for (const { name, inputs, same } of rows) {
    it(`${name}: ${same ? 'the same' : 'others'}`, () => {
      expect(isSame(inputs, messages)).to.equal(same);
      expect(isSame(messages, inputs)).to.equal(same);
    });
  }

  it('what contains itself equals nothing, and has no snapshot', () => {
    const other: unknown[] = [];
    other.push(other);
    expect(isSame(itself, other)).to.equal(false);
    expect(snapshotOf(itself)).to.equal(undefined);
  });
});

describe('snapshotOf()', () => {
  it('stays what it was when the list is changed in place', () => {
    const list = structuredClone(messages);
    const snapshot = snapshotOf(list);
    expect(isSame(snapshot, list)).to.equal(true);
    const block = list[0]?.blocks[0];
    if (block) block.content = 'hello';
    expect(isSame(snapshot, list)).to.equal(false);
  });
});
