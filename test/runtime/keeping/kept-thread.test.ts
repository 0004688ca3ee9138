import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import { fuller, revive, titleOf, toKept } from '../../../src/runtime/keeping/kept-thread.ts';

let count = 0;
const words = (text: string): ChatMessage['blocks'][number] => ({
  id: `b${String(++count)}`,
  type: 'content',
  status: 'success',
  timestamp: 1,
  content: text,
});
const message = (
  id: string,
  role: ChatMessage['role'],
  status: ChatMessage['status'],
  text: string,
  more: Partial<ChatMessage> = {},
): ChatMessage => ({ id, role, status, timestamp: 1, blocks: text ? [words(text)] : [], ...more });
const said = (messages: readonly { readonly role?: string; readonly status?: string }[]): readonly string[] =>
  messages.map(({ role, status }) => `${role ?? ''} ${status ?? ''}`);

describe('revive', () => {
  it('cuts off a reply that was in the middle, and says so', () => {
    const messages = [
      message('u', 'user', 'complete', 'Go'),
      message('a', 'assistant', 'streaming', 'One', { parentId: 'u' }),
    ];
    const { path, broken } = revive({ messages, leaf: 'a' }, 5);
    expect(said(path)).to.deep.equal(['user complete', 'assistant interrupted']);
    expect(broken).to.equal(true);
  });

  it('takes a connection that was lost with its page for one that was cut by leaving it', () => {
    const base = { id: 'e', timestamp: 1, content: 'lost' };
    const lost = { ...base, type: 'error', status: 'error', extra: { reason: 'dropped' } } as const;
    const answer = message('a', 'assistant', 'interrupted', 'One', { parentId: 'u' });
    const messages = [message('u', 'user', 'complete', 'Go'), { ...answer, blocks: [...answer.blocks, lost] }];
    const { path, broken } = revive({ messages, leaf: 'a' }, 5);
    expect(broken).to.equal(true);
    expect(path[1]?.blocks?.map((block) => block.type)).to.deep.equal(['content']);
  });

  it('leaves a reply that waits for the reader waiting', () => {
    const asking = {
      id: 'q',
      timestamp: 1,
      type: 'action',
      action_type: 'question',
      status: 'pending',
      content: 'Where?',
    } as const;
    const messages = [
      message('u', 'user', 'complete', 'Go'),
      { ...message('a', 'assistant', 'streaming', '', { parentId: 'u' }), blocks: [asking] },
    ];
    const { path, broken } = revive({ messages, leaf: 'a' }, 5);
    expect(said(path)).to.deep.equal(['user complete', 'assistant streaming']);
    expect(broken).to.equal(false);
  });

  it('gives a message that never reached the agent back as one that failed', () => {
    const messages = [message('u', 'user', 'sending', 'Go')];
    expect(said(revive({ messages, leaf: 'u' }, 5).path)).to.deep.equal(['user failed', 'assistant interrupted']);
  });

  it('makes words again of what waited to be sent', () => {
    const messages = [
      message('u', 'user', 'complete', 'Go'),
      message('a', 'assistant', 'complete', 'Done', { parentId: 'u' }),
      message('q', 'user', 'queued', 'And more', { parentId: 'a' }),
    ];
    const { path, unsent, broken } = revive({ messages, leaf: 'q' }, 5);
    expect(said(path)).to.deep.equal(['user complete', 'assistant complete']);
    expect(unsent).to.equal('And more');
    expect(broken).to.equal(false);
  });

  it('has all branches', () => {
    const messages = [
      message('u', 'user', 'complete', 'Go'),
      message('b', 'assistant', 'complete', 'Two', { parentId: 'u' }),
      message('a', 'assistant', 'complete', 'One', { parentId: 'u' }),
    ];
    const { path, hidden } = revive({ messages, leaf: 'b' }, 5);
    expect([path.map(({ id }) => id), hidden.map(({ id }) => id)]).to.deep.equal([['u', 'b'], ['a']]);
  });

  it('reads what a page’s own store may give: short entries, and none that are none', () => {
    const messages = [{ role: 'user', text: 'Hi' }, null, { role: 'wizard', text: 'x' }, 7] as never;
    const { path } = revive({ messages }, 5);
    expect(said(path)).to.deep.equal(['user complete']);
  });

  it('gives the same thread again that was kept', () => {
    const thread = {
      path: [message('u', 'user', 'complete', 'Go'), message('b', 'assistant', 'complete', 'Two', { parentId: 'u' })],
      hidden: [message('a', 'assistant', 'complete', 'One', { parentId: 'u' })],
    };
    const kept = toKept(thread, { id: 't', title: '', updated: 1 }, (one) => one);
    const { path, hidden } = revive(kept, 5);
    expect({ path, hidden }).to.deep.equal(thread);
  });
});

describe('fuller', () => {
  const copy = (text: string) => ({ messages: [message('a', 'assistant', 'streaming', text)] });
  const short = copy('One');
  const long = copy('One two');
  it('is the copy that has more words', () => expect(fuller(short, long)).to.equal(long));
  it('is the first where they have the same', () => expect(fuller(long, copy('One two'))).to.equal(long));
});

describe('titleOf', () => {
  const rows: readonly { name: string; text: string; expected: string }[] = [
    { name: 'the first words', text: '  Where is\nmy order? ', expected: 'Where is my order?' },
    {
      name: 'cut at a word',
      text: 'A question that goes on and on and on until nobody knows what it was about',
      expected: 'A question that goes on and on and on until nobody knows…',
    },
    { name: 'cut between characters, never inside one', text: '👩‍🚀'.repeat(3) + '字'.repeat(80), expected: '' },
  ];
  for (const { name, text, expected } of rows) {
    it(name, () => {
      const title = titleOf([message('u', 'user', 'complete', text)]);
      if (expected) expect(title).to.equal(expected);
      else expect(title.isWellFormed()).to.equal(true);
    });
  }
  it('is empty where nobody has said any', () => expect(titleOf([])).to.equal(''));
});
