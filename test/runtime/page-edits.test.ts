import { deleteMessage } from '../../src/components/message/delete-message.ts';
import { english } from '../../src/locales/localize.ts';
import { expect } from '@open-wc/testing';
import type { MessageInput } from '../../src/conversation/normalize-message.ts';
import { lines, makeChat, until, wordsOf, type Made } from './support/make-chat.ts';
import { session, stream, watchedBody } from './support/scripted-server.ts';

const hello = stream(session('Hello.'));
const history = (): readonly MessageInput[] => [
  { role: 'user', text: 'Before' },
  { role: 'assistant', text: 'Yes?' },
];

/** A chat with a running reply and a queued message. */
async function busy(): Promise<Made & { readonly sent: ReturnType<Made['chat']['send']>[] }> {
  const made = makeChat([watchedBody([session('Half', false)]).response, hello]);
  const sent = [made.chat.send('1'), made.chat.send('2')];
  await until(made.chat, ({ status }) => status === 'streaming');
  return { ...made, sent };
}

describe('a page’s edits while a reply is running', () => {
  it('change the reply, which continues', async () => {
    const { chat } = await busy();
    const { id = '' } = chat.messages[1] ?? {};
    chat.updateMessage(id, { metadata: { seen: true } });
    expect(chat.messages[1]).to.deep.include({ id, status: 'streaming', metadata: { seen: true } });
    chat.stop();
    expect(chat.messages[1]).to.deep.include({ id, status: 'cancelled', metadata: { seen: true } });
  });

  it('change a queued message', async () => {
    const { chat, sent } = await busy();
    chat.updateMessage(chat.messages[2]?.id ?? '', { text: 'two' });
    expect(lines(chat)[2]).to.equal('user queued: two');
    chat.stop();
    await sent[1];
    expect(lines(chat)[2]).to.equal('user complete: two');
  });

  it('removing the reply stops it', async () => {
    const { chat, sent } = await busy();
    chat.removeMessage(chat.messages[1]?.id ?? '');
    expect(lines(chat)).to.deep.equal(['user complete: 1', 'user queued: 2']);
    expect((await Promise.all(sent)).map(({ status }) => status)).to.deep.equal(['cancelled', 'complete']);
  });

  it('removing the message that is answered stops its reply', async () => {
    const { chat, sent } = await busy();
    chat.removeMessage(chat.messages[0]?.id ?? '');
    expect(lines(chat)).to.deep.equal(['assistant cancelled: Half', 'user queued: 2']);
    expect((await Promise.all(sent)).map(({ status }) => status)).to.deep.equal(['cancelled', 'complete']);
  });

  it('deleting the message that is answered stops its reply, also with a queued one', async () => {
    const { chat, sent } = await busy();
    const container = document.createElement('div');
    const [first] = chat.messages;
    if (first) deleteMessage(chat, first, { container, localize: english, announce: () => undefined });
    expect(lines(chat)).to.deep.equal(['assistant cancelled: Half', 'user queued: 2']);
    expect((await Promise.all(sent)).map(({ status }) => status)).to.deep.equal(['cancelled', 'complete']);
  });

  it('deleting a message before the one that is answered stops nothing', async () => {
    const { chat } = await busy();
    chat.stop();
    await until(chat, () => lines(chat).at(-1)?.startsWith('assistant') === true && chat.status === 'idle');
    const before = lines(chat).slice(1);
    chat.removeMessage(chat.messages[0]?.id ?? '');
    expect(lines(chat)).to.deep.equal(before);
  });

  it('removing a queued message withdraws it', async () => {
    const { chat, sent } = await busy();
    chat.removeMessage(chat.messages[2]?.id ?? '');
    expect((await sent[1])?.status).to.equal('failed');
    expect(lines(chat)).to.deep.equal(['user complete: 1', 'assistant streaming: Half']);
    chat.stop();
  });
});

