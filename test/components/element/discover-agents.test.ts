import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { define, type AgentChat } from '../../../src/define.ts';
import type { AgentChatBlockedEvent } from '../../../src/components/shared/events.ts';
import { agents } from '../../../src/index.ts';
import { agentOf, say } from '../../agents/support/agent.ts';
import { session } from '../../runtime/support/scripted-server.ts';
import { chunksOf } from '../../support/cuts.ts';
import { PIXEL } from '../../support/pixel.ts';
import { next } from '../support/mount.ts';

define();

const ELSEWHERE = 'https://elsewhere.example';

const manifest = {
  agents: [
    { id: 'help', name: 'Help', endpoint: '/help' },
    { id: 'buy', name: 'Buy', endpoint: '/buy' },
  ],
};
const foreign = { id: 'far', name: 'Far', endpoint: `${ELSEWHERE}/chat` };

interface Asked {
  readonly url: string;
  readonly method: string | undefined;
  readonly key: string | null;
  readonly body: BodyInit | null | undefined;
  readonly credentials: RequestCredentials | undefined;
}

interface Made {
  readonly chat: AgentChat;
  readonly asked: Asked[];
  readonly blocked: AgentChatBlockedEvent['detail'][];
}

const json = (value: unknown): Response => new Response(JSON.stringify(value));
const reply = (): Response => new Response(session('Hi'), { headers: { 'content-type': 'text/event-stream' } });

/** A widget whose server answers a GET with a document, and a message with text. */
async function withAnswer(answer: Response, settings: Partial<AgentChat> = { endpoint: '/agent' }): Promise<Made> {
  const chat = await fixture<AgentChat>(html`<agent-chat lang="en"></agent-chat>`);
  const asked: Asked[] = [];
  const blocked: AgentChatBlockedEvent['detail'][] = [];
  chat.addEventListener('agent-chat-blocked', ({ detail }) => blocked.push(detail));
  chat.fetch = (input, { method, headers, body, credentials } = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    asked.push({ url, method, key: new Headers(headers).get('x-key'), body, credentials });
    return Promise.resolve(method === 'GET' ? answer.clone() : reply());
  };
  Object.assign(chat, { headers: { 'x-key': 'k' }, protocol: 'agent-session', retry: 'off', ...settings });
  await chat.updateComplete;
  return { chat, asked, blocked };
}

const options = (chat: AgentChat): readonly string[] =>
  [...chat.renderRoot.querySelectorAll('.picker option')].map(({ textContent }) => textContent);

/** Requests by POST, with the key that they carry. */
const sent = ({ asked }: Made): readonly unknown[] =>
  asked.filter(({ method }) => method !== 'GET').map(({ url, key }) => [url.replace(location.origin, ''), key]);

