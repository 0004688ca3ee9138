import { expect } from '@open-wc/testing';
import { makeChat, until, type Made } from './support/make-chat.ts';
import { status, stream, watchedBody, type Answerer } from './support/scripted-server.ts';
import { cancellable, says, wireAgent } from './support/wire-agent.ts';

const begun: Answerer = () => watchedBody([says({ content: 'Well', metadata: { run: 'r7' } })]).response();
const hasBegun = ({ chat }: Made): Promise<void> => until(chat, () => chat.messages.at(-1)?.metadata?.['run'] === 'r7');
const mayGoOn = ({ chat }: Made): unknown => chat.messages.at(-1)?.metadata?.['mayGoOn'];

describe('stopping for real', () => {
  it('tells the server once, with the ids that the reply has told', async () => {
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
    expect(mayGoOn(made)).to.equal(undefined);
  });

  it('leaves the page’s own fields to the turn', async () => {
    const made = makeChat([begun, status(200)], { protocol: cancellable, body: { tenant: 1 } });
    const sent = made.chat.send('Hi');
    await hasBegun(made);
    made.chat.stop();
    await Promise.all([sent, made.server.heard(2)]);
    expect(made.server.bodies[1]).to.deep.equal({ run: 'r7' });
  });

  it('says that the agent may go on where the server did not hear it', async () => {
    const made = makeChat([begun, status(500)], { protocol: cancellable });
    const sent = made.chat.send('Hi');
    await hasBegun(made);
    made.chat.stop();
    await sent;
    await until(made.chat, () => mayGoOn(made) === true);
  });

  it('says so where the protocol can’t be told', async () => {
    const made = makeChat([begun], { protocol: wireAgent });
    const sent = made.chat.send('Hi');
    await hasBegun(made);
    made.chat.stop();
    await sent;
    await until(made.chat, () => mayGoOn(made) === true);
    expect(made.server.asked).to.have.length(1);
  });

  it('says nothing of a model, which stops with its connection', async () => {
    const made = makeChat([begun], { protocol: { ...wireAgent, kind: 'model' } });
    const sent = made.chat.send('Hi');
    await hasBegun(made);
    made.chat.stop();
    expect((await sent).metadata).to.deep.equal({ run: 'r7' });
    expect(mayGoOn(made)).to.equal(undefined);
  });

  it('tells nobody of a reply that has ended', async () => {
    const made = makeChat([stream(says({ content: 'Hi', finish: 'complete' })), status(200)], {
      protocol: cancellable,
    });
    await made.chat.send('Hi');
    made.chat.stop();
    expect(made.server.asked).to.have.length(1);
  });
});
