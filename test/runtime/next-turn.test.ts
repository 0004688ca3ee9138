/** The request after a turn that completed, failed, was refused or was stopped. */
import { expect } from '@open-wc/testing';
import * as a2a from '../protocols/a2a/streams.ts';
import * as langgraph from '../protocols/langgraph/streams.ts';
import type { Adapter } from '../../src/protocols/core/adapter.ts';
import { ProtocolRegistry } from '../../src/protocols/registry.ts';
import type { Chat } from '../../src/runtime/chat/chat.ts';
import { openGuards, type Guards } from '../../src/runtime/chat/send-guards.ts';
import { sse } from '../support/play-body.ts';
import { lines, makeChat, until, wordsOf } from './support/make-chat.ts';
import { completionOf, session, silent, status, stream, unreachable, watchedBody } from './support/scripted-server.ts';
import { END, replaying, says, wireAgent } from './support/wire-agent.ts';
import { moveUnsent } from '../../src/storage/threads/move-unsent.ts';

interface SentMessage {
  readonly role: string;
  readonly content: string;
  readonly parts?: unknown;
}
const messagesOf = (body: unknown): readonly string[] =>
  (body as { messages: readonly SentMessage[] }).messages.map(({ role, content }) => `${role}: ${content}`);

describe('after a failed turn', () => {
  for (const protocol of ['auto', 'json', 'agent-session', 'agent-phase', 'openai-chat', 'ollama', 'cohere']) {
    it(`${protocol}: neither its empty reply nor a message that was not sent is in the next request`, async () => {
      const { chat, server } = makeChat([stream(sse({ error: { message: 'Boom' } })), unreachable, stream('')], {
        protocol,
      });
      await chat.send('First');
      await chat.send('Second');
      expect(chat.messages.filter(({ role }) => role === 'user').map((message) => message.status)).to.deep.equal([
        'complete',
        'failed',
      ]);
      await chat.send('Third');
      expect(messagesOf(server.bodies.at(-1))).to.deep.equal(['user: First', 'user: Third']);
    });
  }

  it('a message that the server refused stays visible, and is sent only when the user retries', async () => {
    const { chat, server } = makeChat([status(400, '{"error":"Unsupported file"}'), stream(completionOf('Hello.'))], {
      protocol: 'openai-chat',
    });
    await chat.send({ text: 'Look', attachments: [{ kind: 'file', data: 'AAEC', mimeType: 'x/y', name: 'a.bin' }] });
    await chat.send('Hi');
    expect(messagesOf(server.bodies[1])).to.deep.equal(['user: Hi']);
  });

  it('a message that is sent again is in the request', async () => {
    const { chat, server } = makeChat([unreachable, stream(completionOf('Hello.'))], { protocol: 'openai-chat' });
    await chat.send('Hi');
    await chat.regenerate();
    expect(messagesOf(server.bodies[1])).to.deep.equal(['user: Hi']);
    expect(lines(chat)).to.deep.equal(['user complete: Hi', 'assistant complete: Hello.']);
  });
});

describe('the first request with auto', () => {
  it('has the text of a message where TanStack AI reads it', async () => {
    const { chat, server } = makeChat([stream(session('Hello.'))], { protocol: 'auto' });
    await chat.send('Hi');
    const { messages } = server.bodies[0] as { messages: readonly SentMessage[] };
    expect(messages.map(({ parts }) => parts)).to.deep.equal([[{ type: 'text', text: 'Hi', content: 'Hi' }]]);
  });
});