describe('updateMessage()', () => {
  it('replaces the text, and keeps the rest identical', () => {
    const { chat } = makeChat([hello]);
    chat.messages = [
      { role: 'user', text: 'a', attachments: [{ kind: 'file', name: 'f', url: 'https://a.example/' }] },
    ];
    const [before] = chat.messages;
    chat.updateMessage(before?.id ?? '', { text: 'b' });
    const [after] = chat.messages;
    expect(after && wordsOf(after)).to.deep.equal(['b', 'file']);
    expect(after?.blocks[1]).to.equal(before?.blocks[1]);
  });

  it('new text removes the provider’s signature; another change keeps it', () => {
    const { chat } = makeChat([hello]);
    const rounds = [{ protocol: 'openai-chat', items: [{ calls: [], reasoning_details: [{ signature: 's' }] }] }];
    chat.messages = [{ role: 'assistant', text: 'a', metadata: { rounds, seen: false } }];
    const { id = '' } = chat.messages[0] ?? {};
    chat.updateMessage(id, { name: 'Ada' });
    expect(chat.messages[0]?.metadata).to.deep.equal({ rounds, seen: false });
    chat.updateMessage(id, { text: 'b' });
    expect(chat.messages[0]?.metadata).to.deep.equal({ seen: false });
  });
});

describe('ids', () => {
  it('that occur twice are made unique', () => {
    const { chat } = makeChat([hello]);
    chat.messages = [1, 2, 3].map((word) => ({ id: 'x', role: 'user', text: String(word) }));
    const added = chat.addMessage({ id: 'x', role: 'user', text: '4' });
    expect(new Set(chat.messages.map(({ id }) => id)).size).to.equal(4);
    expect(chat.messages[0]?.id).to.equal('x');
    expect(chat.messages[3]).to.equal(added);
    chat.updateMessage(added.id, { text: 'four' });
    expect(lines(chat)).to.deep.equal([1, 2, 3, 'four'].map((word) => `user complete: ${String(word)}`));
  });
});

describe('the same list assigned again', () => {
  it('changes nothing, however short it is', () => {
    const { chat } = makeChat([hello]);
    chat.messages = history();
    const before = chat.messages;
    chat.messages = history();
    chat.messages = history().map(({ role, text = '' }) => ({ text, role }));
    expect(chat.messages).to.equal(before);
  });

  it('keeps messages that were added since, and the running reply', async () => {
    const { chat } = makeChat([watchedBody([session('Half', false)]).response]);
    chat.messages = history();
    void chat.send('Hi');
    await until(chat, ({ status }) => status === 'streaming');
    chat.messages = history();
    expect([chat.messages.length, chat.status]).to.deep.equal([4, 'streaming']);
    chat.stop();
  });

  const others: readonly { readonly name: string; readonly act: (made: Made) => void; readonly left: number }[] = [
    { name: 'an empty list', act: ({ chat }) => (chat.messages = []), left: 0 },
    {
      name: 'a shortened copy of its messages',
      act: ({ chat }) => (chat.messages = chat.messages.slice(0, 2)),
      left: 2,
    },
    {
      name: 'the list after clear()',
      act: ({ chat }) => {
        chat.clear();
        chat.messages = history();
      },
      left: 2,
    },
    {
      name: 'the list after one message has changed',
      act: ({ chat }) => {
        chat.updateMessage(chat.messages[0]?.id ?? '', { text: 'other' });
        chat.messages = history();
      },
      left: 2,
    },
    { name: 'another list', act: ({ chat }) => (chat.messages = history().slice(0, 1)), left: 1 },
  ];
  for (const { name, act, left } of others) {
    it(`${name} replaces the conversation`, async () => {
      const made = makeChat([hello]);
      made.chat.messages = history();
      await made.chat.send('Hi');
      act(made);
      expect(made.chat.messages).to.have.length(left);
    });
  }

  it('a list that was changed in place counts as another', () => {
    const { chat } = makeChat([hello]);
    const list = [...history()];
    chat.messages = list;
    list.push({ role: 'user', text: 'More' });
    chat.messages = list;
    expect(chat.messages).to.have.length(3);
  });
});
