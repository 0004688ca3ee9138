/** Files that the page sends with `send()`. */
import { expect } from '@open-wc/testing';
import { ChatError } from '../../src/errors.ts';
import type { SendInput } from '../../src/runtime/chat/user-message.ts';
import { lines, makeChat, until } from './support/make-chat.ts';
import { completionOf, status, stream } from './support/scripted-server.ts';

const OPENAI = { protocol: 'openai-chat' } as const;
const answer = stream(completionOf('Yes.'));
const text = new File(['Rome, Oslo'], 'cities.txt', { type: 'text/plain' });

describe('send() with files', () => {
  it('reads a File and a Blob, and sends them with the text in their order', async () => {
    const { chat, server } = makeChat([answer], OPENAI);
    const attachments = [
      text,
      { kind: 'file', data: btoa('b'), mimeType: 'text/plain', name: 'b.txt' },
      new Blob(['c']),
    ];
    const reply = await chat.send({ text: 'Look', attachments } as SendInput);
    expect(reply.status).to.equal('complete');
    const sent = JSON.stringify(server.bodies[0]);
    expect(sent).to.include('Look').and.include('Rome, Oslo');
    expect(chat.messages[0]?.blocks.map(({ type, ...block }) => [type, 'name' in block && block.name])).to.deep.equal([
      ['content', false],
      ['file', 'cities.txt'],
      ['file', 'b.txt'],
      ['file', 'file'],
    ]);
    expect(chat.messages[0]?.blocks[3]).to.have.property('data', btoa('c'));
  });

  it('keeps the order of the calls, and the message is visible while its file is read', async () => {
    const { chat } = makeChat([answer, answer], OPENAI);
    const sent = [chat.send({ text: 'First', attachments: [text] }), chat.send('Second')];
    expect(chat.messages.map((message) => message.status)).to.deep.equal(['sending', 'queued']);
    await Promise.all(sent);
    expect(lines(chat).map((line) => line.slice(0, 20))).to.deep.equal([
      'user complete: First',
      'assistant complete: ',
      'user complete: Secon',
      'assistant complete: ',
    ]);
  });

  it('a stop while it is read sends nothing', async () => {
    const { chat, server } = makeChat([answer], OPENAI);
    const sent = chat.send({ text: 'First', attachments: [text] });
    chat.stop();
    expect((await sent).status).to.equal('cancelled');
    expect([server.asked.length, chat.messages[0]?.status]).to.deep.equal([0, 'failed']);
  });

  it('a file that is too large stays as a failed message, with an error', async () => {
    const { chat, server, told } = makeChat([answer], { ...OPENAI, limits: { attachmentBytes: 3 } });
    expect((await chat.send({ text: 'Look', attachments: [text] })).status).to.equal('failed');
    expect([server.asked.length, told.errors.map(({ kind }) => kind)]).to.deep.equal([0, ['limit']]);
    expect(lines(chat)[0]).to.include('user failed: Look');
    await until(chat, ({ status }) => status === 'idle');
  });

  for (const protocol of ['openai-chat', 'ai-sdk']) {
    it(`a message with a refused file is not sent without it: ${protocol}`, async () => {
      const { chat, server, told } = makeChat([answer], { protocol, limits: { attachmentBytes: 3 } });
      await chat.send({ text: 'Look', attachments: [text] });
      const { id } = await chat.resend(chat.messages[0]?.id ?? '');
      expect(lines(chat)).to.have.length(1);
      expect(chat.messages[0]).to.include({ id, status: 'failed' });
      const reason = await chat.edit(id, 'Look again').catch((error: unknown) => String(error));
      expect(reason).to.include('cities.txt');
      expect([server.asked.length, told.errors.map(({ kind }) => kind)]).to.deep.equal([0, ['limit', 'limit']]);
    });
  }

  it('a failed message with a file that was read is sent again with it', async () => {
    const { chat, server } = makeChat([status(500), answer], OPENAI);
    await chat.send({ text: 'Look', attachments: [text] });
    await chat.resend(chat.messages[0]?.id ?? '');
    expect(JSON.stringify(server.bodies[1])).to.include('Rome, Oslo');
  });

  it('more files than the limit stay as a failed message, with an error', async () => {
    const { chat, server, told } = makeChat([answer], { ...OPENAI, limits: { attachments: 1 } });
    expect((await chat.send({ text: 'Look', attachments: [text, text] })).status).to.equal('failed');
    expect([server.asked.length, told.errors.map(({ kind }) => kind)]).to.deep.equal([0, ['limit']]);
  });

  for (const unknown of [
    null,
    7,
    'a.txt',
    {},
    { kind: 'file' },
    { kind: 'pdf', data: 'AA' },
    { name: 'a', data: 'AA' },
  ])
    it(`throws for an unknown attachment: ${JSON.stringify(unknown)}`, () => {
      const { chat } = makeChat([answer], OPENAI);
      expect(() => chat.send({ text: 'Look', attachments: [unknown] } as unknown as SendInput)).to.throw(
        ChatError,
        'attachments[0]',
      );
      expect(chat.messages).to.deep.equal([]);
    });
});
