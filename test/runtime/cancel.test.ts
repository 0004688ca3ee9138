import { expect } from '@open-wc/testing';
import type { ChatSettings } from '../../src/runtime/chat-settings.ts';
import type { Guards } from '../../src/runtime/chat/send-guards.ts';
import { makeChat, until, type Made } from './support/make-chat.ts';
import { status, stream, watchedBody, type Answerer } from './support/scripted-server.ts';
import { cancellable, says, wireAgent } from './support/wire-agent.ts';

const begun: Answerer = () => watchedBody([says({ content: 'Well', metadata: { run: 'r7' } })]).response();
const hasBegun = ({ chat }: Made): Promise<void> => until(chat, () => chat.messages.at(-1)?.metadata?.['run'] === 'r7');
const agentMayContinue = ({ chat }: Made): unknown => chat.messages.at(-1)?.metadata?.['agentMayContinue'];

describe('cancelling on the server', () => {
  it('notifies the server once, with the ids from the reply', async () => {
    const made = makeChat([begun, status(200)], { protocol: cancellable });
    const sent = made.chat.send('Hi');
    await hasBegun(made);
    made.chat.stop();
    made.chat.stop();
    expect((await sent).status).to.equal('cancelled');
    await made.server.heard(2);
    expect(made.server.asked.map(({ url, body }) => [url.replace(location.origin, ''), body]).slice(1)).to.deep.equal([
      ['/agent/cancel', { run: 'r7' }],
    ]);
    expect(agentMayContinue(made)).to.equal(undefined);
  });

  it('does not send the page’s own request fields', async () => {
    const made = makeChat([begun, status(200)], { protocol: cancellable, body: { tenant: 1 } });
    const sent = made.chat.send('Hi');
    await hasBegun(made);
    made.chat.stop();
    await Promise.all([sent, made.server.heard(2)]);
    expect(made.server.bodies[1]).to.deep.equal({ run: 'r7' });
  });

  const keyOf = async (change: ChatSettings, changed: () => void = () => undefined, guards?: Guards) => {
    const settings = { protocol: cancellable, endpoint: 'https://a.example/agent', headers: { 'x-key': 'old' } };
    const made = makeChat([begun, status(200)], settings, guards && { guards });
    const sent = made.chat.send('Hi');
    await hasBegun(made);
    made.set(change);
    changed();
    made.chat.stop();
    await Promise.all([sent, made.server.heard(2)]);
    return [made.server.asked[1]?.url, made.server.asked[1]?.headers.get('x-key')];
  };

  it('has the page’s headers as they are now', async () => {
    expect(await keyOf({ headers: { 'x-key': 'new' } })).to.deep.equal(['https://a.example/agent/cancel', 'new']);
    expect(await keyOf({ headers: undefined })).to.deep.equal(['https://a.example/agent/cancel', null]);
  });

  it('has no headers of another endpoint', async () => {
    const other = { endpoint: 'https://b.example/agent', headers: { 'x-key': 'new' } };
    expect(await keyOf(other)).to.deep.equal(['https://a.example/agent/cancel', 'old']);
  });

  it('has no headers of another user', async () => {
    let owner = 'a';
    const guards = { ready: () => undefined, terms: () => undefined, owner: () => owner };
    const signIn = (): void => {
      owner = 'b';
    };
    const key = await keyOf({ headers: { 'x-key': 'new' } }, signIn, guards);
    expect(key).to.deep.equal(['https://a.example/agent/cancel', 'old']);
  });

  for (const [name, ofPage] of Object.entries({
    headers: (owner: () => string): ChatSettings => ({ headers: () => ({ 'x-key': `of ${owner()}` }) }),
    body: (owner: () => string): ChatSettings => ({ body: () => ({ user: owner() }) }),
    transformRequest: (): ChatSettings => ({ transformRequest: (request) => request }),
  })) {
    it(`rule 22: is not sent once another user has signed in if ${name} is a function, which may add that user’s key`, async () => {
      let owner = 'a';
      const guards = { ready: () => undefined, terms: () => undefined, owner: () => owner };
      const made = makeChat([begun, status(200)], { protocol: cancellable, ...ofPage(() => owner) }, { guards });
      const sent = made.chat.send('Hi');
      await hasBegun(made);
      owner = 'b';
      made.chat.stop();
      await sent;
      await until(made.chat, () => agentMayContinue(made) === true);
      expect(made.server.asked).to.have.length(1);
    });
  }

  it('is repeated after a 401 if the page has replaced its headers meanwhile', async () => {
    const made: Made = makeChat(
      [
        begun,
        () => {
          made.set({ headers: { 'x-key': 'new' } });
          return new Response(null, { status: 401 });
        },
        status(200),
      ],
      { protocol: cancellable, headers: { 'x-key': 'old' } },
    );
    const sent = made.chat.send('Hi');
    await hasBegun(made);
    made.chat.stop();
    await Promise.all([sent, made.server.heard(3)]);
    expect(made.server.asked.map(({ headers }) => headers.get('x-key'))).to.deep.equal(['old', 'old', 'new']);
  });

  for (const [name, continueChat] of [
    ['regenerates it', (chat) => chat.regenerate()],
    ['edits its message', (chat) => chat.edit(chat.messages[0]?.id ?? '', 'Hello')],
  ] as const satisfies readonly (readonly [string, (chat: Made['chat']) => Promise<unknown>])[]) {
    it(`reports that also if the user ${name} before the request fails`, async () => {
      const cancelled = Promise.withResolvers<Response>();
      const again = stream(says({ content: 'Again', finish: 'complete' }));
      const made = makeChat([begun, () => cancelled.promise, again], { protocol: cancellable });
      const sent = made.chat.send('Hi');
      await hasBegun(made);
      made.chat.stop();
      const { id } = await sent;
      await made.server.heard(2);
      await continueChat(made.chat);
      cancelled.resolve(new Response(null, { status: 500 }));
      const stopped = (): unknown =>
        made.chat.store.state.thread.hidden.find((message) => message.id === id)?.metadata?.['agentMayContinue'];
      await until(made.chat, () => stopped() === true);
    });
  }

  it('reports that the agent may continue if the server did not receive it', async () => {
    const made = makeChat([begun, status(500)], { protocol: cancellable });
    const sent = made.chat.send('Hi');
    await hasBegun(made);
    made.chat.stop();
    await sent;
    await until(made.chat, () => agentMayContinue(made) === true);
  });

  it('reports the same if the protocol has no cancel request', async () => {
    const made = makeChat([begun], { protocol: wireAgent });
    const sent = made.chat.send('Hi');
    await hasBegun(made);
    made.chat.stop();
    await sent;
    await until(made.chat, () => agentMayContinue(made) === true);
    expect(made.server.asked).to.have.length(1);
  });

  it('reports nothing for a model API, which stops with its connection', async () => {
    const made = makeChat([begun], { protocol: { ...wireAgent, kind: 'model' } });
    const sent = made.chat.send('Hi');
    await hasBegun(made);
    made.chat.stop();
    expect((await sent).metadata).to.deep.equal({ run: 'r7' });
    expect(agentMayContinue(made)).to.equal(undefined);
  });

  it('sends nothing for a reply that has ended', async () => {
    const made = makeChat([stream(says({ content: 'Hi', finish: 'complete' })), status(200)], {
      protocol: cancellable,
    });
    await made.chat.send('Hi');
    made.chat.stop();
    expect(made.server.asked).to.have.length(1);
  });
});