describe('a route of the page that streams a LangChain graph', () => {
  const reply = langgraph.events(langgraph.piece('a', 'Hello.'));

  it('is asked at the same address in the same form again', async () => {
    const { chat, server } = makeChat([stream(reply)], { protocol: 'auto', endpoint: '/api/graph' });
    await chat.send('Hi');
    await chat.send('And?');
    await chat.send('More');
    expect(chat.store.state.protocol).to.equal('langgraph');
    expect(server.asked.map(({ url }) => new URL(url).pathname)).to.deep.equal([
      '/api/graph',
      '/api/graph',
      '/api/graph',
    ]);
    expect(messagesOf(server.bodies[2])).to.deep.equal([
      'user: Hi',
      'assistant: Hello.',
      'user: And?',
      'assistant: Hello.',
      'user: More',
    ]);
    expect(lines(chat).at(-1)).to.equal('assistant complete: Hello.');
  });

  it('is not detected if the server names its run', async () => {
    const run = langgraph.run(langgraph.piece('a', 'Hello.'));
    const thread = (): Response => new Response('{"thread_id":"t1"}');
    const { chat, server } = makeChat([stream(run), thread, stream(run)], { protocol: 'auto', endpoint: '/graph' });
    await chat.send('Hi');
    await chat.send('And?');
    expect(server.asked.map(({ url }) => new URL(url).pathname)).to.deep.equal([
      '/graph',
      '/graph/threads',
      '/graph/threads/t1/runs/stream',
    ]);
  });
});

describe('a CopilotKit run that is stopped', () => {
  const begun = sse(
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'One' },
  );

  for (const { endpoint, stops } of [
    { endpoint: '/api/copilotkit/agent/default/run', stops: ['/api/copilotkit/agent/default/stop/'] },
    { endpoint: '/api/ag-ui', stops: [] },
  ]) {
    it(`${endpoint}: ${stops.length > 0 ? 'the server gets a stop request' : 'it has no stop address'}`, async () => {
      const { chat, server } = makeChat([watchedBody([begun]).response, () => new Response('{"stopped":true}')], {
        protocol: 'ag-ui',
        endpoint,
      });
      const sent = chat.send('Hi');
      await until(chat, () => lines(chat).at(-1)?.includes('One') === true);
      chat.stop();
      await sent;
      if (stops.length > 0) await server.heard(2);
      const asked = server.asked.slice(1).map(({ url }) => new URL(url).pathname);
      expect(asked).to.deep.equal(stops.map((path) => path + chat.threadId));
    });
  }
});

describe('a CopilotKit run whose connection breaks', () => {
  const earlier = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r0' },
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm0', delta: 'Earlier.' },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r0' },
  ];
  const begun = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'One ' },
  ];
  const rest = [
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'two.' },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ];
  const breaks = (): Response => watchedBody([sse(...begun)], 'drop').response();

  for (const { endpoint, asks } of [
    {
      endpoint: '/api/copilotkit/agent/a/run',
      asks: ['/api/copilotkit/agent/a/run', '/api/copilotkit/agent/a/connect'],
    },
    {
      endpoint: '/api/copilotkit',
      asks: ['/api/copilotkit/info', '/api/copilotkit/agent/a/run', '/api/copilotkit/agent/a/connect'],
    },
  ]) {
    it(`${endpoint}: its thread is replayed, and only this run is shown`, async () => {
      const info = (): Response => Response.json({ agents: { a: {} } });
      const script = [breaks, stream(sse(...earlier, ...begun, ...rest))];
      const { chat, server, told } = makeChat(endpoint.endsWith('run') ? script : [info, ...script], {
        protocol: 'ag-ui',
        endpoint,
      });
      const answer = await chat.send('Hi');
      expect(wordsOf(answer)).to.deep.equal(['One two.']);
      expect([answer.status, told.errors]).to.deep.equal(['complete', []]);
      expect(server.asked.map(({ url }) => new URL(url).pathname)).to.deep.equal(asks);
    });
  }
});

