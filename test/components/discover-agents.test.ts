import { expect, fixture, html } from '@open-wc/testing';
import { define, type AgentChat } from '../../src/define.ts';

define();

const manifest = {
  agents: [
    { id: 'help', name: 'Help', endpoint: '/help' },
    { id: 'buy', name: 'Buy', endpoint: '/buy' },
  ],
};

async function withAnswer(answer: Response): Promise<{ chat: AgentChat; asked: (readonly unknown[])[] }> {
  const chat = await fixture<AgentChat>(html`<agent-chat endpoint="/agent"></agent-chat>`);
  const asked: (readonly unknown[])[] = [];
  chat.headers = { 'x-key': 'k' };
  chat.fetch = (input, init) => {
    asked.push([input, init?.method, new Headers(init?.headers).get('x-key')]);
    return Promise.resolve(answer.clone());
  };
  return { chat, asked };
}

describe('discoverAgents()', () => {
  it('fills the picker from a manifest, once', async () => {
    const { chat, asked } = await withAnswer(new Response(JSON.stringify(manifest)));
    const found = await chat.discoverAgents('/agents.json');
    await chat.discoverAgents('/agents.json');
    await chat.updateComplete;
    expect(found.map(({ id }) => id)).to.deep.equal(['help', 'buy']);
    expect(asked[0]).to.deep.equal([`${location.origin}/agents.json`, 'GET', 'k']);
    const options = [...chat.renderRoot.querySelectorAll('.picker option')].map(({ textContent }) => textContent);
    expect(options).to.deep.equal(['Help', 'Buy']);
  });

  it('sends to the agent that is chosen', async () => {
    const { chat, asked } = await withAnswer(new Response(JSON.stringify(manifest)));
    await chat.discoverAgents('/agents.json');
    chat.agent = 'buy';
    await chat.send('Hi');
    expect(asked.at(-1)?.[0]).to.equal(`${location.origin}/buy`);
  });

  for (const [name, answer] of [
    ['a bad status', new Response('No', { status: 403 })],
    ['another document', new Response('{"hello":1}')],
    ['a web page', new Response('<!doctype html>')],
  ] as const) {
    it(`says what is wrong, and keeps the list: ${name}`, async () => {
      const { chat } = await withAnswer(answer);
      const refused = await chat.discoverAgents('/agents.json').catch((error: unknown) => String(error));
      expect(refused).to.match(/ChatError/);
      expect(chat.agents).to.equal(undefined);
    });
  }
});
