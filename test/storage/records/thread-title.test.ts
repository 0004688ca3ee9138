import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import { titleOf } from '../../../src/storage/records/thread-title.ts';

const question = (content: string): ChatMessage => ({
  id: 'u',
  role: 'user',
  status: 'complete',
  timestamp: 1,
  blocks: [{ id: 'b', type: 'content', status: 'success', timestamp: 1, content }],
});

describe('titleOf()', () => {
  const rows: readonly { name: string; text: string; expected: string }[] = [
    { name: 'the first text of the user', text: '  Where is\nmy order? ', expected: 'Where is my order?' },
    {
      name: 'cut at a word boundary',
      text: 'A question that goes on and on and on until nobody knows what it was about',
      expected: 'A question that goes on and on and on until nobody knows…',
    },
    { name: 'cut between characters, never inside one', text: '👩‍🚀'.repeat(3) + '字'.repeat(80), expected: '' },
  ];
  for (const { name, text, expected } of rows) {
    it(name, () => {
      const title = titleOf([question(text)]);
      if (expected) expect(title).to.equal(expected);
      else expect(title.isWellFormed()).to.equal(true);
    });
  }
  it('is empty without messages', () => expect(titleOf([])).to.equal(''));
});