describe('an A2A agent with the other protocol version', () => {
  const unknown = stream(sse({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }));
  const methods = (bodies: readonly unknown[]): readonly unknown[] =>
    bodies.map((body) => (body as { method: string }).method);

  it('is asked again automatically, with the same message', async () => {
    const answer = stream(sse(a2a.status('COMPLETED', a2a.agentMessage('s', 'Hello.'))));
    const { chat, server, told } = makeChat([unknown, answer], { protocol: 'a2a' });
    await chat.send('Hi');
    expect(methods(server.bodies)).to.deep.equal(['message/stream', 'SendStreamingMessage']);
    expect(JSON.stringify(server.bodies[1])).to.contain('"parts":[{"text":"Hi"}]');
    expect(lines(chat)).to.deep.equal(['user complete: Hi', 'assistant complete: Hello.']);
    expect(told.errors).to.deep.equal([]);
    await chat.send('And?');
    expect(methods(server.bodies.slice(2))).to.deep.equal(['SendStreamingMessage']);
  });

  it('is not asked a third time', async () => {
    const { chat, server } = makeChat([unknown], { protocol: 'a2a' });
    await chat.send('Hi');
    expect(methods(server.bodies)).to.deep.equal(['message/stream', 'SendStreamingMessage']);
    expect(lines(chat).at(-1)).to.contain('assistant error: error: Method not found');
  });
});

describe('the second request with auto, to a server without a protocol', () => {
  const rows = [
    ['plain text', 'text/plain', 'Hello there.'],
    ['one JSON document', 'application/json', '{"answer":"Hello there."}'],
  ] as const;
  for (const [name, type, body] of rows) {
    it(`${name}: has the fields that the server accepted`, async () => {
      const { chat, server } = makeChat([() => new Response(body, { headers: { 'content-type': type } })], {
        protocol: 'auto',
      });
      await chat.send('First');
      await chat.send('Second');
      type Body = Readonly<Record<string, unknown>>;
      const [first, second] = server.bodies as readonly [Body, Body];
      expect(Object.keys(second)).to.deep.equal(Object.keys(first));
      expect(second['message']).to.equal('Second');
      expect(messagesOf(second)).to.deep.equal(['user: First', 'assistant: Hello there.', 'user: Second']);
    });
  }
});

describe('a request that never ends', () => {
  it('leaves a message that was not sent', async () => {
    const { chat } = makeChat([silent], { protocol: 'openai-chat' });
    const sent = chat.send('Hi');
    chat.stop();
    await sent;
    expect(chat.messages[0]?.status).to.equal('failed');
  });
});

