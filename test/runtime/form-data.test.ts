import { expect } from '@open-wc/testing';
import type { MessageInput } from '../../src/conversation/normalize-message.ts';
import type { Adapter, Turn } from '../../src/protocols/core/adapter.ts';
import { ProtocolRegistry, protocols } from '../../src/protocols/registry.ts';
import { makeChat } from './support/make-chat.ts';
import { stream } from './support/scripted-server.ts';
import { END, says, wireAgent } from './support/wire-agent.ts';

const BANK = { id: 'bank', name: 'Bank', endpoint: 'https://bank.example/agent', protocol: wireAgent.id };
const TRAVEL = { id: 'travel', name: 'Travel', endpoint: 'https://travel.example/agent', protocol: wireAgent.id };

/** What the button of a form sends: its text says nothing of it. */
const DATA = {
  name: 'login',
  surfaceId: 's',
  sourceComponentId: 'go',
  context: { user: 'ann', password: 'hunter2-PW' },
  dataModel: { form: { user: 'ann', password: 'hunter2-PW' } },
  secrets: ['password'],
};
const ENTERED = /hunter2-PW|"ann"/;

/** An agent that records its requests. */
function watched(): { readonly adapter: Adapter; readonly turns: Turn[] } {
  const turns: Turn[] = [];
  return {
    turns,
    adapter: {
      ...wireAgent,
      request(turn, options) {
        turns.push(turn);
        return wireAgent.request(turn, options);
      },
    },
  };
}

const done = stream(says({ content: 'Welcome' }, END));
const sentData = (turn: Turn | undefined): readonly unknown[] =>
  (turn?.messages ?? []).flatMap(({ role, metadata }) => (role === 'user' ? [metadata?.['data']] : []));
const sentText = (turn: Turn | undefined): string => JSON.stringify(turn?.messages);

describe('rule 22: the data that a form of an agent sends', () => {
  for (const { name, settings, leave } of [
    {
      name: 'the user chooses another agent',
      settings: { endpoint: undefined, agents: [BANK, TRAVEL], agent: 'bank' },
      leave: { agent: 'travel' },
    },
    {
      name: 'the page sets another endpoint',
      settings: { endpoint: BANK.endpoint },
      leave: { endpoint: TRAVEL.endpoint },
    },
  ] as const) {
    for (const how of ['a button of the agent', 'the page'] as const) {
      it(`is not sent on once ${name}: sent by ${how}`, async () => {
        const { adapter, turns } = watched();
        const registry = new ProtocolRegistry();
        registry.register(adapter);
        const { chat, set } = makeChat([done], { protocol: adapter.id, ...settings }, { protocols: registry });
        const pressed = how === 'the page' ? undefined : await chat.send('Hi');
        await chat.send({ text: 'Sign in', data: DATA }, { sameAgentAs: pressed });
        expect(sentText(turns.at(-1))).to.match(ENTERED);
        set(leave);
        await chat.send('And a flight');
        expect(sentText(turns.at(-1))).not.to.match(ENTERED);
        expect(sentText(turns.at(-1))).to.contain('Sign in');
      });
    }
  }

  it('is not sent to another endpoint with a new reply to its message', async () => {
    const { adapter, turns } = watched();
    const { chat, set } = makeChat([done], { protocol: adapter, endpoint: BANK.endpoint });
    // As restored: nobody knows the address of the agent that has shown the form.
    chat.messages = [
      { role: 'user', text: 'Hi' },
      { id: 'form', role: 'assistant', text: 'Please sign in', status: 'complete' },
    ];
    await chat.send({ text: 'Sign in', data: DATA }, { sameAgentAs: chat.messages.at(-1) });
    expect(sentText(turns.at(-1))).to.match(ENTERED);
    await chat.regenerate();
    expect(sentText(turns.at(-1))).to.match(ENTERED);
    set({ endpoint: TRAVEL.endpoint });
    await chat.regenerate();
    expect(sentText(turns.at(-1))).not.to.match(ENTERED);
  });

  it('is not sent on if the reply to it was deleted', async () => {
    const { adapter, turns } = watched();
    const { chat, set } = makeChat([done], { protocol: adapter, endpoint: BANK.endpoint });
    const reply = await chat.send({ text: 'Sign in', data: DATA });
    chat.removeMessage(reply.id);
    set({ endpoint: TRAVEL.endpoint });
    await chat.send('And a flight');
    expect(sentText(turns.at(-1))).not.to.match(ENTERED);
  });

  it('stays in the history of its own agent, without the passwords', async () => {
    const { adapter, turns } = watched();
    const { chat } = makeChat([done], { protocol: adapter });
    const pressed = await chat.send('Hi');
    await chat.send({ text: 'Sign in', data: DATA }, { sameAgentAs: pressed });
    await chat.send({ text: 'More', data: { page: '/cart' } });
    await chat.send('Last');
    const { dataModel: _, secrets: __, ...rest } = DATA;
    const open = { ...rest, context: { user: 'ann' } };
    expect(turns.map(sentData)).to.deep.equal([
      [undefined],
      [undefined, DATA],
      [undefined, open, { page: '/cart' }],
      [undefined, open, { page: '/cart' }, undefined],
    ]);
  });

  it('is complete in each request of its own turn', async () => {
    const { adapter, turns } = watched();
    const call = says(
      { tool_call: 'start', tool_call_id: 'a', tool_call_name: 'map', tool_call_params: '{}' },
      { finish: 'tool_use' },
    );
    const map = { name: 'map', description: 'Moves.', parameters: {}, execute: () => 'moved' };
    const { chat } = makeChat([stream(call), done], { protocol: adapter, tools: [map] });
    await chat.send({ text: 'Sign in', data: DATA });
    expect(turns.map(sentData)).to.deep.equal([[DATA], [DATA]]);
  });
});

