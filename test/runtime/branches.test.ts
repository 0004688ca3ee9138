import { expect } from '@open-wc/testing';
import { siblingsOf } from '../../src/conversation/thread.ts';
import { ChatError } from '../../src/errors.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import type { Chat } from '../../src/runtime/chat/chat.ts';
import type { Adapter, Fork } from '../../src/protocols/core/adapter.ts';
import { lines, makeChat, until } from './support/make-chat.ts';
import { session, silent, status, stream, watchedBody } from './support/scripted-server.ts';
import { END, says, wireAgent } from './support/wire-agent.ts';

const hello = stream(session('Hello.'));
const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof ChatError ? error.reason : String(error)),
  );

/** Selects the other of the two branches at a message. */
function showOther(chat: Chat, message: ChatMessage | undefined): void {
  if (!message) return;
  const siblings = siblingsOf(chat.store.state.thread, message);
  chat.selectBranch(
    message.id,
    siblings.findIndex(({ id }) => id !== message.id),
  );
}

describe('regenerate()', () => {
  it('replaces the last reply by a new branch', async () => {
    const { chat, server } = makeChat([hello, stream(session('Good day.'))]);
    const first = await chat.send('Hi');
    const second = await chat.regenerate();
    expect(lines(chat)).to.deep.equal(['user complete: Hi', 'assistant complete: Good day.']);
    expect(server.bodies[1]).to.deep.equal(server.bodies[0]);
    showOther(chat, second);
    expect(chat.messages.at(-1)).to.equal(first);
  });

  it('replaces any reply by a new branch, without the messages after it', async () => {
    const { chat, server } = makeChat([hello, hello, stream(session('Good day.'))]);
    const first = await chat.send('Hi');
    await chat.send('And?');
    await chat.regenerate(first.id);
    expect(lines(chat)).to.deep.equal(['user complete: Hi', 'assistant complete: Good day.']);
    expect(server.bodies[2]).to.deep.equal({ messages: [{ role: 'user', content: 'Hi' }] });
  });

  it('stops the running reply, and keeps it as a branch', async () => {
    const { chat } = makeChat([watchedBody([session('Half', false)]).response, hello]);
    const first = chat.send('Hi');
    await until(chat, () => chat.status === 'streaming');
    const second = await chat.regenerate();
    const stopped = await first;
    expect([stopped.status, second.status]).to.deep.equal(['cancelled', 'complete']);
    showOther(chat, second);
    expect(chat.messages.at(-1)?.id).to.equal(stopped.id);
  });

  it('retries a failed reply', async () => {
    const { chat } = makeChat([status(500), hello]);
    await chat.send('Hi');
    await chat.regenerate();
    expect(lines(chat)).to.deep.equal(['user complete: Hi', 'assistant complete: Hello.']);
    expect(chat.status).to.equal('idle');
  });

  it('rejects without a reply to regenerate, and stops nothing', async () => {
    const { chat } = makeChat([watchedBody([session('Half', false)]).response]);
    expect(await reasonOf(chat.regenerate())).to.equal('protocol');
    void chat.send('Hi');
    await until(chat, () => chat.status === 'streaming');
    expect(await reasonOf(chat.regenerate('nobody'))).to.equal('protocol');
    expect(chat.status).to.equal('streaming');
    chat.stop();
  });

  for (const end of ['fails', 'is stopped'] as const) {
    it(`that ${end} leaves the message sent, also for the next one`, async () => {
      const { chat, server } = makeChat([hello, end === 'fails' ? status(500) : silent, hello]);
      const first = await chat.send('Hi');
      const regenerated = chat.regenerate();
      await server.heard(2);
      if (end === 'is stopped') chat.stop();
      const second = await regenerated;
      expect(lines(chat)[0]).to.equal('user complete: Hi');
      showOther(chat, second);
      expect(chat.messages.at(-1)?.id).to.equal(first.id);
      await chat.send('And?');
      expect(server.bodies.at(-1)).to.deep.equal({
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Hello.' },
          { role: 'user', content: 'And?' },
        ],
      });
    });
  }
});

describe('edit()', () => {
  it('sends the new text as a branch, and keeps the attachments', async () => {
    const { chat, server } = makeChat([hello]);
    await chat.send({ text: 'Hi', attachments: [{ kind: 'file', name: 'a', url: 'https://files.example/a' }] });
    const first = chat.messages[0];
    await chat.edit(first?.id ?? '', 'Good day');
    expect(lines(chat)).to.deep.equal(['user complete: Good day | file', 'assistant complete: Hello.']);
    const note = 'Attached file, which can’t be shown to you: a https://files.example/a';
    expect(server.bodies[1]).to.deep.equal({ messages: [{ role: 'user', content: `Good day\n\n${note}` }] });
    showOther(chat, chat.messages[0]);
    expect(chat.messages[0]).to.equal(first);
  });

  it('rejects invalid input, and changes nothing', async () => {
    const { chat } = makeChat([hello], { limits: { inputLength: 5 } });
    await chat.send('Hi');
    const before = chat.messages;
    expect(await reasonOf(chat.edit('nobody', 'x'))).to.equal('protocol');
    expect(await reasonOf(chat.edit(before[0]?.id ?? '', ' '.repeat(3)))).to.equal('empty-input');
    expect(await reasonOf(chat.edit(before[0]?.id ?? '', '123456'))).to.equal('input-too-long');
    expect(chat.messages).to.equal(before);
  });
});

describe('what belongs to an edited message', () => {
  it('keeps metadata and files', async () => {
    const { chat } = makeChat([hello]);
    await chat.send({
      text: 'Hi',
      data: { order: 7 },
      attachments: [{ kind: 'file', name: 'a.pdf', url: 'https://a.example/' }],
    });
    await chat.edit(chat.messages[0]?.id ?? '', 'Well');
    expect(lines(chat)[0]).to.equal('user complete: Well | file');
    expect(chat.messages[0]?.metadata).to.deep.equal({ data: { order: 7 } });
  });

  it('the text for an agent of the page is updated', async () => {
    const { chat } = makeChat([hello]);
    const code = { language: 'js', content: '1' };
    await chat.send({ text: 'Hi', code });
    await chat.edit(chat.messages[0]?.id ?? '', 'Well');
    expect(chat.messages[0]?.metadata).to.deep.equal({ content: { text: 'Well', code } });
  });
});

describe('the reply that a branch replaces', () => {
  it('is the one of its own message, not the last one', async () => {
    const forks: (Fork | undefined)[] = [];
    const protocol: Adapter = {
      ...wireAgent,
      request(turn, options) {
        forks.push(turn.fork);
        return wireAgent.request(turn, options);
      },
    };
    const { chat } = makeChat([stream(says({ content: 'Hello.' }, END))], { protocol });
    const first = await chat.send('Hi');
    await chat.send('And?');
    const second = await chat.regenerate(first.id);
    await chat.send('And?');
    await chat.edit(chat.messages[0]?.id ?? '', 'Well');
    expect(forks.map((fork) => fork && [fork.by, fork.reply?.id])).to.deep.equal([
      undefined,
      undefined,
      ['regenerate', first.id],
      undefined,
      ['edit', second.id],
    ]);
  });
});