describe('rule 97: the ids of an agent’s server', () => {
  const conversation = (id: string): string =>
    sse(
      { event: 'message', conversation_id: id, message_id: `${id}.1`, task_id: 't', answer: 'Hi' },
      { event: 'message_end', conversation_id: id, message_id: `${id}.1`, task_id: 't' },
    );
  const agentsOf = (protocol: string) =>
    ['a', 'b'].map((id) => ({ id, name: id, endpoint: `https://${id}.example/v1/chat-messages`, protocol }));
  const idsIn = (bodies: readonly unknown[]): readonly unknown[] =>
    bodies.map((body) => (body as { readonly conversation_id: unknown }).conversation_id);

  it('are sent to this agent only, also after another one has replied', async () => {
    const script = ['of a', 'of b', 'of a', 'of b'].map((id) => stream(conversation(id)));
    const { chat, server, set } = makeChat(script, { agents: agentsOf('dify'), agent: 'a' });
    for (const agent of ['a', 'b', 'a', 'b']) {
      set({ agent });
      await chat.send('Hello');
    }
    expect(idsIn(server.bodies)).to.deep.equal(['', '', 'of a', 'of b']);
  });

  it('are not sent to another endpoint that the page sets', async () => {
    const { chat, server, set } = makeChat([stream(conversation('of a'))], {
      endpoint: 'https://a.example/v1/chat-messages',
      protocol: 'dify',
    });
    await chat.send('Hello');
    set({ endpoint: 'https://b.example/v1/chat-messages' });
    await chat.send('Hello');
    set({ endpoint: 'https://a.example/v1/chat-messages' });
    await chat.send('Hello');
    expect(idsIn(server.bodies)).to.deep.equal(['', '', 'of a']);
  });

  it('are not sent to the endpoint for an agent of the list in a stored conversation, nor the reverse', async () => {
    const agents = agentsOf('dify')
      .slice(1)
      .map((agent) => ({ ...agent, discovered: true as const }));
    const { chat, server, set } = makeChat([stream(conversation('new'))], {
      endpoint: 'https://a.example/v1/chat-messages',
      protocol: 'dify',
      agents,
    });
    const stored = (agentId: string | undefined) => [
      { id: 'u', role: 'user' as const, text: 'Hello' },
      {
        id: 'r',
        role: 'assistant' as const,
        text: 'Hi',
        metadata: { conversationId: 'stored' },
        ...(agentId !== undefined && { agentId }),
      },
    ];
    for (const author of [undefined, 'b'])
      for (const agent of [undefined, 'b']) {
        chat.messages = stored(author);
        set({ agent });
        await chat.send('And?');
      }
    expect(idsIn(server.bodies)).to.deep.equal(['stored', '', '', 'stored']);
  });

  it('do not continue a task of A2A that waits for the user, when another agent is chosen', async () => {
    const waiting = a2a.stream(
      a2a.task('input-required', {
        artifacts: [{ artifactId: 'form', parts: [{ data: { beginRendering: { surfaceId: 's', root: 'root' } } }] }],
      }),
    );
    const agents = ['a', 'b'].map((id) => ({ id, name: id, endpoint: `https://x.example/${id}`, protocol: 'a2a' }));
    const { chat, server, set } = makeChat([stream(waiting)], { agents, agent: 'a' });
    await chat.send('Book a table');
    set({ agent: 'b' });
    void chat.send('Something else');
    await server.heard(2);
    expect(JSON.stringify(server.bodies[1])).not.to.match(/taskId|contextId/);
    chat.stop();
  });

  it('do not resume the reply of another endpoint', async () => {
    const adapter: Adapter = {
      ...wireAgent,
      resume: ({ messages }, { url }) => {
        const run = messages.at(-1)?.metadata?.['run'];
        return typeof run === 'string'
          ? { request: { url: `${url}/${run}`, init: { method: 'GET' } }, from: 'start' }
          : undefined;
      },
    };
    const reply = stream(says({ content: 'Hi', metadata: { run: 'r' } }, END));
    const { chat, server, set } = makeChat([reply], { endpoint: 'https://a.example/runs', protocol: adapter });
    const { id } = await chat.send('Hello');
    for (const host of ['b', 'a']) {
      chat.updateMessage(id, { status: 'interrupted' });
      set({ endpoint: `https://${host}.example/runs` });
      await chat.resume().catch(() => undefined);
    }
    expect(server.asked.map(({ url }) => url)).to.deep.equal(['https://a.example/runs', 'https://a.example/runs/r']);
  });

  for (const agent of [undefined, 'b'])
    it(`do not resume the reply of an agent that the page${agent ? ', which names it,' : ''} does not list yet`, async () => {
      const adapter: Adapter = {
        ...wireAgent,
        resume: (_turn, { url }) => ({ request: { url: `${url}/rest`, init: { method: 'GET' } }, from: 'start' }),
      };
      const protocols = new ProtocolRegistry();
      protocols.register(adapter);
      const rest = stream(says({ content: 'Hi again' }, END));
      const settings = { endpoint: 'https://c.example', protocol: 'wire', agent };
      const { chat, server, set } = makeChat([rest], settings, { protocols });
      chat.messages = [
        { id: 'u', role: 'user', text: 'Hello' },
        { id: 'r', role: 'assistant', text: 'Hi', agentId: 'b', status: 'interrupted', metadata: { run: 'r' } },
      ];
      await chat.resume({ quietly: true });
      expect([lines(chat).at(-1), server.asked]).to.deep.equal(['assistant interrupted: Hi', []]);
      set({ agents: agentsOf('wire') });
      await chat.resume();
      expect(server.asked.map(({ url }) => url)).to.deep.equal(['https://b.example/v1/chat-messages/rest']);
      expect(lines(chat).at(-1)).to.equal('assistant complete: Hi again');
    });

  it('are not in the reply that another agent generates again', async () => {
    const adapter: Adapter = {
      ...wireAgent,
      request: ({ messages, fork }, { url }) => ({
        url,
        init: { body: { of: messages.map(({ metadata }) => metadata?.['session']), fork: fork?.reply?.metadata } },
      }),
    };
    const protocols = new ProtocolRegistry();
    protocols.register(adapter);
    const reply = stream(says({ content: 'Hi', metadata: { session: 's' } }, END));
    const { chat, server, set } = makeChat([reply], { agents: agentsOf('wire'), agent: 'a' }, { protocols });
    await chat.send('Hello');
    set({ agent: 'b' });
    await chat.regenerate();
    expect(server.bodies[1]).to.deep.equal({ of: [null, null], fork: {} });
    set({ agent: 'a' });
    await chat.send('And?');
    expect(server.bodies[2]).to.deep.equal({ of: [null, null, null, null] });
    await chat.send('Then?');
    expect(server.bodies[3]).to.deep.equal({ of: [null, null, null, 's', null, null] });
  });
});

