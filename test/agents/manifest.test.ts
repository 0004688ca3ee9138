import { expect } from '@open-wc/testing';
import { parseAgentManifest } from '../../src/agents/manifest.ts';

const url = 'https://a.example/agents.json';

describe('a manifest of agents', () => {
  it('is a list, its addresses relative to its own', () => {
    const list = [
      { id: 'help', name: 'Help', description: 'Helps.', endpoint: '/help', protocol: 'ag-ui', avatar: 'help.png' },
      { id: 'buy', url: 'https://b.example/buy' },
    ];
    const agents = [
      {
        id: 'help',
        name: 'Help',
        description: 'Helps.',
        address: new URL('https://a.example/help'),
        protocol: 'ag-ui',
        avatar: 'https://a.example/help.png',
      },
      { id: 'buy', name: 'buy', address: new URL('https://b.example/buy') },
    ];
    expect(parseAgentManifest(list, url)).to.deep.equal(agents);
    expect(parseAgentManifest({ agents: list }, url)).to.deep.equal(agents);
  });

  it('rule 95: is read up to a number of entries', () => {
    const ids = Array.from({ length: 1200 }, (_, index) => `a${String(index)}`);
    const agents = ids.map((id) => ({ id, endpoint: '/agent' }));
    for (const [document, address] of [
      [agents, url],
      [{ agents }, url],
      [ids, 'https://a.example/list-apps'],
      [{ apps: ids.map((name) => ({ name })) }, 'https://a.example/list-apps'],
    ] as const)
      expect(parseAgentManifest(document, address).map(({ id }) => id)).to.deep.equal(ids.slice(0, 1000));
  });

  it('leaves out what is no agent', () => {
    expect(
      parseAgentManifest([{ id: 'a' }, null, 'x', { endpoint: '/x' }, { id: 'b', endpoint: 'http://[' }], url),
    ).to.deep.equal([]);
  });

  it('is the apps of an ADK server', () => {
    const apps = 'https://a.example/adk/list-apps';
    const shop = { id: 'shop', name: 'shop', address: new URL('https://a.example/adk/apps/shop'), protocol: 'adk' };
    expect(parseAgentManifest(['shop'], apps)).to.deep.equal([shop]);
    expect(
      parseAgentManifest({ apps: [{ name: 'shop', description: 'Sells.' }] }, `${apps}?detailed=true`),
    ).to.deep.equal([{ ...shop, description: 'Sells.' }]);
  });

  for (const name of ['..', '.', '%2e%2e', 'a/../b', '..\\x', ''])
    it(`has no app whose name leads to another address: ${JSON.stringify(name)}`, () => {
      const apps = parseAgentManifest([name, 'shop'], 'https://a.example/adk/list-apps');
      expect(apps.map(({ address }) => address.href)).to.deep.equal(['https://a.example/adk/apps/shop']);
    });

  it('is an agent’s card, of either version', () => {
    const card = 'https://a.example/.well-known/agent-card.json';
    const agent = { id: 'Trips', name: 'Trips', address: new URL(card), protocol: 'a2a' };
    expect(parseAgentManifest({ name: 'Trips', url: 'https://a.example/a2a', skills: [] }, card)).to.deep.equal([
      agent,
    ]);
    expect(
      parseAgentManifest(
        { name: 'Trips', supportedInterfaces: [{ url: '/a2a' }], description: 'Plans.', iconUrl: null },
        card,
      ),
    ).to.deep.equal([{ ...agent, description: 'Plans.' }]);
  });

  for (const other of [{}, { name: 'x' }, 'x', undefined, 7]) {
    it(`is not ${JSON.stringify({ other })}`, () => {
      expect(() => parseAgentManifest(other, url)).to.throw("neither a list of agents nor an agent's card");
    });
  }
});
