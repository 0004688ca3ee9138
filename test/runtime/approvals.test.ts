import { expect } from '@open-wc/testing';
import type { LLMAgentEventData } from '../../src/model/events/agent-events.ts';
import { appendArguments, canonicalArguments } from '../../src/model/canonical-arguments.ts';
import { approvalId, approvalScopeOf, Approvals, type Approval } from '../../src/runtime/approvals.ts';
import { sse } from '../support/play-body.ts';
import { isAsking, makeChat, pending, until } from './support/make-chat.ts';
import { stream, type Answerer } from './support/scripted-server.ts';

const events = (...data: readonly Omit<LLMAgentEventData, 'eventId'>[]): Answerer =>
  stream(
    sse(...data.map((fields) => ({ type: 'response', data: { eventId: 'e', ...fields } })), {
      type: 'end',
      data: { eventId: 'e', userStop: false },
    }),
  );
type Access = 'read' | 'write' | 'all' | 'command';
const asks = (
  id: string,
  params: string,
  tool = 'write_file',
  server = 'files',
  permissionType: Access = 'write',
): Omit<LLMAgentEventData, 'eventId'> => ({
  tool_call: 'permission-required',
  tool_call_id: id,
  tool_call_name: tool,
  tool_call_params: params,
  permission_request: {
    toolName: tool,
    serverName: server,
    permissionType,
    description: 'It calls itself trusted.',
  },
});
const done = events({ content: 'Done.' });

describe('the answer to a permission request', () => {
  it('applies to the arguments that were shown: other arguments are a new request, which it does not answer', async () => {
    const { chat } = makeChat([events(asks('t', '{"path":"a"}'), asks('t', '{"path":"/etc"}')), done], {
      protocol: 'deepchat-events',
    });
    void chat.send('Go');
    await until(chat, isAsking);
    const [first, second] = chat.messages.at(-1)?.blocks ?? [];
    expect([first?.status, second?.status]).to.deep.equal(['cancel', 'pending']);
    void chat.respond(first?.id ?? '', 'granted');
    expect(chat.status).to.equal('awaiting-action');
    chat.stop();
  });

  it('applies to the same arguments in another JSON spelling', async () => {
    const { chat } = makeChat([events(asks('t', '{"a":1,"b":[2]}'), asks('t', '{ "b": [2], "a": 1 }')), done], {
      protocol: 'deepchat-events',
    });
    void chat.send('Go');
    await until(chat, isAsking);
    expect(chat.messages.at(-1)?.blocks.map(({ status }) => status)).to.deep.equal(['pending']);
    chat.stop();
  });

  it('counts once', async () => {
    const { chat, server } = makeChat([events(asks('t', '{}')), done], { protocol: 'deepchat-events' });
    const sent = chat.send('Go');
    await until(chat, isAsking);
    const { id } = pending(chat);
    void chat.respond(id, 'denied');
    void chat.respond(id, 'granted');
    await sent;
    expect(
      (server.bodies[1] as { permissions: { decision: string }[] }).permissions.map(({ decision }) => decision),
    ).to.deep.equal(['denied']);
  });
});

