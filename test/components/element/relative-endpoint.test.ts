import { expect, waitUntil } from '@open-wc/testing';
import { mount, wordsOf } from '../support/mount.ts';

describe('an endpoint that is relative to the page', () => {
  const { href } = location;
  afterEach(() => {
    history.replaceState(history.state, '', href);
  });

  for (const persist of ['none', 'session'] as const)
    it(`stays where it was while a router changes the address of the page: persist="${persist}"`, async () => {
      const { chat, agent } = await mount({ endpoint: 'api', persist, storage: { user: `router ${persist}` } });
      for (const [count, text] of ['First', 'Second'].entries()) {
        const sent = chat.send(text);
        await agent.heard(count + 1);
        agent.end(`${text} answer`);
        await sent;
        history.replaceState(history.state, '', `/another/folder/${String(count)}`);
      }
      const address = new URL('api', href).href;
      expect(agent.requests.map(({ url }) => url)).to.deep.equal([address, address]);
      await waitUntil(() => wordsOf(chat).includes('Second answer'));
      expect(wordsOf(chat)).to.contain('First answer');
      expect(chat.endpoint).to.equal('api');
      chat.clear();
    });

  it('is that of the address at which the page sets another one', async () => {
    const { chat, agent } = await mount({ endpoint: 'api', persist: 'none' });
    history.replaceState(history.state, '', '/another/folder/');
    chat.endpoint = 'other';
    const sent = chat.send('Hello');
    await agent.heard(1);
    agent.end('Yes');
    await sent;
    expect(agent.requests[0]?.url).to.equal(new URL('/another/folder/other', href).href);
  });

  for (const persist of ['none', 'session'] as const)
    it(`of one of several agents stays there too: persist="${persist}"`, async () => {
      const agents = () => [
        { id: 'a', name: 'A', endpoint: 'api/a', protocol: 'text' },
        { id: 'b', name: 'B', endpoint: 'api/b', protocol: 'text' },
      ];
      const { chat, agent } = await mount({
        endpoint: undefined,
        agents: agents(),
        persist,
        storage: { user: `router of agents ${persist}` },
      });
      for (const [count, id] of ['a', 'b', 'a'].entries()) {
        chat.agent = id;
        const sent = chat.send(`To ${id}`);
        await agent.heard(count + 1);
        agent.end(`Answer ${String(count)}`);
        await sent;
        history.replaceState(history.state, '', `/another/folder/${String(count)}`);
        // A page that renders again makes the list again.
        chat.agents = agents();
        await chat.updateComplete;
      }
      expect(agent.requests.map(({ url }) => url)).to.deep.equal(
        ['api/a', 'api/b', 'api/a'].map((path) => new URL(path, href).href),
      );
      expect(chat.agents).to.deep.equal(agents());
      await waitUntil(() => wordsOf(chat).includes('Answer 2'));
      expect(wordsOf(chat)).to.contain('Answer 0').and.contain('Answer 1');
      chat.clear();
    });
});