describe('rule 90: a message that is sent while the code for it loads', () => {
  const agents = ['a', 'b'].map((id) => ({ id, name: id, endpoint: `https://${id}.example`, protocol: 'wire' }));
  const rows = [
    { name: 'another agent is chosen', before: { agents, agent: 'a' }, after: { agent: 'b' } },
    {
      name: 'the page sets another endpoint',
      before: { endpoint: 'https://a.example', protocol: 'wire' },
      after: { endpoint: 'https://b.example' },
    },
  ];
  for (const { name, before, after } of rows)
    it(`goes to the agent that it was sent to if ${name}`, async () => {
      const protocols = new ProtocolRegistry();
      protocols.register(wireAgent);
      const { chat, server, set } = makeChat([stream(says({ content: 'Hi' }, END))], before, { protocols });
      const sent = chat.send('Hello');
      set(after);
      const reply = await sent;
      expect(server.asked.map(({ url }) => new URL(url).host)).to.deep.equal(['a.example']);
      expect(reply.agentId).to.equal(before.agent);
      await chat.send('And?');
      expect(server.asked.map(({ url }) => new URL(url).host)).to.deep.equal(['a.example', 'b.example']);
    });
});

describe('rule 90: a message in the queue', () => {
  const agents = ['a', 'b'].map((id) => ({ id, name: id, endpoint: `https://${id}.example`, protocol: 'wire' }));
  const discovered = agents.map((agent) => ({ ...agent, discovered: true as const }));
  const hosts = ({ asked }: { readonly asked: readonly { readonly url: string }[] }): readonly string[] =>
    asked.map(({ url }) => new URL(url).host);
  const rows = [
    {
      name: 'another agent is chosen before the reply ends',
      before: { agents, agent: 'a' },
      after: { agent: 'b' },
      to: ['a.example', 'a.example', 'b.example'],
    },
    {
      name: 'the first agent was chosen by default, and the user chooses another one',
      before: { agents },
      after: { agent: 'b' },
      to: ['a.example', 'a.example', 'b.example'],
    },
    {
      name: 'it was the page’s endpoint, and the user chooses a discovered agent',
      before: { endpoint: 'https://page.example', protocol: 'wire', agents: discovered },
      after: { agent: 'b' },
      to: ['page.example', 'page.example', 'b.example'],
    },
    {
      name: 'the page sets another endpoint',
      before: { endpoint: 'https://a.example', protocol: 'wire', headers: { authorization: 'a.example' } },
      after: { endpoint: 'https://b.example', headers: { authorization: 'b.example' } },
      to: ['a.example', 'a.example', 'b.example'],
    },
  ];
  for (const { name, before, after, to } of rows)
    it(`goes to the agent that it was sent to if ${name}`, async () => {
      const protocols = new ProtocolRegistry();
      protocols.register(wireAgent);
      const { chat, server, set } = makeChat([stream(says({ content: 'Hi' }, END))], before, { protocols });
      const sent = [chat.send('Hello'), chat.send('And?')];
      set(after);
      await Promise.all(sent);
      await chat.send('Then?');
      expect(hosts(server)).to.deep.equal(to);
      const keys = server.asked.map(({ headers }) => headers.get('authorization'));
      expect(keys).to.deep.equal('headers' in before ? to : keys.map(() => null));
    });
});