describe('an answer with "Always"', () => {
  it('applies to that tool of that server with any arguments, until it is revoked', async () => {
    const { chat, server } = makeChat(
      [
        events(asks('1', '{"a":1}')),
        done,
        events(asks('2', '{"a":2}')),
        done,
        events(asks('3', '{}', 'delete_file')),
        done,
        events(asks('4', '{}')),
        done,
      ],
      { protocol: 'deepchat-events' },
    );
    const first = chat.send('Go');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await first;
    expect(chat.approvals.list.map(({ tool, server: of }) => [tool, of])).to.deep.equal([['write_file', 'files']]);

    await chat.send('Again');
    expect(server.bodies).to.have.length(4);

    const other = chat.send('Delete');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'denied', { remember: 'always' });
    await other;

    const [kept] = chat.approvals.list;
    expect(chat.approvals.revoke(kept ? approvalId(kept) : '')).to.equal(true);
    void chat.send('Again');
    await until(chat, isAsking);
    expect(chat.approvals.list).to.deep.equal([]);
    chat.stop();
  });

  it('is not permanent if `redact` fails, because the answer is not given', async () => {
    const { chat } = makeChat([events(asks('1', '{}'))], {
      protocol: 'deepchat-events',
      redact: (text) => {
        if (text === 'secret') throw new Error('Broken');
        return text;
      },
    });
    void chat.send('Go');
    await until(chat, isAsking);
    const refused = await chat
      .respond(pending(chat).id, 'granted', { remember: 'always', note: 'secret' })
      .catch((error: unknown) => String(error));
    expect(refused).to.contain('Broken');
    expect([pending(chat).status, chat.approvals.list.length]).to.deep.equal(['pending', 0]);
    chat.stop();
  });

  it('applies to the other open requests about that tool, and to no other tool', async () => {
    const { chat, server } = makeChat(
      [events(asks('1', '{"a":1}'), asks('2', '{"a":2}'), asks('3', '{"a":3}'), asks('4', '{}', 'delete_file')), done],
      { protocol: 'deepchat-events' },
    );
    const sent = chat.send('Go');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    expect(pending(chat).tool_call?.name).to.equal('delete_file');
    void chat.respond(pending(chat).id, 'denied');
    await sent;
    expect(
      (server.bodies[1] as { permissions: { decision: string }[] }).permissions.map(({ decision }) => decision),
    ).to.deep.equal(['granted', 'granted', 'granted', 'denied']);
    expect(chat.approvals.list).to.have.length(1);
  });

  it('applies to the other open requests also if nothing else is open', async () => {
    const { chat, server } = makeChat([events(asks('1', '{"a":1}'), asks('2', '{"a":2}')), done], {
      protocol: 'deepchat-events',
    });
    const sent = chat.send('Go');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    expect((await sent).status).to.equal('complete');
    expect(server.bodies).to.have.length(2);
  });

  for (const [given, asked] of [
    ['read', 'write'],
    ['read', 'all'],
    ['write', 'read'],
    ['read', 'command'],
    ['all', 'command'],
    ['command', 'command'],
  ] as const) {
    it(`for the access "${given}" does not apply to "${asked}"`, async () => {
      const { chat } = makeChat(
        [events(asks('1', '{"a":1}', 'run', 's', given)), done, events(asks('2', '{"a":2}', 'run', 's', asked)), done],
        { protocol: 'deepchat-events' },
      );
      const first = chat.send('Go');
      await until(chat, isAsking);
      void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
      await first;
      void chat.send('Again');
      await until(chat, () => ['awaiting-action', 'idle', 'error'].includes(chat.status));
      expect(chat.status).to.equal('awaiting-action');
      expect(pending(chat).tool_call?.params).to.equal('{"a":2}');
      chat.stop();
    });
  }

  it('for "Read and write" applies to each of them', async () => {
    const { chat, server } = makeChat(
      [
        events(asks('1', '{}', 'run', 's', 'all')),
        done,
        events(asks('2', '{}', 'run', 's', 'read')),
        done,
        events(asks('3', '{}', 'run', 's', 'write')),
        done,
      ],
      { protocol: 'deepchat-events' },
    );
    const first = chat.send('Go');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await first;
    await chat.send('Again');
    await chat.send('Again');
    expect(server.bodies).to.have.length(6);
  });

  it('for a tool of the server does not apply to a tool of the page with the same name', async () => {
    let ran = 0;
    const tool = {
      name: 'delete_file',
      description: '',
      parameters: { type: 'object' },
      needsApproval: true,
      execute: () => ++ran,
    } as const;
    const call = { tool_call_id: 'c', tool_call_name: 'delete_file', tool_call_params: '{}' };
    const { chat } = makeChat(
      [
        events(asks('1', '{}', 'delete_file', '')),
        done,
        // The stream has no end: it waits for the page.
        stream(
          sse(
            { type: 'response', data: { eventId: 'e', tool_call: 'start', ...call } },
            { type: 'response', data: { eventId: 'e', finish: 'tool_use' } },
          ),
        ),
        done,
      ],
      { protocol: 'deepchat-events', tools: [tool] },
    );
    const first = chat.send('Go');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await first;
    const second = chat.send('Again');
    await until(chat, isAsking);
    expect(ran).to.equal(0);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await second;
    expect(ran).to.equal(1);
    expect(chat.approvals.list.map(({ tool: name, page }) => [name, page])).to.deep.equal([
      ['delete_file', undefined],
      ['delete_file', true],
    ]);
  });

  it('of the agent that the page lists first does not apply to another one, which is the first later', async () => {
    const agents = ['a', 'b'].map((id) => ({ id, name: id, endpoint: '/agents', protocol: 'deepchat-events' }));
    const { chat, set } = makeChat(
      [events(asks('1', '{}')), done, events(asks('2', '{}')), events(asks('3', '{}')), done],
      { agents },
    );
    const first = chat.send('Go');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await first;
    const [before, after] = [chat.approvals.list.map(({ agent }) => agent), agents.toReversed()];
    expect(before).to.deep.equal([`${location.origin}/agents a`]);
    set({ agents: after });
    void chat.send('Again');
    await until(chat, () => ['awaiting-action', 'idle'].includes(chat.status));
    expect(chat.status).to.equal('awaiting-action');
    chat.stop();
    // It applies to its agent, also when that is chosen by name.
    set({ agent: 'a' });
    await chat.send('Again');
    expect(chat.status).to.equal('idle');
  });

  it('for one agent of an endpoint does not apply to another one that the page names without a list', async () => {
    const asking = events(asks('t', '{}'));
    const { chat, set } = makeChat([asking, done, asking, done], { protocol: 'deepchat-events', agent: 'alpha' });
    const first = chat.send('Go');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await first;
    set({ agent: 'beta' });
    void chat.send('Go');
    await until(chat, isAsking);
    expect(pending(chat).status).to.equal('pending');
    chat.stop();
  });

  for (const [name, change] of [
    ['another description', { description: 'Changes the bank details' }],
    ['another question', { question: () => 'Change the bank details?' }],
    ['no question', { question: () => undefined }],
  ] as const) {
    it(`rule 24: for a tool of the page does not apply to one with that name and ${name}`, async () => {
      const ran: string[] = [];
      const draft = {
        name: 'update',
        description: 'Updates the draft',
        parameters: { type: 'object' },
        needsApproval: true,
        question: (): string | undefined => 'Update the draft?',
        execute: () => ran.push('draft'),
      } as const;
      const call = { tool_call_id: 'c', tool_call_name: 'update', tool_call_params: '{}' };
      const calls = stream(
        sse(
          { type: 'response', data: { eventId: 'e', tool_call: 'start', ...call } },
          { type: 'response', data: { eventId: 'e', finish: 'tool_use' } },
        ),
      );
      const { chat, set } = makeChat([calls, done, calls, done, calls], {
        protocol: 'deepchat-events',
        tools: [draft],
      });
      const first = chat.send('Go');
      await until(chat, isAsking);
      void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
      await first;
      await chat.send('Again');
      expect(ran).to.deep.equal(['draft', 'draft']);
      set({ tools: [{ ...draft, ...change, execute: () => ran.push('bank') }] });
      void chat.send('Again');
      await until(chat, () => ['awaiting-action', 'idle', 'error'].includes(chat.status));
      expect(chat.status).to.equal('awaiting-action');
      expect(ran).to.deep.equal(['draft', 'draft']);
      chat.stop();
    });
  }

  it('rule 24: for the agent that `model` chooses does not apply to another one of that endpoint', async () => {
    const asking = events(asks('t', '{}'));
    const { chat, set, server } = makeChat([asking, done, asking, done, asking], {
      protocol: 'deepchat-events',
      model: 'alpha',
    });
    const first = chat.send('Go');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await first;
    await chat.send('Go');
    expect(server.bodies).to.have.length(4);
    set({ model: undefined, agent: 'alpha' });
    void chat.send('Go');
    await until(chat, isAsking);
    expect(pending(chat).status).to.equal('pending');
    chat.stop();
  });

  for (const [name, first, second] of [
    ['the app of ADK', { appName: 'a' }, { appName: 'b' }],
    ['the assistant of LangGraph', { assistant_id: 'a', n: 1 }, { assistant_id: 'b', n: 1 }],
    ['the agent of AgentScope', { agent_id: 'a' }, { agent_id: 'b' }],
    ['the bot of Coze', { bot_id: 'a' }, { bot_id: 'b' }],
    ['a number', { bot_id: 1 }, { bot_id: 2 }],
    ['a list', { agents: ['a'] }, { agents: ['b'] }],
    ['with a hyphen', { 'agent-id': 'a' }, { 'agent-id': 'b' }],
    ['the model', { model: 'a' }, { model: 'b' }],
    ['a stored prompt', { prompt: { id: 'a' } }, { prompt: { id: 'b' } }],
    ['another kind of agent', { app_id: 'a' }, { agent: 'a' }],
    ['no agent', { bot_id: 'a' }, undefined],
  ] as const) {
    it(`rule 24: does not apply after the page’s body has chosen another agent: ${name}`, async () => {
      const asking = events(asks('t', '{}'));
      const { chat, set, server } = makeChat([asking, done, asking, done, asking, done], {
        protocol: 'deepchat-events',
        body: () => ({ ...first, nonce: String(Math.random()) }),
      });
      const sent = chat.send('Go');
      await until(chat, isAsking);
      void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
      await sent;
      set({ body: { prompt: 'Another text', ...first } });
      await chat.send('Go');
      expect(server.bodies).to.have.length(4);
      set({ body: second });
      void chat.send('Go');
      await until(chat, () => ['awaiting-action', 'idle', 'error'].includes(chat.status));
      expect(chat.status).to.equal('awaiting-action');
      chat.stop();
    });
  }

  for (const [name, first, second] of [
    ['another agent', { 'x-agent-id': 'a' }, { 'x-agent-id': 'b' }],
    ['another model', new Headers({ 'X-Model': 'a' }), [['x-model', 'b']]],
    ['an assistant', [['assistant-id', 'a']], { 'assistant-id': 'b' }],
    ['no agent', { 'x-agent-id': 'a' }, undefined],
  ] as const) {
    it(`rule 24: does not apply after the page’s headers have chosen another agent: ${name}`, async () => {
      const asking = events(asks('t', '{}'));
      const { chat, set, server } = makeChat([asking, done, asking, done, asking, done], {
        protocol: 'deepchat-events',
        headers: () => first,
      });
      const sent = chat.send('Go');
      await until(chat, isAsking);
      void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
      await sent;
      const same = Object.fromEntries(new Headers(first as HeadersInit));
      set({ headers: { ...same, authorization: 'Bearer another' } });
      await chat.send('Go');
      expect(server.bodies).to.have.length(4);
      set({ headers: second });
      void chat.send('Go');
      await until(chat, () => ['awaiting-action', 'idle', 'error'].includes(chat.status));
      expect(chat.status).to.equal('awaiting-action');
      chat.stop();
    });
  }

  it('rule 24: of a restored question is not remembered if `body` is a function: which agent it chooses is not known', async () => {
    const asking = events(asks('t', '{}'));
    const { chat, set } = makeChat([done, asking, done], {
      protocol: 'deepchat-events',
      body: () => ({ bot_id: 'a' }),
    });
    const waiting = makeChat([asking], { protocol: 'deepchat-events' });
    void waiting.chat.send('Go');
    await until(waiting.chat, isAsking);
    chat.messages = waiting.chat.messages;
    await until(chat, isAsking);
    await chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await until(chat, () => chat.status === 'idle');
    expect(chat.approvals.list).to.deep.equal([]);
    set({ body: undefined });
    void chat.send('Go');
    await until(chat, () => ['awaiting-action', 'idle', 'error'].includes(chat.status));
    expect(chat.status).to.equal('awaiting-action');
    chat.stop();
    waiting.chat.stop();
  });

  it('is stored for each agent, and never for a tool without a name', () => {
    const told: number[] = [];
    const approvals = new Approvals();
    approvals.subscribe((list) => told.push(list.length));
    approvals.allow({ agent: 'a', server: '', tool: 'write', since: 1 });
    approvals.allow({ agent: 'a', server: '', tool: 'write', since: 2 });
    approvals.allow({ agent: 'a', server: '', tool: '', since: 3 });
    expect(approvals.covers({ agent: 'a', server: '', tool: 'write' })).to.equal(true);
    expect(approvals.covers({ agent: 'b', server: '', tool: 'write' })).to.equal(false);
    expect(approvals.covers({ agent: 'a', server: 'x', tool: 'write' })).to.equal(false);
    expect(approvals.covers({ agent: 'a', server: '', tool: '' })).to.equal(false);
    approvals.clear();
    expect(told).to.deep.equal([1, 0]);
  });
});

