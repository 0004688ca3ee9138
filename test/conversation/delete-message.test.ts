import { expect } from '@open-wc/testing';
import { deleteMessages, putBackMessages } from '../../src/conversation/delete-message.ts';
import {
  appendMessages,
  truncateAfter,
  emptyThread,
  removeMessage,
  type Thread,
} from '../../src/conversation/thread.ts';
import type { ChatMessage } from '../../src/model/message.ts';

const message = (id: string): ChatMessage => ({
  id,
  role: id.startsWith('q') ? 'user' : 'assistant',
  status: 'complete',
  blocks: [],
  timestamp: 0,
});
const thread = (...ids: readonly string[]): Thread => appendMessages(emptyThread, ids.map(message));
const pathOf = ({ path }: Thread): string => path.map(({ id }) => id).join(' ');
const parents = ({ path, hidden }: Thread): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries([...path, ...hidden].map(({ id, parentId }) => [id, parentId]));

describe('deleteMessages()', () => {
  const rows = [
    { name: 'the first message', out: ['q1'], left: 'a1 q2 a2' },
    { name: 'a message in the middle', out: ['a1'], left: 'q1 q2 a2' },
    { name: 'the last message', out: ['a2'], left: 'q1 a1 q2' },
    { name: 'two adjacent messages', out: ['a1', 'q2'], left: 'q1 a2' },
    { name: 'all', out: ['q1', 'a1', 'q2', 'a2'], left: '' },
    { name: 'an unknown id', out: ['x'], left: 'q1 a1 q2 a2' },
  ];
  for (const { name, out, left } of rows) {
    it(`deletes and restores ${name}`, () => {
      const before = thread('q1', 'a1', 'q2', 'a2');
      const { thread: after, deleted } = deleteMessages(before, out);
      expect(pathOf(after)).to.equal(left);
      expect(putBackMessages(after, deleted)).to.deep.equal(before);
    });
  }

  it('keeps the branches that follow the deleted message', () => {
    const branched = appendMessages(truncateAfter(thread('q1', 'a1', 'q2'), 'a1'), [message('q3')]);
    const { thread: after, deleted } = deleteMessages(branched, ['a1']);
    expect(parents(after)).to.deep.equal({ q1: undefined, q2: 'q1', q3: 'q1' });
    expect(putBackMessages(after, deleted)).to.deep.equal(branched);
  });

  it('puts a restored message before the messages that were added after the deletion', () => {
    const { thread: after, deleted } = deleteMessages(thread('q1', 'a1'), ['a1']);
    const back = putBackMessages(appendMessages(after, [message('q2'), message('a2')]), deleted);
    expect([pathOf(back), parents(back)]).to.deep.equal([
      'q1 a1 q2 a2',
      { q1: undefined, a1: 'q1', q2: 'a1', a2: 'q2' },
    ]);
  });

  it('restores a message as a branch of the answer that replaced it', () => {
    const { thread: after, deleted } = deleteMessages(thread('q1', 'a1'), ['a1']);
    const back = putBackMessages(appendMessages(after, [message('a9')]), deleted);
    expect([pathOf(back), parents(back)]).to.deep.equal(['q1 a9', { q1: undefined, a9: 'q1', a1: 'q1' }]);
  });

  it('keeps a restored message as a hidden branch when its parent was removed', () => {
    const { thread: after, deleted } = deleteMessages(thread('q1', 'a1', 'q2'), ['a1']);
    const back = putBackMessages(removeMessage(after, 'q1'), deleted);
    expect([pathOf(back), back.hidden.map(({ id }) => id)]).to.deep.equal(['q2', ['a1']]);
  });
});