describe('rule 90: what waits for consent', () => {
  const agents = ['a', 'b'].map((id) => ({ id, name: id, endpoint: `https://${id}.example`, protocol: 'wire' }));
  const settings = [
    { name: 'another agent is chosen', before: { agents, agent: 'a' }, after: { agent: 'b' } },
    {
      name: 'the page sets another endpoint',
      before: { endpoint: 'https://a.example', protocol: 'wire', headers: { authorization: 'a.example' } },
      after: { endpoint: 'https://b.example', headers: { authorization: 'b.example' } },
    },
  ];
  const actions: Readonly<Record<string, (chat: Chat) => Promise<unknown>>> = {
    'an edited message': (chat) => chat.edit('u', 'Hello again'),
    'a regenerated reply': (chat) => chat.regenerate(),
    'a resumed reply of which nothing has arrived': (chat) => chat.resume(),
    'a failed message that is sent again': (chat) => chat.resend('u'),
  };
  for (const { name, before, after } of settings)
    for (const [what, act] of Object.entries(actions))
      it(`${what} goes to the agent that was chosen then if ${name}`, async () => {
        const protocols = new ProtocolRegistry();
        protocols.register(replaying);
        const consent = Promise.withResolvers<boolean>();
        const guards: Guards = { ...openGuards, terms: () => () => consent.promise };
        const { chat, server, set } = makeChat([stream(says({ content: 'Hi' }, END))], before, { protocols, guards });
        chat.messages = [{ id: 'u', role: 'user', text: 'Hello' }];
        const acted = act(chat);
        set(after);
        consent.resolve(true);
        await acted;
        await chat.send('And?');
        const to = ['a.example', 'b.example'];
        expect(server.asked.map(({ url }) => new URL(url).host)).to.deep.equal(to);
        const keys = server.asked.map(({ headers }) => headers.get('authorization'));
        expect(keys).to.deep.equal('headers' in before ? to : [null, null]);
      });

  const waiting: Readonly<Record<string, (chat: Chat) => Promise<unknown>>> = {
    'a message': (chat) => chat.send('Hello'),
    'an edited message': (chat) => chat.edit('u', 'Hello again'),
  };
  for (const [what, act] of Object.entries(waiting))
    it(`${what} goes to the endpoint that a listener sets for it, also if the page has set another one`, async () => {
      const protocols = new ProtocolRegistry();
      protocols.register(wireAgent);
      const consent = Promise.withResolvers<boolean>();
      const guards: Guards = { ...openGuards, terms: () => () => consent.promise };
      const beforeSend = (): void => {
        made.set({ endpoint: 'https://listener.example' });
      };
      const before = { endpoint: 'https://a.example', protocol: 'wire' };
      const made = makeChat([stream(says({ content: 'Hi' }, END))], before, {
        protocols,
        guards,
        beforeSend,
      });
      made.chat.messages = [{ id: 'u', role: 'user', text: 'Hello' }];
      const acted = act(made.chat);
      made.set({ endpoint: 'https://b.example' });
      consent.resolve(true);
      await acted;
      expect(made.server.asked.map(({ url }) => new URL(url).host)).to.deep.equal(['listener.example']);
    });

  it('a message goes to the agent that was chosen then, also if its conversation was deleted in another tab', async () => {
    const protocols = new ProtocolRegistry();
    protocols.register(wireAgent);
    const consent = Promise.withResolvers<boolean>();
    const guards: Guards = { ...openGuards, terms: () => () => consent.promise };
    const first = makeChat([], { agents, agent: 'a' }, { protocols, guards });
    const sent = first.chat.send('Hello');
    const second = makeChat([stream(says({ content: 'Hi' }, END))], { agents, agent: 'b' }, { protocols, guards });
    moveUnsent(first.chat, second.chat);
    consent.resolve(true);
    await sent;
    expect(second.server.asked.map(({ url }) => new URL(url).host)).to.deep.equal(['a.example']);
  });
});
