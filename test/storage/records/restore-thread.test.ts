import { expect } from '@open-wc/testing';
import { splitRestoredMessages } from '../../../src/conversation/continue-run.ts';
import { chatMessage, type ChatMessage } from '../../../src/model/message.ts';
import { textOf } from '../../../src/model/message-text.ts';
import { restoreThread } from '../../../src/storage/records/restore-thread.ts';
import { serializeThread } from '../../../src/storage/records/serialize-thread.ts';
import { readConversation } from '../../../src/storage/stores/validate-stored.ts';

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
const rolesAndStatuses = (
  messages: readonly { readonly role?: string; readonly status?: string }[],
): readonly string[] => messages.map(({ role, status }) => `${role ?? ''} ${status ?? ''}`);

describe('restoreThread()', () => {
  it('marks a reply that was streaming as interrupted and reports it', () => {
    const messages = [
      message('u', 'user', 'complete', 'Go'),
      message('a', 'assistant', 'streaming', 'One', { parentId: 'u' }),
    ];
    const { path, isInterrupted } = restoreThread({ messages, leaf: 'a' }, 5);
    expect(rolesAndStatuses(path)).to.deep.equal(['user complete', 'assistant interrupted']);
    expect(isInterrupted).to.equal(true);
  });

  it('reads the other messages beside an unreadable one whose id has no text', () => {
    const unreadable = { id: { toString: [] }, parentId: { toString: [] } } as unknown as ChatMessage;
    const { path } = restoreThread({ messages: [unreadable, message('u', 'user', 'complete', 'Go')], leaf: 'u' }, 5);
    expect(rolesAndStatuses(path)).to.deep.equal(['user complete']);
  });

  it('leaves messages as they are that the page added during the reply, or before it began', () => {
    const note = message('n', 'assistant', 'complete', 'Note', { parentId: 'u' });
    const reply = message('a', 'assistant', 'streaming', 'One', { parentId: 'n' });
    for (const [sent, begun] of [
      ['complete', [reply]],
      ['sending', []],
    ] as const) {
      const messages = [message('u', 'user', sent, 'Go'), note, ...begun];
      const { path, isInterrupted } = restoreThread({ messages, leaf: messages.at(-1)?.id ?? '' }, 5);
      expect(isInterrupted).to.equal(true);
      expect(path[1]).to.deep.equal(note);
      expect(path.slice(2).map(({ status, parentId }) => [status, parentId])).to.deep.equal([['interrupted', 'n']]);
    }
  });

  it('treats a connection that was lost with its page as interrupted', () => {
    const base = { id: 'e', timestamp: 1, content: 'lost' };
    const lost = { ...base, type: 'error', status: 'error', extra: { reason: 'dropped' } } as const;
    const answer = message('a', 'assistant', 'interrupted', 'One', { parentId: 'u' });
    const messages = [message('u', 'user', 'complete', 'Go'), { ...answer, blocks: [...answer.blocks, lost] }];
    const { path, isInterrupted } = restoreThread({ messages, leaf: 'a' }, 5);
    expect(isInterrupted).to.equal(true);
    expect(path[1]?.blocks?.map((block) => block.type)).to.deep.equal(['content']);
  });

  it('returns a message that waited for the network to the composer, with its empty reply', () => {
    const messages = [
      message('u', 'user', 'complete', 'Go'),
      message('a', 'assistant', 'complete', 'One', { parentId: 'u' }),
      message('v', 'user', 'queued', 'More', { parentId: 'a' }),
      message('b', 'assistant', 'streaming', '', { parentId: 'v' }),
      message('w', 'user', 'queued', 'And', { parentId: 'b' }),
    ];
    const { path, isInterrupted, unsent } = restoreThread({ messages, leaf: 'w' }, 5);
    expect(path.map(({ id }) => id)).to.deep.equal(['u', 'a']);
    expect([isInterrupted, unsent.map(textOf)]).to.deep.equal([false, ['More', 'And']]);
  });

  it('leaves a lost reply unchanged when a later turn followed, on the path and in a branch', () => {
    const lost = (id: string, parentId: string): ChatMessage => {
      const answer = message(id, 'assistant', 'interrupted', 'One', { parentId });
      const error = { id: `${id}.e`, timestamp: 1, content: 'lost', type: 'error', status: 'error' } as const;
      return { ...answer, blocks: [...answer.blocks, { ...error, extra: { reason: 'dropped' } }] };
    };
    const messages = [
      message('u', 'user', 'complete', 'Go'),
      lost('a', 'u'),
      message('v', 'user', 'complete', 'More', { parentId: 'a' }),
      message('b', 'assistant', 'complete', 'Two', { parentId: 'v' }),
      lost('c', 'u'),
    ];
    const { path, hidden, isInterrupted } = restoreThread({ messages, leaf: 'b' }, 5);
    expect([path, hidden, isInterrupted]).to.deep.equal([messages.slice(0, 4), messages.slice(4), false]);
  });

  it('settles earlier replies and branches that were stored while streaming', () => {
    const messages = [
      message('u', 'user', 'sending', 'Go'),
      message('a', 'assistant', 'streaming', 'One', { parentId: 'u' }),
      message('v', 'user', 'complete', 'More', { parentId: 'a' }),
      message('b', 'assistant', 'complete', 'Two', { parentId: 'v' }),
      message('c', 'assistant', 'streaming', 'Other', { parentId: 'u' }),
    ];
    const { path, hidden, isInterrupted } = restoreThread({ messages, leaf: 'b' }, 5);
    expect(rolesAndStatuses(path)).to.deep.equal([
      'user failed',
      'assistant interrupted',
      'user complete',
      'assistant complete',
    ]);
    expect(rolesAndStatuses(hidden)).to.deep.equal(['assistant interrupted']);
    expect(isInterrupted).to.equal(false);
  });

  it('keeps a reply that waits for the user pending', () => {
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
    const { path, isInterrupted } = restoreThread({ messages, leaf: 'a' }, 5);
    expect(rolesAndStatuses(path)).to.deep.equal(['user complete', 'assistant streaming']);
    expect(isInterrupted).to.equal(false);
  });

  it('keeps a streaming reply unfinished whose answered question no request had, so that it is asked again', () => {
    const answered = {
      id: 'q',
      timestamp: 1,
      type: 'action',
      action_type: 'question',
      status: 'granted',
      content: 'Where?',
      extra: { unsent: [{}] },
    } as const;
    const messages = [
      message('u', 'user', 'complete', 'Go'),
      { ...message('a', 'assistant', 'streaming', '', { parentId: 'u' }), blocks: [answered] },
    ];
    const { path, isInterrupted } = restoreThread({ messages, leaf: 'a' }, 5);
    expect(isInterrupted).to.equal(false);
    const [asked] = splitRestoredMessages(path as readonly ChatMessage[]).waiting.flatMap(({ blocks }) => blocks);
    expect([asked?.id, asked?.status]).to.deep.equal(['q', 'pending']);
  });

  it('restores a message that never reached the agent as failed', () => {
    const messages = [message('u', 'user', 'sending', 'Go')];
    expect(rolesAndStatuses(restoreThread({ messages, leaf: 'u' }, 5).path)).to.deep.equal([
      'user failed',
      'assistant interrupted',
    ]);
  });

  it('returns queued messages as unsent text', () => {
    const messages = [
      message('u', 'user', 'complete', 'Go'),
      message('a', 'assistant', 'complete', 'Done', { parentId: 'u' }),
      message('q', 'user', 'queued', 'And more', { parentId: 'a' }),
    ];
    const { path, unsent, isInterrupted } = restoreThread({ messages, leaf: 'q' }, 5);
    expect(rolesAndStatuses(path)).to.deep.equal(['user complete', 'assistant complete']);
    expect(unsent.map(textOf)).to.deep.equal(['And more']);
    expect(isInterrupted).to.equal(false);
  });

  for (const status of ['queued', 'sending'] as const) {
    it(`keeps an exchange whose regeneration was ${status}`, () => {
      const messages = [
        message('u', 'user', status, 'Go'),
        message('b', 'assistant', 'streaming', '', { parentId: 'u' }),
        message('a', 'assistant', 'complete', 'One', { parentId: 'u' }),
      ];
      const { path, hidden, unsent } = restoreThread({ messages, leaf: 'b' }, 5);
      expect(rolesAndStatuses(path)).to.deep.equal([
        'user complete',
        status === 'queued' ? 'assistant complete' : 'assistant interrupted',
      ]);
      expect(rolesAndStatuses(hidden)).to.deep.equal(status === 'queued' ? [] : ['assistant complete']);
      expect(unsent).to.deep.equal([]);
    });
  }

  it('shows the exchange again whose edit waited for the network, and what followed it', () => {
    const messages = [
      message('v', 'user', 'queued', 'Changed'),
      message('b', 'assistant', 'streaming', '', { parentId: 'v' }),
      message('u', 'user', 'complete', 'Go'),
      message('a', 'assistant', 'complete', 'One', { parentId: 'u' }),
      message('w', 'user', 'complete', 'More', { parentId: 'a' }),
      message('c', 'assistant', 'complete', 'Two', { parentId: 'w' }),
    ];
    const { path, hidden, unsent } = restoreThread({ messages, leaf: 'b' }, 5);
    expect([path.map(({ id }) => id), hidden]).to.deep.equal([['u', 'a', 'w', 'c'], []]);
    expect(unsent.map(textOf)).to.deep.equal(['Changed']);
  });

  it('returns queued messages of other branches as unsent text', () => {
    const messages = [
      message('u', 'user', 'complete', 'Go'),
      message('a', 'assistant', 'streaming', 'One', { parentId: 'u' }),
      message('q', 'user', 'queued', 'Of the other tab', { parentId: 'a' }),
    ];
    const { hidden, unsent } = restoreThread({ messages, leaf: 'a' }, 5);
    expect([hidden, unsent.map(textOf)]).to.deep.equal([[], ['Of the other tab']]);
  });

  it('restores all branches', () => {
    const messages = [
      message('u', 'user', 'complete', 'Go'),
      message('b', 'assistant', 'complete', 'Two', { parentId: 'u' }),
      message('a', 'assistant', 'complete', 'One', { parentId: 'u' }),
    ];
    const { path, hidden } = restoreThread({ messages, leaf: 'b' }, 5);
    expect([path.map(({ id }) => id), hidden.map(({ id }) => id)]).to.deep.equal([['u', 'b'], ['a']]);
  });

  it('reads incomplete messages of a page’s store and skips invalid ones', () => {
    const messages = [
      { role: 'user', text: 'Hi', attachments: 7, blocks: {} },
      null,
      { role: 'wizard', text: 'x' },
      { role: 'user', attachments: [null] },
      7,
    ] as never;
    const { path } = restoreThread({ messages }, 5);
    expect(rolesAndStatuses(path)).to.deep.equal(['user complete']);
  });

  it('completes blocks of a page’s store that have a type and a content only', () => {
    const messages = [{ id: 'a', role: 'assistant', blocks: [{ type: 'content', content: 'Hello' }] }] as never;
    const { path } = restoreThread({ messages }, 5);
    expect(path.map(({ blocks = [] }) => blocks.map((block) => 'content' in block && block.content))).to.deep.equal([
      ['Hello'],
    ]);
  });

  it('skips an invalid block, and keeps the others of its message', () => {
    const whole = message('a', 'assistant', 'complete', 'Hello');
    const messages = [{ ...whole, blocks: [null, { ...words('x'), content: 7 }, ...whole.blocks] }] as never;
    const { path } = restoreThread({ messages }, 5);
    expect(path.map(({ blocks }) => blocks)).to.deep.equal([whole.blocks]);
  });

  const nulls = { name: null, parentId: null, finish: null, usage: null, metadata: null, suggestions: null };
  for (const [name, change] of [
    ['null in the fields without a value', nulls],
    ['numbers as ids', { id: 7, parentId: 6 }],
    ['an unknown status', { status: 'done' }],
    ['an invalid entry in a list', { suggestions: [null, { label: 'a', prompt: 'b' }] }],
    ['time that is no number', { timestamp: NaN }],
    ['a block with null in its optional fields', { blocks: [{ ...words('Hello'), citations: null, extra: null }] }],
    ['a block with an invalid citation', { blocks: [{ ...words('Hello'), citations: [{ id: 7 }, null] }] }],
    ['a block with an unknown status', { blocks: [{ ...words('Hello'), status: 'done', timestamp: null }] }],
  ] as const) {
    it(`does not lose the text of a message with ${name}`, () => {
      const messages = [{ ...message('a', 'user', 'complete', 'Hello'), ...change }] as never;
      const { path } = restoreThread({ messages }, 5);
      expect(path.map(({ blocks = [] }) => blocks.map((block) => 'content' in block && block.content))).to.deep.equal([
        ['Hello'],
      ]);
      expect(path.every((one) => chatMessage.safeParse(one).success)).to.equal(true);
    });
  }

  it('does not lose the text beside a block with more invalid parts than Zod can report', () => {
    const plan = { type: 'plan', plan: Array.from({ length: 200_000 }, () => ({ title: 7 })) };
    const text = words('Hello');
    const messages = [{ ...message('a', 'assistant', 'complete', ''), blocks: [text, plan] }] as never;
    const { path } = restoreThread({ messages }, 5);
    // How many parts can be reported depends on the engine: the plan may remain, without them.
    expect(path.map(({ blocks = [] }) => blocks[0])).to.deep.equal([text]);
  });

  for (const { name, lost, leaf, kept } of [
    { name: 'in the middle', lost: ['a'], leaf: 'b', kept: ['u', 'v', 'b'] },
    { name: 'twice in a row', lost: ['a', 'v'], leaf: 'b', kept: ['u', 'b'] },
    { name: 'at the start', lost: ['u'], leaf: 'b', kept: ['a', 'v', 'b'] },
    { name: 'at the end', lost: ['b'], leaf: 'b', kept: ['u', 'a', 'v'] },
  ])
    it(`keeps the messages around one that can't be read ${name}, and the other branch apart`, () => {
      const messages = [
        message('u', 'user', 'complete', 'Go'),
        message('a', 'assistant', 'complete', 'One', { parentId: 'u' }),
        message('other', 'assistant', 'complete', 'Another', { parentId: 'u' }),
        message('v', 'user', 'complete', 'More', { parentId: 'a' }),
        message('b', 'assistant', 'complete', 'Two', { parentId: 'v' }),
      ].map((one) => (lost.includes(one.id) ? { ...one, blocks: [{ type: 'unknown' }] } : one));
      const { path, hidden } = restoreThread({ messages: messages as ChatMessage[], leaf }, 5);
      expect(path.map(({ id }) => id)).to.deep.equal(kept);
      expect(hidden.map(({ id }) => id)).to.deep.equal(['other']);
    });

  it('restores data that had no value', () => {
    const block = { id: 'd', type: 'data', status: 'success', timestamp: 1, data: { data_type: 'custom' } };
    const answer = { ...message('a', 'assistant', 'complete', ''), blocks: [block] } as unknown as ChatMessage;
    const { path } = restoreThread({ messages: [answer], leaf: 'a' }, 5);
    expect(path[0]?.blocks?.map(({ type }) => type)).to.deep.equal(['data']);
  });

  it('skips a message that is nested too deeply, and keeps the others', () => {
    let timestamp: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) timestamp = [timestamp];
    const messages = [
      { role: 'user', text: 'Lost', timestamp },
      { role: 'user', text: 'Hello' },
    ] as never;
    expect(restoreThread({ messages }, 5).path.length).to.equal(1);
  });

  it('restores the branch of messages with numbers as ids', () => {
    const messages = [
      { id: 1, role: 'user', text: 'Hi' },
      { id: 2, role: 'assistant', text: 'Hello', parentId: 1 },
      { id: 3, role: 'assistant', text: 'Good day', parentId: 1 },
    ];
    const { path, hidden } = restoreThread(readConversation('t', { messages, leaf: 2 }) as never, 5);
    expect([path.map(({ id }) => id), hidden.map(({ id }) => id)]).to.deep.equal([['1', '2'], ['3']]);
  });

  for (const timestamp of [1e300, 8_640_000_000_000_001, 'soon']) {
    it(`restores messages whose time is ${String(timestamp)}, which cannot be shown, without it`, () => {
      const whole = { ...message('u', 'user', 'complete', 'Go'), timestamp };
      const { path } = restoreThread({ messages: [whole, { role: 'user', text: 'Hi', timestamp }] as never }, 5);
      expect(path.map((one) => one.timestamp)).to.deep.equal([0, 0]);
    });
  }

  it('restores the thread that serializeThread() stored', () => {
    const thread = {
      path: [message('u', 'user', 'complete', 'Go'), message('b', 'assistant', 'complete', 'Two', { parentId: 'u' })],
      hidden: [message('a', 'assistant', 'complete', 'One', { parentId: 'u' })],
    };
    const serialized = serializeThread(thread, { id: 't', name: '', updated: 1 }, (one) => one);
    const { path, hidden } = restoreThread(serialized, 5);
    expect({ path, hidden }).to.deep.equal(thread);
  });

  it('finds the messages before omitted ones in time proportional to their number', () => {
    const length = 500;
    const omitted = Array.from({ length }, (_, index) => ({
      id: `o${String(index)}`,
      role: 'nobody',
      parentId: index === 0 ? 'u' : `o${String(index - 1)}`,
    }));
    const branches = Array.from({ length }, (_, index) =>
      message(`a${String(index)}`, 'assistant', 'complete', 'Hi', { parentId: `o${String(length - 1)}` }),
    );
    const messages = [message('u', 'user', 'complete', 'Go'), ...omitted, ...branches];
    const { has } = Set.prototype;
    let lookups = 0;
    Set.prototype.has = function (value: unknown) {
      lookups++;
      return has.call(this, value);
    };
    try {
      const { path, hidden } = restoreThread({ messages, leaf: 'a0' } as never, 5);
      expect([...path, ...hidden].map(({ parentId }) => parentId)).to.deep.equal([
        undefined,
        ...branches.map(() => 'u'),
      ]);
    } finally {
      Set.prototype.has = has;
    }
    expect(lookups).to.be.at.most(100 * length);
  });
});
