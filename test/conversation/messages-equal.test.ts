import { expect } from '@open-wc/testing';
import { messagesEqual, messagesSnapshot } from '../../src/conversation/messages-equal.ts';

const itself: unknown[] = [];
itself.push(itself);
const messages = [
  { id: 'a', role: 'user', blocks: [{ type: 'content', content: 'hi' }] },
  { id: 'b', role: 'assistant', metadata: { at: new Date(0) }, blocks: [] },
];
const [first, second] = messages;

describe('messagesEqual()', () => {
  const rows: readonly { readonly name: string; readonly inputs: readonly unknown[]; readonly same: boolean }[] = [
    { name: 'the array itself', inputs: messages, same: true },
    { name: 'the same objects', inputs: [...messages], same: true },
    { name: 'copies', inputs: structuredClone(messages), same: true },
    { name: 'the result of a JSON round trip', inputs: JSON.parse(JSON.stringify(messages)) as unknown[], same: true },
    {
      name: 'fields in another order',
      inputs: messages.map((one) => Object.fromEntries(Object.entries(one).reverse())),
      same: true,
    },
    { name: 'a field that is undefined', inputs: [{ ...first, name: undefined }, second], same: true },
    { name: 'a field that is a function', inputs: [{ ...first, show: () => 1 }, second], same: true },
    { name: 'an additional field', inputs: [{ ...first, name: 'A' }, second], same: false },
    { name: 'a missing field', inputs: [first, { id: 'b', role: 'assistant', blocks: [] }], same: false },
    { name: 'an additional message', inputs: [...messages, first], same: false },
    { name: 'a missing message', inputs: messages.slice(1), same: false },
    {
      name: 'a different text',
      inputs: [{ ...first, blocks: [{ type: 'content', content: 'Bye' }] }, second],
      same: false,
    },
    { name: 'a different time', inputs: [first, { ...second, metadata: { at: new Date(1) } }], same: false },
    {
      name: 'an object for an array',
      inputs: [{ ...first, blocks: { 0: { type: 'content', content: 'hi' } } }, second],
      same: false,
    },
    { name: 'null for an object', inputs: [{ ...first, blocks: null }, second], same: false },
    { name: 'none', inputs: [], same: false },
  ];
  for (const { name, inputs, same } of rows) {
    it(`${name}: ${same ? 'equal' : 'different'}`, () => {
      expect(messagesEqual(inputs, messages)).to.equal(same);
      expect(messagesEqual(messages, inputs)).to.equal(same);
    });
  }

  it('treats cyclic data as different from everything and returns no snapshot', () => {
    const other: unknown[] = [];
    other.push(other);
    expect(messagesEqual(itself, other)).to.equal(false);
    expect(messagesSnapshot(itself)).to.equal(undefined);
  });
});

describe('messagesSnapshot()', () => {
  it('keeps the old state when the list is changed in place', () => {
    const list = structuredClone(messages);
    const snapshot = messagesSnapshot(list);
    expect(messagesEqual(snapshot, list)).to.equal(true);
    const block = list[0]?.blocks[0];
    if (block) block.content = 'hello';
    expect(messagesEqual(snapshot, list)).to.equal(false);
  });
});