describe('discoverAgents()', () => {
  it('rule 51: leaves out agents without an id, and those whose id another one has', async () => {
    const list = [
      { id: '', name: 'Nobody', endpoint: '/nobody' },
      { id: 'help', name: 'Help', endpoint: '/help' },
      { id: 'help', name: 'Other', endpoint: '/other' },
    ];
    const { chat } = await withAnswer(json({ agents: list }));
    expect((await chat.discoverAgents('/agents.json')).map(({ name }) => name)).to.deep.equal(['Help']);
  });

  it('waits without a limit if the page sets none', async () => {
    const { chat } = await withAnswer(json(manifest), { endpoint: '/agent', limits: { idle: Infinity } });
    expect((await chat.discoverAgents('/agents.json')).map(({ name }) => name)).to.deep.equal(['Help', 'Buy']);
  });

  it('rule 95: cuts a long name and description, and leaves out an agent with a long id', async () => {
    const list = [
      { id: 'help', name: 'n'.repeat(5000), description: 'd'.repeat(5000), endpoint: '/help' },
      { id: 'i'.repeat(5000), endpoint: '/other' },
    ];
    const { chat } = await withAnswer(json({ agents: list }));
    const found = await chat.discoverAgents('/agents.json');
    expect(found.map(({ name, description }) => [name.length, description?.length])).to.deep.equal([[200, 2000]]);
  });

  it('rule 22: gives no agent the headers of an endpoint on another server that the page sets later', async () => {
    const made = await withAnswer(json(manifest));
    const { chat } = made;
    await chat.discoverAgents('/agents.json');
    chat.agent = 'help';
    await chat.send('One');
    Object.assign(chat, { endpoint: `${ELSEWHERE}/chat`, headers: { 'x-key': 'other' } });
    await chat.send('Two');
    expect(sent(made)).to.deep.equal([
      ['/help', 'k'],
      [`${ELSEWHERE}/chat`, 'other'],
    ]);
    await chat.updateComplete;
    expect(options(chat)).to.not.include('Help');
    // On its own server it is an agent of the page again.
    Object.assign(chat, { endpoint: '/agent', headers: { 'x-key': 'k' } });
    await chat.updateComplete;
    expect(options(chat)).to.include('Help');
  });

  it('rule 97: refuses the address of another server as an id, by which messages would pass for that endpoint’s', async () => {
    const own = { id: `${location.origin}/help`, name: 'Own', endpoint: '/help' };
    const other = { id: 'https://agent.example/v1/responses', name: 'Other', endpoint: '/buy' };
    const { chat, blocked } = await withAnswer(json({ agents: [own, other] }));
    expect((await chat.discoverAgents('/agents.json')).map(({ id }) => id)).to.deep.equal([own.id]);
    expect(blocked.map(({ sink, reason }) => [sink, reason])).to.deep.equal([['agent', 'foreign-server']]);
  });

  it('fills the picker from a manifest, once, after the agent of the endpoint', async () => {
    const { chat, asked } = await withAnswer(json(manifest));
    const found = await chat.discoverAgents('/agents.json');
    await chat.discoverAgents('/agents.json');
    await chat.updateComplete;
    expect(found.map(({ id }) => id)).to.deep.equal(['help', 'buy']);
    expect(asked[0]).to.include({ url: `${location.origin}/agents.json`, method: 'GET', key: 'k' });
    expect(options(chat)).to.deep.equal(['Assistant', 'Help', 'Buy']);
  });

  it('rule 43: marks agents with names of the user or the widget', async () => {
    const { chat } = await withAnswer(
      json({ agents: ['You', 'S\u200bystem', 'Υοu', 'Help'].map((name) => ({ id: name, name, endpoint: '/help' })) }),
    );
    const found = await chat.discoverAgents('/agents.json');
    await chat.updateComplete;
    const names = ['You (agent)', 'System (agent)', 'Υοu (agent)', 'Help'];
    expect(found.map(({ name }) => name)).to.deep.equal(names);
    expect(options(chat)).to.deep.equal(['Assistant', ...names]);
  });

  it('keeps the page’s endpoint until the user chooses another agent', async () => {
    const made = await withAnswer(json(manifest));
    const { chat } = made;
    await chat.discoverAgents('/agents.json');
    const first = await chat.send('One');
    expect(first.agentId).to.equal(undefined);
    const picker = chat.renderRoot.querySelector<HTMLSelectElement>('.picker')!;
    expect(picker.value).to.equal('');
    for (const value of ['buy', '']) {
      picker.value = value;
      picker.dispatchEvent(new Event('change'));
      await chat.updateComplete;
      expect((await chat.send('Next')).agentId).to.equal(value || undefined);
    }
    expect(sent(made)).to.deep.equal([
      ['/agent', 'k'],
      ['/buy', 'k'],
      ['/agent', 'k'],
    ]);
  });

  it('uses the first agent where the page has no endpoint, or the one that the page names', async () => {
    const alone = await withAnswer(json(manifest), { endpoint: undefined });
    await alone.chat.discoverAgents('/agents.json');
    await alone.chat.send('Hi');
    expect(sent(alone)).to.deep.equal([['/help', 'k']]);
    const named = await withAnswer(json(manifest), { endpoint: '/agent', agent: 'buy' });
    await named.chat.discoverAgents('/agents.json');
    await named.chat.send('Hi');
    expect(sent(named)).to.deep.equal([['/buy', 'k']]);
  });

  it('leaves out an agent on a server that the page has not named, and reports it', async () => {
    const made = await withAnswer(json({ agents: [foreign, ...manifest.agents] }));
    const { chat, blocked } = made;
    const found = await chat.discoverAgents('/agents.json');
    expect(found.map(({ id }) => id)).to.deep.equal(['help', 'buy']);
    expect(blocked).to.deep.equal([{ sink: 'agent', url: foreign.endpoint, reason: 'foreign-server' }]);
    chat.agent = 'far';
    await chat.send('Hi');
    expect(sent(made)).to.deep.equal([['/agent', 'k']]);
  });

  it('rejects a list of only such agents, and says what to do', async () => {
    const made = await withAnswer(json([foreign]));
    const refused = await made.chat.discoverAgents('/agents.json').catch((error: unknown) => String(error));
    expect(refused)
      .to.match(/ChatError/)
      .and.to.include(foreign.endpoint)
      .and.to.include('"agents"');
    expect(made.chat.agents).to.equal(undefined);
    expect(made.blocked).to.have.length(1);
    await made.chat.send('Hi');
    expect(sent(made)).to.deep.equal([['/agent', 'k']]);
  });

  for (const address of [
    'http://localhost.elsewhere.example/chat',
    '//elsewhere.example/chat',
    `${location.protocol}//${location.hostname}:1/chat`,
    `https://${location.host}@elsewhere.example/chat`,
    'ws://elsewhere.example/chat',
    'data:text/plain,chat',
    'blob:null/1',
    'javascript:0',
  ]) {
    it(`rejects ${address}`, async () => {
      const { chat } = await withAnswer(json({ agents: [{ id: 'x', endpoint: address }, ...manifest.agents] }));
      expect((await chat.discoverAgents('/agents.json')).map(({ id }) => id)).to.deep.equal(['help', 'buy']);
    });
  }

  it('accepts an agent on a server that the page lists', async () => {
    const listed = { id: 'own', name: 'Own', endpoint: `${ELSEWHERE}/own` };
    const made = await withAnswer(json([foreign]), { agents: [listed] });
    expect((await made.chat.discoverAgents('/agents.json')).map(({ id }) => id)).to.deep.equal(['far']);
    await made.chat.send('Hi');
    expect(sent(made)).to.deep.equal([[listed.endpoint, 'k']]);
  });

  it('does not trust a second manifest for the agents of the first one', async () => {
    const made = await withAnswer(json([{ id: 'far', endpoint: 'https://other.example/x' }, ...manifest.agents]));
    const { chat } = made;
    chat.agents = [{ id: 'old', name: 'Old', endpoint: 'https://other.example/old', discovered: true }];
    expect((await chat.discoverAgents('/agents.json')).map(({ id }) => id)).to.deep.equal(['help', 'buy']);
  });

  it('shows an icon only from a host that may load, and no SVG', async () => {
    const png = `data:image/png;base64,${PIXEL}`;
    const icons = [`${ELSEWHERE}/i.png`, '/i.png', png, 'data:image/svg+xml,<svg/>', 'blob:null/1', 'http://['];
    const agents = icons.map((icon, index) => ({
      id: String(index),
      name: `Bob ${String(index)}`,
      endpoint: '/x',
      icon,
    }));
    const { chat, blocked } = await withAnswer(json({ agents }));
    await chat.discoverAgents('/agents.json');
    expect(blocked).to.deep.equal([
      { sink: 'image', url: `${ELSEWHERE}/i.png`, reason: 'host' },
      { sink: 'image', url: `${location.origin}/i.png`, reason: 'host' },
      { sink: 'image', reason: 'type' },
      { sink: 'image', reason: 'scheme' },
    ]);
    const shown = async (hosts: string): Promise<readonly (string | null)[]> => {
      chat.imageHosts = hosts;
      const sources: (string | null)[] = [];
      for (const { id } of agents) {
        chat.agent = id;
        await chat.updateComplete;
        sources.push(chat.renderRoot.querySelector('.header .avatar img')?.getAttribute('src') ?? null);
      }
      return sources;
    };
    expect(await shown('')).to.deep.equal([null, null, png, null, null, null]);
    expect(await shown('self')).to.deep.equal([null, `${location.origin}/i.png`, png, null, null, null]);
  });

  it('loads the icon of an agent that the page lists', async () => {
    const { chat } = await withAnswer(json([]), {
      agents: ['a', 'b'].map((id) => ({ id, name: id, endpoint: `/${id}`, avatar: `data:image/png;base64,${PIXEL}` })),
    });
    await waitUntil(() => chat.renderRoot.querySelector('.header .avatar img') !== null);
  });

  for (const [name, answer] of [
    ['a bad status', new Response('No', { status: 403 })],
    ['another document', new Response('{"hello":1}')],
    ['a web page', new Response('<!doctype html>')],
  ] as const) {
    it(`rejects with an error, and keeps the list: ${name}`, async () => {
      const { chat } = await withAnswer(answer);
      const refused = await chat.discoverAgents('/agents.json').catch((error: unknown) => String(error));
      expect(refused).to.match(/ChatError/);
      expect(chat.agents).to.equal(undefined);
    });
  }

  it('leaves an A2A card to its adapter, which rejects another server', async () => {
    const card = { name: 'Trips', url: `${ELSEWHERE}/a2a`, preferredTransport: 'JSONRPC', iconUrl: 'icon.png' };
    const made = await withAnswer(json(card), { endpoint: undefined });
    const failed = next(made.chat, 'agent-chat-error');
    await made.chat.discoverAgents('/.well-known/agent-card.json');
    await made.chat.send('Hi');
    expect((await failed).detail.message).to.include('another origin');
    expect(new Set(made.asked.map(({ url }) => new URL(url).origin))).to.deep.equal(new Set([location.origin]));
  });
});