describe('permanent approvals from an earlier visit', () => {
  const allowed = (tool: string): Approval => ({ agent: 'a', server: '', tool, since: 1 });

  it('are about the page’s tool only if the page has asked', () => {
    const scope = (byPage: unknown) =>
      approvalScopeOf(
        {
          id: 'b',
          type: 'action',
          action_type: 'tool_call_permission',
          status: 'pending',
          timestamp: 1,
          tool_call: { name: 'wipe', params: '{}' },
          extra: { byPage } as never,
        },
        'a',
      );
    expect(scope(true)).to.deep.equal({ agent: 'a', server: '', tool: 'wipe', page: true });
    for (const other of [undefined, false, 1, 'true']) expect(scope(other)).not.to.have.property('page');
  });

  it('are about the server and the tool that the question shows', () => {
    const scope = (tool_call: object | undefined, extra: object = {}) => {
      const question = {
        id: 'b',
        type: 'action',
        action_type: 'tool_call_permission',
        status: 'pending',
        timestamp: 1,
      };
      const { agent, server, tool } = approvalScopeOf({ ...question, tool_call, extra } as never, 'a');
      return [agent, server, tool];
    };
    const hidden = { serverName: 'hidden', toolName: 'other' };
    expect(scope({ name: 'wipe', server_name: 'files' }, hidden)).to.deep.equal(['a', 'files', 'wipe']);
    expect(scope({ name: '', server_name: '' }, hidden)).to.deep.equal(['a', '', '']);
    expect(scope({}, hidden)).to.deep.equal(['a', 'hidden', 'other']);
    expect(scope(undefined, { serverName: 1, toolName: null })).to.deep.equal(['a', '', '']);
  });

  it('of an agent are about the permissions that the question shows', () => {
    const server = (params: string | undefined, forAgent: unknown = true) => {
      const question = {
        id: 'b',
        type: 'action',
        action_type: 'tool_call_permission',
        status: 'pending',
        timestamp: 1,
      };
      const tool_call = { name: 'agent', server_name: 'hidden', params };
      return approvalScopeOf({ ...question, tool_call, extra: { forAgent } } as never, 'a').server;
    };
    expect(server('{"1":"read","2":"write","3":"read"}')).to.equal('read, write');
    expect(server('{"1":"read","2":1}')).to.equal('read, ');
    for (const none of ['{}', 'null', '"read"', '{', undefined]) expect(server(none), String(none)).to.equal('');
    for (const other of [null, false, 'true', 1]) expect(server('{"1":"read"}', other)).to.equal('hidden');
  });

  it('are no longer told to a listener that has left', () => {
    const told: unknown[] = [];
    const approvals = new Approvals();
    const leave = approvals.subscribe((list) => told.push(list));
    leave();
    approvals.allow(allowed('write'));
    expect(told).to.deep.equal([]);
  });

  it('never apply to a command, even if one was stored', async () => {
    const { chat } = makeChat([events(asks('1', '{}', 'run', 's', 'command')), done], {
      protocol: 'deepchat-events',
      endpoint: 'https://agent.example/chat',
    });
    const agent = 'https://agent.example/chat';
    chat.approvals.restore(
      [undefined, 'command', 'all', 'page'].map((access) => ({
        agent,
        server: 's',
        tool: 'run',
        ...(access !== undefined && { access }),
        since: 1,
      })),
    );
    void chat.send('Go');
    await until(chat, () => ['awaiting-action', 'idle', 'error'].includes(chat.status));
    expect(chat.status).to.equal('awaiting-action');
    chat.stop();
  });

  it('are told apart whatever their names contain', () => {
    const scopes = [
      { agent: 'a', server: 'b', tool: 'c', access: 'read' },
      { agent: 'a', server: 'b', tool: 'c', access: 'page' },
      { agent: 'a,b', server: 'c', tool: 'd' },
      { agent: 'a', server: 'b,c', tool: 'd' },
      { agent: 'a', server: 'b', tool: 'c,d' },
      { agent: 'a","b', server: 'c', tool: 'd' },
      { agent: 'a', server: 'b', tool: 'c', page: true as const },
      { agent: 'a', server: 'b', tool: 'c', page: true as const, description: 'd' },
      { agent: 'a', server: 'b', tool: 'c', page: true as const, question: 'd' },
      { agent: 'a', server: 'b', tool: 'c,page' },
      { agent: 'a', server: 'b', tool: 'c","page' },
      { agent: 'a', server: 'b', tool: 'c' },
    ];
    expect(new Set(scopes.map(approvalId)).size).to.equal(scopes.length);
  });

  it('take precedence over those granted since, and emit no event', () => {
    const told: unknown[] = [];
    const approvals = new Approvals();
    approvals.allow(allowed('new'));
    approvals.subscribe((list) => told.push(list));
    approvals.restore([allowed('old'), allowed('new')]);
    expect(approvals.list.map(({ tool }) => tool)).to.deep.equal(['old', 'new']);
    expect(told).to.deep.equal([]);
  });

  it('do not apply to another user', () => {
    const approvals = new Approvals();
    approvals.allow(allowed('write'));
    approvals.dropAll();
    expect(approvals.covers(allowed('write'))).to.equal(false);
  });
});

