import { expect } from '@open-wc/testing';
import { isAsking, makeChat, pending, until, wordsOf } from './support/make-chat.ts';
import { stream, type Answerer } from './support/scripted-server.ts';

/** A message of Anthropic's with one text and its stop reason. */
const reply = (id: string, text: string, stop_reason: string): Answerer =>
  stream(
    [
      {
        type: 'message_start',
        message: { id, type: 'message', content: [], usage: { input_tokens: 10, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ]
      .map((frame) => `data: ${JSON.stringify(frame)}\n\n`)
      .join(''),
  );
const paused = (id: string, text: string): Answerer => reply(id, text, 'pause_turn');
const settings = { protocol: 'anthropic' };

describe('a server that pauses', () => {
  it('is asked to continue from its text, without a new message; the tokens add up', async () => {
    const { chat, server } = makeChat([paused('m1', 'One, '), reply('m2', 'two.', 'end_turn')], settings);
    const message = await chat.send('Hi');
    expect(wordsOf(message)).to.deep.equal(['One, two.']);
    expect(message).to.include({ status: 'complete', finish: 'complete' });
    expect(message.usage).to.deep.equal({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 });
    expect(server.bodies.map((body) => (body as { messages: unknown }).messages)).to.deep.equal([
      [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      [
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'One, ' }] },
      ],
    ]);
  });

  it('that repeats its text: it is shown once, and not asked again', async () => {
    const { chat, server } = makeChat([paused('m1', 'One.')], settings);
    const message = await chat.send('Hi');
    expect(wordsOf(message)).to.deep.equal(['One.']);
    expect(message).to.include({ status: 'complete', finish: 'complete' });
    expect(message.usage).to.deep.equal({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
    expect(server.asked.length).to.equal(2);
  });

  it('that sends other text with the same id: it counts', async () => {
    const { chat } = makeChat([paused('m1', 'One, '), reply('m1', 'two.', 'end_turn')], settings);
    expect(wordsOf(await chat.send('Hi'))).to.deep.equal(['One, two.']);
  });

  it('that pauses again and again: the user decides', async () => {
    const script = Array.from({ length: 4 }, (_none, index) => paused(`m${String(index)}`, `${String(index)} `));
    const { chat, server } = makeChat(script, { ...settings, maxToolRounds: 2 });
    const sent = chat.send('Hi');
    await until(chat, isAsking);
    expect(server.asked.length).to.equal(3);
    await chat.respond(pending(chat).id, 'denied');
    expect(await sent).to.include({ status: 'complete', finish: 'complete' });
    expect(server.asked.length).to.equal(3);
  });

  it('does not mix the user’s next message with its text', async () => {
    const { chat, server } = makeChat(
      [paused('m1', 'One, '), reply('m2', 'two.', 'end_turn'), reply('m3', 'Bye.', 'end_turn')],
      settings,
    );
    await chat.send('Hi');
    await chat.send('And?');
    expect((server.bodies[2] as { messages: unknown }).messages).to.deep.equal([
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'One, ' },
          { type: 'text', text: 'two.' },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'And?' }] },
    ]);
  });
});
