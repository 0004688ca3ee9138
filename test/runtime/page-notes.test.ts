import { expect } from '@open-wc/testing';
import type { MessageInput } from '../../src/conversation/normalize-message.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { isAsking, lines, makeChat, pending, until } from './support/make-chat.ts';
import { status, stream, watchedBody } from './support/scripted-server.ts';
import { END, replaying, says, wireAgent } from './support/wire-agent.ts';

const note = { role: 'assistant', text: 'Note', agentId: 'https://other.example/agent' } as const;
const whole = stream(says({ content: 'I will.' }, END));

/** A reply that breaks after the page has added a note. */
async function broken(rest: Parameters<typeof makeChat>[0]) {
  const cut = watchedBody([says({ content: 'I wi' })]);
  const made = makeChat([cut.response, ...rest], { protocol: replaying });
  const sent = made.chat.send('Go');
  await until(
    made.chat,
    ({ messages }) =>
      lines({ messages } as typeof made.chat)
        .at(-1)
        ?.endsWith('I wi') === true,
  );
  made.chat.addMessage(note);
  made.chat.interrupt();
  await sent;
  expect(lines(made.chat)).to.deep.equal([
    'user complete: Go',
    'assistant complete: Note',
    'assistant interrupted: I wi',
  ]);
  return made;
}

describe('a message that the page has added during a reply', () => {
  it('is no part of the reply when that is resumed from its start', async () => {
    const { chat, server } = await broken([whole]);
    const ids = chat.messages.map(({ id }) => id);
    await chat.resume();
    expect(lines(chat)).to.deep.equal(['user complete: Go', 'assistant complete: Note', 'assistant complete: I will.']);
    expect(chat.messages.map(({ id }) => id)).to.deep.equal(ids);
    expect(new URL(server.asked.at(-1)?.url ?? '').pathname).to.equal('/agent/rest');
  });

  it('is no part of a reply that can’t be resumed', async () => {
    const { chat } = await broken([status(404)]);
    await chat.resume();
    expect(lines(chat).slice(0, 2)).to.deep.equal(['user complete: Go', 'assistant complete: Note']);
    expect(lines(chat)[2]).to.contain('I wi');
  });

  it('is no part of a stored reply that had several messages', async () => {
    const { chat } = makeChat(
      [
        stream(
          says(
            { message: { id: 'a' }, content: 'One' },
            { message: { id: 'b', role: 'assistant' }, content: 'Two' },
            END,
          ),
        ),
      ],
      { protocol: replaying },
    );
    const reply = (text: string, id: string): MessageInput => ({
      role: 'assistant',
      text,
      status: 'interrupted',
      metadata: { messageId: id },
    });
    chat.messages = [
      { role: 'user', text: 'Go' },
      { role: 'assistant', text: 'Note' },
      reply('On', 'a'),
      reply('', 'b'),
    ];
    await chat.resume({ quietly: true });
    expect(lines(chat)).to.deep.equal([
      'user complete: Go',
      'assistant complete: Note',
      'assistant complete: One',
      'assistant complete: Two',
    ]);
  });

  it('is no part of a restored reply that waits for the user', async () => {
    const first = makeChat(
      [stream(says({ content: 'May I?' }, { ask: { action_type: 'confirmation' }, finish: 'tool_use' }))],
      {
        protocol: wireAgent,
      },
    );
    void first.chat.send('Go');
    await until(first.chat, isAsking);
    first.chat.addMessage(note);
    const { chat } = makeChat([whole], { protocol: wireAgent });
    chat.messages = JSON.parse(JSON.stringify(first.chat.messages)) as ChatMessage[];
    expect(chat.store.state.run?.messages.map(({ blocks }) => blocks.length)).to.deep.equal([2]);
    // Its removal stops nothing.
    chat.removeMessage(chat.messages[1]?.id ?? '');
    expect(chat.status).to.equal('awaiting-action');
    await chat.respond(pending(chat).id, 'granted');
    await until(chat, ({ status }) => status === 'idle');
    expect(lines(chat)).to.deep.equal(['user complete: Go', 'assistant complete: May I? | action | I will.']);
  });
});