describe('appendArguments', () => {
  it('rule 95: compares no long arguments with a short chunk', () => {
    const long = JSON.stringify({ a: 'x'.repeat(1000) });
    expect(appendArguments(long, long)).to.equal(long);
    const parse = JSON.parse.bind(JSON);
    let parses = 0;
    JSON.parse = (text: string) => (parses++, parse(text) as unknown);
    try {
      expect(appendArguments(long, '{}')).to.equal(`${long}{}`);
    } finally {
      JSON.parse = parse;
    }
    expect(parses).to.equal(0);
  });
});

describe('canonicalArguments', () => {
  const rows: readonly (readonly [left: string, right: string, same: boolean])[] = [
    ['{"a":1,"b":2}', '{ "b":2, "a":1 }', true],
    ['{"a":{"c":1,"b":2}}', '{"a":{"b":2,"c":1}}', true],
    ['{"a":"\\u0062"}', '{"a":"b"}', true],
    ['[1,2]', '[2,1]', false],
    ['{"a":1}', '{"a":"1"}', false],
    ['{"__proto__":1}', '{}', false],
    ['{"a":1', '{"a":1 ', false],
    ['{"a":9007199254740993}', '{"a":9007199254740992}', false],
    ['{"a":1e400}', '{"a":1e500}', false],
    ['{"a":1,"a":2}', '{"a":2}', false],
    ['{"a":1,"a":2}', '{"a":3,"a":2}', false],
    ['{"a":1,"b":1,"b":2}', '{"a":1,"a":1,"b":2}', false],
    ['{"b":[{"a":1,"a":2}]}', '{"b":[{"a":2}]}', false],
    ['{"a":5,"a":5000,"b":"\\u003a"}', '{"a":5000,"b":":"}', false],
    ['{"a":5,"a":5000,"b":"\\u003a"}', '{"a":6,"a":5000,"b":"\\u003a"}', false],
    ['{"a":900719925474099.31e3}', '{"a":900719925474099.32e3}', false],
    ['{"a":4e-324}', '{"a":5e-324}', false],
    ['{"a":9007199254740993,"b":9007199254740992}', '{"b":9007199254740993,"a":9007199254740992}', false],
    ['{"a":"\\u003a"}', '{"a":":"}', true],
    ['{"a":1.0,"b":"c d"}', '{ "a": 1.0, "b": "c d" }', true],
    ['{"a":1.0,"b":"c d"}', '{"a":1.0,"b":"cd"}', false],
    ['{"a":":\\":","b":1}', '{ "b":1,"a":":\\":" }', true],
  ];
  for (const [left, right, same] of rows) {
    it(`${left} is ${same ? '' : 'not '}${right}`, () => {
      expect(canonicalArguments(left) === canonicalArguments(right)).to.equal(same);
    });
  }
});
