import { expect } from '@open-wc/testing';
import { startTurn } from '../../src/runtime/chat/run-turn.ts';
import type { ChatSettings } from '../../src/runtime/chat-settings.ts';
import { changesOf, lines, makeChat, until } from './support/make-chat.ts';
import { fakeNetwork } from './support/network.ts';
import { session, stream, unreachable, type Answerer } from './support/scripted-server.ts';
import { resumable } from './support/wire-agent.ts';

/** Source: `docs/security.md`, rule 17: offline when a message is sent. */
describe('sending without a network', () => {
  let network: ReturnType<typeof fakeNetwork>;
  beforeEach(() => {
    network = fakeNetwork();
  });
  afterEach(() => {
    network.restore();
  });

  const isWaiting = (chat: { readonly status: string }): boolean => chat.status === 'reconnecting';
  const hello = stream(session('Hello.'));

  for (const retry of ['auto', 'safe', 'off'] as const) {
    it(`the message waits, and is sent once, with retry="${retry}"`, async () => {
      const { chat, server, told } = makeChat([unreachable, hello], { retry });
      network.goOffline();
      const statuses = changesOf(chat, () => chat.messages[0]?.status);
      const sent = chat.send('Hi');
      await until(chat, isWaiting);
      expect(lines(chat)).to.deep.equal(['user queued: Hi', 'assistant streaming: ']);
      expect([chat.store.state.wait?.until, chat.store.state.wait?.error.reason]).to.deep.equal([undefined, 'offline']);
      network.goOnline();
      network.goOnline();
      await sent;
      expect(lines(chat)).to.deep.equal(['user complete: Hi', 'assistant complete: Hello.']);
      // The attempt that failed, and the one that was sent.
      expect([server.asked.length, told.errors]).to.deep.equal([2, []]);
      expect(statuses).to.deep.equal([undefined, 'sending', 'queued', 'sending', 'complete']);
    });
  }

  it('it may be sent immediately, and waits again if that fails', async () => {
    const { chat, server } = makeChat([unreachable, unreachable, hello], { retry: 'off' });
    network.goOffline();
    const sent = chat.send('Hi');
    await until(chat, isWaiting);
    const { wait } = chat.store.state;
    wait?.now();
    await until(chat, ({ store }) => isWaiting(chat) && store.state.wait !== wait);
    expect(server.asked).to.have.length(2);
    network.goOnline();
    await sent;
    expect(lines(chat).at(-1)).to.equal('assistant complete: Hello.');
  });

  it('if stopped while it waits, it is never sent', async () => {
    const { chat, server } = makeChat([unreachable, hello]);
    network.goOffline();
    const sent = chat.send('Hi');
    await until(chat, isWaiting);
    chat.stop();
    expect((await sent).status).to.equal('cancelled');
    network.goOnline();
    expect([lines(chat)[0], server.asked.length, chat.status]).to.deep.equal(['user failed: Hi', 1, 'idle']);
  });

  it('later messages wait in the queue, and are sent after it', async () => {
    const { chat, server } = makeChat([unreachable, hello]);
    network.goOffline();
    void chat.send('One');
    const second = chat.send('Two');
    await until(chat, isWaiting);
    network.goOnline();
    await second;
    expect(lines(chat).map((line) => line.split(' ').slice(0, 3).join(' '))).to.deep.equal([
      'user complete: One',
      'assistant complete: Hello.',
      'user complete: Two',
      'assistant complete: Hello.',
    ]);
    expect(server.asked).to.have.length(3);
  });

  it('a connection that is lost during the request is a failure: the message may have arrived', async () => {
    const falls: Answerer = () => {
      network.goOffline();
      return new TypeError('Failed to fetch');
    };
    const { chat, server } = makeChat([falls, hello]);
    await chat.send('Hi');
    expect(lines(chat)).to.deep.equal(['user failed: Hi', 'assistant error: error: offline']);
    expect(server.asked).to.have.length(1);
  });

  it('a wrong navigator.onLine is ignored', async () => {
    const { chat } = makeChat([hello]);
    network.goOffline();
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal('assistant complete: Hello.');
  });

  it('headers that can’t be fetched are fetched when there is a network', async () => {
    const headers: ChatSettings['headers'] = () =>
      navigator.onLine
        ? Promise.resolve({ authorization: 'Bearer t' })
        : Promise.reject(new TypeError('Failed to fetch'));
    const { chat, server } = makeChat([hello], { headers });
    network.goOffline();
    const sent = chat.send('Hi');
    await until(chat, isWaiting);
    network.goOnline();
    await sent;
    expect(server.asked.map((asked) => asked.headers.get('authorization'))).to.deep.equal(['Bearer t']);
  });

  it('a lazy module that can’t be fetched is fetched when there is a network', async () => {
    const prepareTurn = () =>
      navigator.onLine ? Promise.resolve(startTurn) : Promise.reject(new TypeError('Failed to fetch module'));
    const { chat, server, told } = makeChat([hello], {}, { prepareTurn });
    network.goOffline();
    const statuses = changesOf(chat, () => chat.messages[0]?.status);
    const sent = chat.send('Hi');
    await until(chat, isWaiting);
    expect(lines(chat)).to.deep.equal(['user queued: Hi']);
    network.goOnline();
    await sent;
    expect(lines(chat).at(-1)).to.equal('assistant complete: Hello.');
    expect([server.asked.length, told.errors]).to.deep.equal([1, []]);
    expect(statuses).to.deep.equal([undefined, 'sending', 'queued', 'sending', 'complete']);
  });

  it('a message whose lazy module is fetched again no longer waits for the network', async () => {
    let attempts = 0;
    const prepareTurn = () =>
      attempts++ === 0 ? Promise.reject(new TypeError('Failed to fetch module')) : new Promise<never>(() => undefined);
    const { chat } = makeChat([hello], {}, { prepareTurn });
    network.goOffline();
    const sent = chat.send('Hi');
    await until(chat, isWaiting);
    network.goOnline();
    await until(chat, () => !isWaiting(chat));
    expect(lines(chat)[0]).to.equal('user sending: Hi');
    chat.stop();
    await sent;
  });

  it('a message whose lazy module is waiting for a network is `failed` after a stop', async () => {
    const prepareTurn = () => Promise.reject(new TypeError('Failed to fetch module'));
    const { chat } = makeChat([hello], {}, { prepareTurn });
    network.goOffline();
    const sent = chat.send('Hi');
    await until(chat, isWaiting);
    chat.stop();
    expect((await sent).status).to.equal('cancelled');
    expect(lines(chat)[0]).to.equal('user failed: Hi');
  });

  it('a restored reply that is resumed leaves its message unchanged while a lazy module can’t be fetched', async () => {
    const prepareTurn = () => Promise.reject(new TypeError('Failed to fetch module'));
    const { chat } = makeChat([hello], { protocol: resumable }, { prepareTurn });
    chat.messages = [
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: 'one tw', status: 'interrupted', metadata: { run: 'r1' } },
    ];
    network.goOffline();
    const resumed = chat.resume();
    await until(chat, isWaiting);
    expect(lines(chat)[0]).to.equal('user complete: Hi');
    chat.stop();
    await resumed;
  });
});