describe('the registered agents', () => {
  const agent = agentOf('registered', { answer: () => chunksOf([say('Hello.')]) });
  const other = agentOf('other', { answer: () => chunksOf([say('Hi.')]) });
  afterEach(async () => {
    for (const { id } of agents.list()) await agents.unregisterAgent(id);
  });

  it('answer where the page has set neither an endpoint nor agents, also if they are registered later', async () => {
    const chat = await fixture<AgentChat>(html`<agent-chat lang="en"></agent-chat>`);
    await agents.registerAgent(agent);
    await agents.registerAgent(other);
    await chat.updateComplete;
    expect(options(chat)).to.deep.equal(['The registered', 'The other']);
    chat.agent = 'other';
    expect(await chat.send('Hi')).to.include({ name: 'The other', status: 'complete' });
    await agents.unregisterAgent('other');
    await chat.updateComplete;
    expect(options(chat)).to.deep.equal([]);
    expect(await chat.send('Hi')).to.include({ name: 'The registered' });
  });

  it('are on offer after the element was inserted again', async () => {
    const chat = await fixture<AgentChat>(html`<agent-chat lang="en"></agent-chat>`);
    const parent = chat.parentElement!;
    chat.remove();
    await agents.registerAgent(agent);
    await agents.registerAgent(other);
    parent.append(chat);
    await chat.updateComplete;
    expect(options(chat)).to.deep.equal(['The registered', 'The other']);
  });

  it('stay away from a page with an endpoint or agents of its own', async () => {
    await agents.registerAgent(agent);
    const made = await withAnswer(json({}));
    await made.chat.send('Hi');
    expect(sent(made)).to.deep.equal([['/agent', 'k']]);
    const own = await withAnswer(json({}), { agents: [other] });
    expect(await own.chat.send('Hi')).to.include({ name: 'The other' });
  });

  it('discoverAgents() adds to them what the registry discovers', async () => {
    await agents.registerAgent(agent);
    const chat = await fixture<AgentChat>(html`<agent-chat lang="en"></agent-chat>`);
    expect(await chat.discoverAgents()).to.deep.equal([]);
    await agents.registerAgent(other);
    await chat.updateComplete;
    expect(options(chat)).to.deep.equal(['The registered', 'The other']);
  });
});
