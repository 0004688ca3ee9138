import { expect } from '@open-wc/testing';
import { lines, makeChat, until } from './support/make-chat.ts';
import { session, status, stream, watchedBody } from './support/scripted-server.ts';

const endless = (): (() => Response) => watchedBody([session('Half', false)]).response;
const reply = (text: string) => stream(session(text));

describe('messages sent while a reply is running', () => {
  it('wait visibly, and are sent when the reply has ended', async () => {
    const first = Promise.withResolvers<Response>();
    const { chat, server } = makeChat([() => first.promise, reply('Two.'), reply('Three.')]);
    const sent = [chat.send('1'), chat.send('2'), chat.send('3')];
    await server.heard(1);
    expect(lines(chat)).to.deep.equal(['user sending: 1', 'assistant streaming: ', 'user queued: 2', 'user queued: 3']);
    expect(server.asked).to.have.length(1);
    first.resolve(new Response(session('One.')));
    const words = (await Promise.all(sent)).map(({ blocks }) =>
      blocks.map((block) => 'content' in block && block.content),
    );
    expect(words).to.deep.equal([['One.'], ['Two.'], ['Three.']]);
    expect(lines(chat)).to.deep.equal([
      'user complete: 1',
      'assistant complete: One.',
      'user complete: 2',
      'assistant complete: Two.',
      'user complete: 3',
      'assistant complete: Three.',
    ]);
  });

  it('go to the agent that was chosen, also if the page has removed it since', async () => {
    const first = Promise.withResolvers<Response>();
    const [a, b] = ['a', 'b'].map((id) => ({ id, name: id, endpoint: `/${id}`, protocol: 'agent-session' }));
    if (!a || !b) throw new Error('There are two agents.');
    const { chat, server, set } = makeChat([() => first.promise, reply('Two.')], { agents: [a, b], agent: 'a' });
    const sent = [chat.send('1'), chat.send('2')];
    await server.heard(1);
    set({ agents: [b], agent: 'b' });
    first.resolve(new Response(session('One.')));
    expect((await Promise.all(sent)).map(({ agentId }) => agentId)).to.deep.equal(['a', 'a']);
    expect(server.asked.map(({ url }) => new URL(url).pathname)).to.deep.equal(['/a', '/a']);
  });

  it('can be withdrawn', async () => {
    const { chat, server } = makeChat([endless(), reply('Two.')]);
    void chat.send('1');
    const waiting = chat.send('2');
    const { id } = chat.messages.at(-1) ?? {};
    expect(chat.unqueue(id ?? '')?.blocks).to.have.length(1);
    expect((await waiting).status).to.equal('failed');
    expect(chat.unqueue(id ?? '')).to.equal(undefined);
    chat.stop();
    await until(chat, () => chat.status === 'idle');
    expect(server.asked.length).to.be.lessThan(2);
  });

  it('can be sent first, or immediately: the running reply is stopped', async () => {
    const { chat } = makeChat([endless(), reply('Three.'), reply('Two.')]);
    void chat.send('1');
    const second = chat.send('2');
    const third = chat.send('3');
    await until(chat, () => chat.status === 'streaming');
    chat.sendNow(chat.messages.at(-1)?.id ?? '');
    await Promise.all([second, third]);
    expect(lines(chat)).to.deep.equal([
      'user complete: 1',
      'assistant cancelled: Half',
      'user complete: 3',
      'assistant complete: Three.',
      'user complete: 2',
      'assistant complete: Two.',
    ]);
  });

  it('are sent after a stop', async () => {
    const { chat } = makeChat([endless(), reply('Two.')]);
    void chat.send('1');
    const second = chat.send('2');
    await until(chat, () => chat.status === 'streaming');
    chat.stop();
    expect((await second).status).to.equal('complete');
    expect(lines(chat)[1]).to.equal('assistant cancelled: Half');
  });

  it('are sent after a stop before the lazy modules were loaded', async () => {
    const { chat } = makeChat([reply('Two.')]);
    const first = chat.send('1');
    const second = chat.send('2');
    chat.stop();
    expect([(await first).status, (await second).status]).to.deep.equal(['cancelled', 'complete']);
  });

  it('wait after a failure, until a reply succeeds', async () => {
    const { chat, server } = makeChat([status(500), reply('One.'), reply('Two.')]);
    const first = chat.send('1');
    const second = chat.send('2');
    await first;
    expect(lines(chat)).to.deep.equal(['user failed: 1', 'assistant error: error: server', 'user queued: 2']);
    expect(server.asked).to.have.length(1);
    await chat.regenerate();
    expect((await second).status).to.equal('complete');
    expect(server.asked).to.have.length(3);
  });

  it('after a failure, the next message joins the queue, and all are sent in order', async () => {
    const { chat, server } = makeChat([status(500), reply('One.'), reply('Two.')]);
    const sent = [chat.send('1'), chat.send('2')];
    await sent[0];
    sent.push(chat.send('3'));
    expect((await Promise.all(sent)).map((message) => message.status)).to.deep.equal(['error', 'complete', 'complete']);
    expect(
      server.bodies.map((body) => (body as { messages: { content: string }[] }).messages.at(-1)?.content),
    ).to.deep.equal(['1', '2', '3']);
    expect(lines(chat).slice(2)).to.deep.equal([
      'user complete: 2',
      'assistant complete: One.',
      'user complete: 3',
      'assistant complete: Two.',
    ]);
  });

  it('after a failure can still be withdrawn', async () => {
    const { chat } = makeChat([status(500)]);
    const sent = [chat.send('1'), chat.send('2')];
    await sent[0];
    chat.unqueue(chat.messages.at(-1)?.id ?? '');
    expect((await sent[1])?.status).to.equal('failed');
  });

  it('fail with a reply that ended without the user, and can be sent again', async () => {
    const { chat, server } = makeChat([endless(), reply('Two.')]);
    const sent = [chat.send('1'), chat.send('2')];
    await until(chat, () => chat.status === 'streaming');
    chat.interrupt();
    expect((await Promise.all(sent)).map((message) => message.status)).to.deep.equal(['interrupted', 'failed']);
    expect(lines(chat)).to.deep.equal(['user complete: 1', 'assistant interrupted: Half', 'user failed: 2']);
    expect(server.asked).to.have.length(1);
  });

  it('regenerating a reply comes before the queue', async () => {
    const { chat } = makeChat([endless(), reply('One.'), reply('Two.')]);
    void chat.send('1');
    const second = chat.send('2');
    await until(chat, () => chat.status === 'streaming');
    await chat.regenerate();
    await second;
    expect(lines(chat)).to.deep.equal([
      'user complete: 1',
      'assistant complete: One.',
      'user complete: 2',
      'assistant complete: Two.',
    ]);
  });
});