/** The addresses of protocols that read them. */
const PATHS: Readonly<Record<string, string>> = {
  agno: '/agents/a/runs',
  'cloudflare-agents': '/agents/chat/room',
  coze: '/v3/chat',
  dify: '/v1/chat-messages',
  eve: '/eve/v1/session',
  flowise: '/api/v1/prediction/f1',
  gemini: '/v1beta/models/g:streamGenerateContent',
  langgraph: '/threads/t1/runs/stream',
  mastra: '/api/agents/a/stream',
};

describe('rule 22: the data that a form of another agent has sent', () => {
  const history: readonly MessageInput[] = [
    { role: 'user', text: 'Signed in', agentId: 'bank', metadata: { data: DATA, messageId: 'BANK-ID' } },
    { role: 'user', text: 'Where I am', metadata: { data: DATA } },
    { role: 'assistant', text: 'Welcome', agentId: 'bank', status: 'complete', metadata: { sessionId: 'BANK-ID' } },
  ];
  for (const { id } of protocols.list()) {
    // Its requests are messages of a WebSocket: `test/runtime/cloudflare-turn.test.ts`.
    if (id === 'cloudflare-agents') continue;
    it(`is not sent: ${id}`, async () => {
      const path = PATHS[id] ?? '/agent';
      const agents = [BANK, TRAVEL].map((agent) => ({
        ...agent,
        endpoint: new URL(path, agent.endpoint).href,
        protocol: id,
      }));
      const sent: string[] = [];
      const { chat } = makeChat(
        [
          async ({ url, init }) => {
            sent.push(url, await new Response(init.body ?? null).text());
            return /(?:sessions?|threads)$/.test(url)
              ? Response.json({ thread_id: 't1', id: 's1', sessionId: 's1' })
              : new Response('data: [DONE]\n\n', { headers: { 'content-type': 'text/event-stream' } });
          },
        ],
        { endpoint: undefined, protocol: undefined, agents, agent: 'travel', model: 'm', body: { appName: 'app' } },
      );
      chat.messages = history;
      await chat.send('And a flight');
      expect(sent.join('\n')).to.contain('And a flight');
      expect(sent.join('\n')).not.to.match(ENTERED);
      expect(sent.join('\n')).not.to.contain('BANK-ID');
    });
  }
});
