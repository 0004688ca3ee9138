/** A database that does not answer delays a message once, for the time limit of the storage. */
import { expect, waitUntil } from '@open-wc/testing';
import { mount } from '../support/mount.ts';

describe('a database that does not answer', () => {
  const { open } = IDBFactory.prototype;
  let requests = 0;

  beforeEach(() => {
    requests = 0;
    IDBFactory.prototype.open = (): IDBOpenDBRequest => {
      requests++;
      // A request without events, as of a database that another tab has locked.
      return Object.setPrototypeOf(new EventTarget(), IDBOpenDBRequest.prototype) as IDBOpenDBRequest;
    };
  });

  afterEach(() => {
    IDBFactory.prototype.open = open;
  });

  it('sends messages without it, and reports it once', async () => {
    const { chat, agent } = await mount({ persist: 'local', endpoint: '/agent-that-stores' });
    const messages: string[] = [];
    chat.addEventListener('agent-chat-error', ({ detail }) => messages.push(detail.message));
    const first = chat.send('First');
    await waitUntil(() => agent.requests.length === 1, 'the first is sent', { timeout: 9000 });
    expect(requests, 'the database was asked').to.be.above(0);
    agent.end('One');
    await first;
    const second = chat.send('Second');
    await waitUntil(() => agent.requests.length === 2, 'the second is sent', { timeout: 9000 });
    agent.end('Two');
    await second;
    expect(messages).to.deep.equal(['The storage does not respond.']);
  }).timeout(20_000);
});
