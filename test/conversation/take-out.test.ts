import { expect } from '@open-wc/testing';
import { takeOut } from '../../src/conversation/take-out.ts';
import { addMessages, cutBehind, emptyThread, removeMessage, type Thread } from '../../src/conversation/thread.ts';
import type { ChatMessage } from '../../src/model/message.ts';

const message = (id: string): ChatMessage => ({
  id,
  role: id.startsWith('q') ? 'user' : 'assistant',
  status: 'complete',
  blocks: [],
  timestamp: 0,
});
const thread = (...ids: readonly string[]): Thread => addMessages(emptyThread, ids.map(message));
const pathOf = ({ path }: Thread): string => path.map(({ id }) => id).join(' ');
const parents = ({ path, hidden }: Thread): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries([...path, ...hidden].map(({ id, parentId }) => [id, parentId]));

describe('taking messages out', () => {
  const rows = [
    { name: 'the first', out: ['q1'], left: 'a1 q2 a2' },
    { name: 'one in the middle', out: ['a1'], left: 'q1 q2 a2' },
    { name: 'the last', out: ['a2'], left: 'q1 a1 q2' },
    { name: 'two next to one another', out: ['a1', 'q2'], left: 'q1 a2' },
    { name: 'all', out: ['q1', 'a1', 'q2', 'a2'], left: '' },
    { name: 'one that nobody knows', out: ['x'], left: 'q1 a1 q2 a2' },
  ];
  for (const { name, out, left } of rows) {
    it(`${name}, and back`, () => {
      const before = thread('q1', 'a1', 'q2', 'a2');
      const { thread: after, putBack } = takeOut(before, out);
      expect(pathOf(after)).to.equal(left);
      expect(putBack(after)).to.deep.equal(before);
    });
  }

  it('keeps the branches that stood behind it', () => {
    const branched = addMessages(cutBehind(thread('q1', 'a1', 'q2'), 'a1'), [message('q3')]);
    const { thread: after, putBack } = takeOut(branched, ['a1']);
    expect(parents(after)).to.deep.equal({ q1: undefined, q2: 'q1', q3: 'q1' });
    expect(putBack(after)).to.deep.equal(branched);
  });

  it('what was said meanwhile stays behind it', () => {
    const { thread: after, putBack } = takeOut(thread('q1', 'a1'), ['a1']);
    const back = putBack(addMessages(after, [message('q2'), message('a2')]));
    expect([pathOf(back), parents(back)]).to.deep.equal([
      'q1 a1 q2 a2',
      { q1: undefined, a1: 'q1', q2: 'a1', a2: 'q2' },
    ]);
  });

  it('another answer that came in its place is a branch beside it', () => {
    const { thread: after, putBack } = takeOut(thread('q1', 'a1'), ['a1']);
    const back = putBack(addMessages(after, [message('a9')]));
    expect([pathOf(back), parents(back)]).to.deep.equal(['q1 a9', { q1: undefined, a9: 'q1', a1: 'q1' }]);
  });

  it('is lost to nobody when what it stood behind is gone', () => {
    const { thread: after, putBack } = takeOut(thread('q1', 'a1', 'q2'), ['a1']);
    const back = putBack(removeMessage(after, 'q1'));
    expect([pathOf(back), back.hidden.map(({ id }) => id)]).to.deep.equal(['q2', ['a1']]);
  });
});
