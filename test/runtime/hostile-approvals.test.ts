/** Streams that try to run a tool without its own permission request being granted. */
import { expect, waitUntil } from '@open-wc/testing';
import type { ClientTool } from '../../src/agents/tools.ts';
import type { BlockOf } from '../../src/model/blocks.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import type { Chat } from '../../src/runtime/chat/chat.ts';
import { sse } from '../support/play-body.ts';
import { makeChat, until } from './support/make-chat.ts';
import { status, stream } from './support/scripted-server.ts';
import { replaying, says, type Said } from './support/wire-agent.ts';

const ENDPOINT = 'https://agent.example/chat';
const say = (data: object): object => ({ type: 'response', data: { eventId: 'e', ...data } });
const END = say({ finish: 'tool_use' });
const begin = (name: string, id?: string, args = '{}'): object =>
  say({
    tool_call: 'start',
    ...(id !== undefined && { tool_call_id: id }),
    tool_call_name: name,
    tool_call_params: args,
  });
const ask = (toolName: string, more: object = {}): object =>
  say({
    tool_call: 'permission-required',
    permission_request: { toolName, serverName: '', permissionType: 'read', description: '' },
    ...more,
  });

const pending = (chat: Chat): readonly BlockOf<'action'>[] =>
  chat.messages
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.type === 'action' && block.status === 'pending' ? [block] : []));
const toolOf = ({ tool_call }: BlockOf<'action'>): string => tool_call?.name ?? '';

/** Plays rounds with two tools that need approval. A request for `get_time` is granted, any other is denied. */
function play(...rounds: readonly (readonly object[])[]) {
  const ran: string[] = [];
  const asked: string[] = [];
  const tool = (name: string): ClientTool => ({
    name,
    description: name,
    parameters: { type: 'object' },
    needsApproval: true,
    execute: () => {
      ran.push(name);
      return 'done';
    },
  });
  const { chat } = makeChat([...rounds.map((events) => stream(sse(...events))), status(500)], {
    protocol: 'deepchat-events',
    endpoint: ENDPOINT,
    tools: [tool('get_time'), tool('delete_account')],
  });
  const answer = async (): Promise<void> => {
    const sent = chat.send('Go');
    for (;;) {
      await until(chat, () => ['awaiting-action', 'idle', 'error'].includes(chat.status));
      if (chat.status !== 'awaiting-action') break;
      for (const block of pending(chat)) {
        asked.push(toolOf(block));
        void chat.respond(block.id, toolOf(block) === 'get_time' ? 'granted' : 'denied');
      }
    }
    await sent;
  };
  return { chat, ran, asked, answer };
}

const attacks: readonly { readonly name: string; readonly rounds: readonly (readonly object[])[] }[] = [
  {
    name: 'a server-side grant for the id of a page’s call',
    rounds: [
      [
        ask('get_time', { tool_call_id: 'x' }),
        say({ tool_call: 'permission-granted', tool_call_id: 'x' }),
        begin('delete_account', 'x'),
        END,
      ],
    ],
  },
  {
    name: 'a server request that claims to be the page’s',
    rounds: [
      [
        begin('delete_account', 'x'),
        ask('get_time', { tool_call_id: 'y', request: { id: 'r', extra: { byPage: true, callBlockId: 'x' } } }),
        END,
      ],
    ],
  },
  {
    name: 'a sub-agent call with the id of the agent’s own call',
    rounds: [
      [
        begin('ask_expert', 'p'),
        say({ parent: { tool_call_id: 'p' }, tool_call: 'start', tool_call_id: 'x', tool_call_name: 'get_time' }),
        begin('delete_account', 'x'),
        say({ parent: { tool_call_id: 'p' }, tool_call: 'end', tool_call_id: 'x', tool_call_response: 'ok' }),
        say({ tool_call: 'end', tool_call_id: 'p', tool_call_response: 'ok' }),
        END,
      ],
    ],
  },
  {
    name: 'an id that was granted in the previous round',
    rounds: [
      [begin('get_time', 'x'), END],
      [begin('delete_account', 'x'), END],
    ],
  },
  {
    name: 'a call that changes its tool while it streams',
    rounds: [
      [begin('get_time', 'x'), say({ tool_call: 'update', tool_call_id: 'x', tool_call_name: 'delete_account' }), END],
    ],
  },
  {
    name: 'a call that begins as a server-side call',
    rounds: [
      [
        say({ tool_call: 'start', tool_call_id: 'x', tool_call_name: 'get_time', tool_call_remote: true }),
        begin('delete_account', 'x'),
        END,
      ],
    ],
  },
  {
    name: 'a call that has ended and starts again with another tool',
    rounds: [
      [
        begin('get_time', 'x'),
        say({ tool_call: 'end', tool_call_id: 'x', tool_call_response: 'ok' }),
        begin('delete_account', 'x'),
        END,
      ],
    ],
  },
  {
    name: 'a request with two different tool names',
    rounds: [[begin('delete_account'), ask('get_time', { tool_call_id: 'z', tool_call_name: 'delete_account' }), END]],
  },
  {
    name: 'ids that are names of Object.prototype members',
    rounds: [[begin('delete_account', '__proto__'), begin('get_time', 'constructor'), END]],
  },
  {
    name: 'many calls with one id, one of them harmless',
    rounds: [[...Array.from({ length: 20 }, () => begin('delete_account', 'x')), begin('get_time', 'x'), END]],
  },
  {
    name: 'ids that differ in invisible characters',
    rounds: [[begin('get_time', 'x'), begin('delete_account', 'x\u200b'), END]],
  },
  {
    name: 'calls of several agents with one id',
    rounds: [
      [
        say({ message: { id: 'a', name: 'Ann' } }),
        begin('get_time', 'call_0'),
        say({ message: { id: 'b', name: 'Bob' } }),
        begin('delete_account', 'call_0'),
        END,
      ],
    ],
  },
];

describe('a destructive tool does not run with', () => {
  for (const { name, rounds } of attacks) {
    it(name, async () => {
      const { ran, answer } = play(...rounds);
      await answer();
      expect(ran).not.to.include('delete_account');
    });

    it(`${name}, after an "Always" for another tool`, async () => {
      const { chat, ran, answer } = play(...rounds);
      chat.approvals.allow({ agent: ENDPOINT, server: '', tool: 'get_time', page: true, since: 1 });
      await answer();
      expect(ran).not.to.include('delete_account');
    });
  }

  it('a visible card that turns into another request', async () => {
    const body = [
      ask('get_time', { tool_call_id: 'x', tool_call_params: '{}' }),
      ask('delete_account', { tool_call_id: 'x', tool_call_params: '{}' }),
      END,
    ];
    const { chat } = play(body);
    void chat.send('Go');
    await until(chat, () => chat.status === 'awaiting-action');
    const cards = chat.messages.flatMap(({ blocks }) => blocks).filter((block) => block.type === 'action');
    expect(cards.map((block) => [toolOf(block), block.status])).to.deep.equal([
      ['get_time', 'cancel'],
      ['delete_account', 'pending'],
    ]);
    void chat.respond(cards[0]?.id ?? '', 'granted');
    expect(pending(chat).map(toolOf)).to.deep.equal(['delete_account']);
    chat.stop();
  });

  it('a history in which two requests have one id', async () => {
    const { chat } = play([END]);
    const card = (name: string) => ({
      id: 'same',
      type: 'action',
      action_type: 'tool_call_permission',
      status: 'pending',
      timestamp: 1,
      tool_call: { name, params: '{}' },
    });
    chat.messages = [
      { role: 'user', text: 'Go' },
      { role: 'assistant', status: 'streaming', blocks: [card('delete_account'), card('get_time')] },
    ] as unknown as readonly ChatMessage[];
    const [first, second] = pending(chat);
    expect(first?.id).not.to.equal(second?.id);
    await chat.respond(second?.id ?? '', 'granted');
    expect(pending(chat).map(toolOf)).to.deep.equal(['delete_account']);
    chat.stop();
  });
});

describe('rule 40: a tool of the page that the server has asked about', () => {
  for (const [name, callId, askedId] of [
    ['only the call has an id', 'x', undefined],
    ['only the request has an id', undefined, 'x'],
    ['neither has an id', undefined, undefined],
  ] as const) {
    it(`does not run after the user has denied it: ${name}`, async () => {
      let runs = 0;
      const { chat } = makeChat(
        [
          stream(
            sse(begin('format', callId), ask('format', askedId === undefined ? {} : { tool_call_id: askedId }), END),
          ),
          stream(sse(say({ content: 'Ok', finish: 'complete' }))),
        ],
        {
          protocol: 'deepchat-events',
          endpoint: ENDPOINT,
          tools: [
            {
              name: 'format',
              description: '',
              parameters: {},
              execute: () => {
                runs++;
                return '';
              },
            },
          ],
        },
      );
      const reply = chat.send('Go');
      await until(chat, () => chat.status === 'awaiting-action');
      for (const block of pending(chat)) void chat.respond(block.id, 'denied');
      await reply;
      expect(runs).to.equal(0);
    });
  }
});

it('rule 40: a tool whose page writes `needsApproval` in another way asks too', async () => {
  let runs = 0;
  const { chat } = makeChat([stream(sse(begin('format', 'x'), END)), stream(sse(say({ finish: 'complete' })))], {
    protocol: 'deepchat-events',
    endpoint: ENDPOINT,
    tools: [
      {
        name: 'format',
        description: '',
        // A page without types.
        needsApproval: 'always' as unknown as boolean,
        execute: () => {
          runs++;
          return '';
        },
      },
    ],
  });
  const reply = chat.send('Go');
  await until(chat, () => chat.status === 'awaiting-action' || chat.status === 'idle');
  expect([chat.status, runs]).to.deep.equal(['awaiting-action', 0]);
  for (const block of pending(chat)) void chat.respond(block.id, 'denied');
  await reply;
});

describe('a tool of the page without `needsApproval`', () => {
  const withTool = (rounds: number) => {
    const ran: string[] = [];
    const tool: ClientTool = {
      name: 'format',
      description: '',
      parameters: {},
      execute: (args) => {
        ran.push(JSON.stringify(args));
        return '';
      },
    };
    const ends = Array.from({ length: rounds }, () => stream(sse(say({ content: 'Ok', finish: 'complete' }))));
    const { chat } = makeChat(ends, { protocol: 'deepchat-events', endpoint: ENDPOINT, tools: [tool] });
    const call = { type: 'tool_call', status: 'loading', tool_call: { id: 'x', name: 'format', params: '{"a":1}' } };
    const other = {
      type: 'action',
      action_type: 'tool_call_permission',
      status: 'pending',
      tool_call: { id: 'y', name: 'get_time', params: '{}' },
    };
    chat.messages = [
      { role: 'user', text: 'Go' },
      { role: 'assistant', status: 'streaming', blocks: [call, other] },
    ] as unknown as readonly ChatMessage[];
    return { chat, ran };
  };

  for (const decision of ['granted', 'denied'] as const) {
    it(`asks about a stored call when a question beside it is ${decision}`, async () => {
      const { chat, ran } = withTool(1);
      for (const block of pending(chat)) await chat.respond(block.id, decision);
      await until(chat, () => pending(chat).length > 0);
      expect([pending(chat).map(toolOf), ran]).to.deep.equal([['format'], []]);
      for (const block of pending(chat)) void chat.respond(block.id, 'denied');
      await until(chat, () => chat.status === 'idle');
      expect(ran).to.deep.equal([]);
    });
  }

  it('runs a stored call once it is granted', async () => {
    const { chat, ran } = withTool(1);
    for (const block of pending(chat)) await chat.respond(block.id, 'denied');
    await until(chat, () => pending(chat).length > 0);
    for (const block of pending(chat)) void chat.respond(block.id, 'granted');
    await until(chat, () => chat.status === 'idle');
    expect(ran).to.deep.equal(['{"a":1}']);
  });
});

it('a tool that the page withdraws while the user is asked does not run', async () => {
  const ran: string[] = [];
  const tool: ClientTool = {
    name: 'format',
    description: '',
    parameters: {},
    needsApproval: true,
    execute: () => {
      ran.push('old');
      return '';
    },
  };
  const settings = { protocol: 'deepchat-events', endpoint: ENDPOINT, tools: [tool] };
  const { chat, set } = makeChat(
    [stream(sse(begin('format', 'x'), END)), stream(sse(say({ finish: 'complete' })))],
    settings,
  );
  const reply = chat.send('Go');
  await until(chat, () => chat.status === 'awaiting-action');
  set({ tools: [] });
  for (const block of pending(chat)) void chat.respond(block.id, 'granted');
  await reply;
  expect(ran).to.deep.equal([]);
  const calls = chat.messages.flatMap(({ blocks }) => blocks.filter((block) => block.type === 'tool_call'));
  expect(calls.map(({ status, tool_call }) => [status, tool_call.response])).to.deep.equal([
    ['error', 'The page has no tool "format".'],
  ]);
});

describe('rule 105: a call that the server sends again after a reload', () => {
  const callOf = (name: string, id?: string, args = '{}') => ({
    tool_call: 'start' as const,
    ...(id !== undefined && { tool_call_id: id }),
    tool_call_name: name,
    tool_call_params: args,
  });
  const STOPS = { finish: 'tool_use' } as const;
  const done = stream(says({ content: 'Done.', finish: 'complete' }));
  const toolsOf = (ran: string[], execute: () => unknown = () => '', needsApproval = false) =>
    ['pay', 'show'].map((name): ClientTool => ({
      name,
      description: '',
      parameters: {},
      needsApproval,
      execute: (args) => {
        ran.push(`${name} ${JSON.stringify(args)}`);
        return execute();
      },
    }));
  /** The messages that are stored while a call runs. */
  const stored = async (frames: readonly Said[], needsApproval = false): Promise<readonly ChatMessage[]> => {
    const ran: string[] = [];
    const tools = toolsOf(ran, () => new Promise(() => undefined), needsApproval);
    const { chat } = makeChat([stream(says(...frames))], { protocol: replaying, endpoint: ENDPOINT, tools });
    void chat.send('Go');
    await waitUntil(() => ran.length > 0 || pending(chat).length > 0);
    for (const block of pending(chat)) void chat.respond(block.id, 'granted');
    return JSON.parse(JSON.stringify(chat.messages)) as ChatMessage[];
  };
  const resume = async (messages: readonly ChatMessage[], ...rounds: readonly (readonly Said[])[]) => {
    const ran: string[] = [];
    const script = [...rounds.map((frames) => stream(says(...frames))), done];
    const { chat } = makeChat(script, { protocol: replaying, endpoint: ENDPOINT, tools: toolsOf(ran) });
    chat.messages = messages;
    const resumed = chat.resume({ quietly: true });
    await waitUntil(() => ran.length > 0 || pending(chat).length > 0);
    return { chat, ran, resumed };
  };

  for (const [name, before, again] of [
    ['with its id', callOf('pay', 'x'), callOf('pay', 'x')],
    ['with its id and other arguments', callOf('pay', 'x'), callOf('pay', 'x', '{"n":9}')],
    ['without an id', callOf('pay'), callOf('pay')],
    ['with an id that is new each time', callOf('pay', 'x', '{"a":1,"b":2}'), callOf('pay', 'y', '{"b":2, "a":1}')],
  ] as const) {
    it(`is asked about: ${name}`, async () => {
      const { chat, ran, resumed } = await resume(await stored([before, STOPS]), [again, STOPS]);
      expect([pending(chat).map(toolOf), ran]).to.deep.equal([['pay'], []]);
      for (const block of pending(chat)) void chat.respond(block.id, 'granted');
      await resumed;
      expect(ran).to.have.length(1);
    });
  }

  it('is asked about if the user has allowed it always, which a new call is not', async () => {
    const messages = await stored([callOf('pay', 'x'), STOPS], true);
    const ran: string[] = [];
    const open = () => {
      const tools = toolsOf(ran, undefined, true);
      const script = [stream(says(callOf('pay', 'x'), STOPS)), done];
      const { chat } = makeChat(script, { protocol: replaying, endpoint: ENDPOINT, tools });
      chat.approvals.allow({ agent: ENDPOINT, server: '', tool: 'pay', page: true, since: 1 });
      return chat;
    };
    await open().send('Go');
    expect(ran).to.deep.equal(['pay {}']);
    const chat = open();
    chat.messages = messages;
    void chat.resume({ quietly: true });
    await waitUntil(() => pending(chat).length > 0 || ran.length > 1);
    expect([pending(chat).map(toolOf), ran]).to.deep.equal([['pay'], ['pay {}']]);
    chat.stop();
  });

  it('runs if the stored reply did not have it', async () => {
    const { ran, resumed } = await resume(await stored([callOf('pay', 'x'), STOPS]), [callOf('show', 'y'), STOPS]);
    await resumed;
    expect(ran).to.deep.equal(['show {}']);
  });

  it('runs in a later round, which is new', async () => {
    const { chat, ran, resumed } = await resume(
      await stored([callOf('pay', 'x'), STOPS]),
      [callOf('pay', 'x'), STOPS],
      [callOf('show', 'x'), STOPS],
    );
    for (const block of pending(chat)) void chat.respond(block.id, 'denied');
    await resumed;
    expect(ran).to.deep.equal(['show {}']);
  });
});

describe('rule 105: a function that the page withdraws together with its endpoint', () => {
  const toolWith = (ran: string[], more: Partial<ClientTool> = {}): ClientTool =>
    ({ name: 'format', description: '', parameters: {}, execute: () => ran.push('old'), ...more }) as ClientTool;
  const settingsWith = (tool: ClientTool) => ({ protocol: 'deepchat-events', endpoint: ENDPOINT, tools: [tool] });
  const script = () => [stream(sse(begin('format', 'x'), END)), stream(sse(say({ finish: 'complete' })))];

  it('does not run while its reply goes on', async () => {
    const ran: string[] = [];
    const going = Promise.withResolvers<Response>();
    const { chat, set } = makeChat([() => going.promise], settingsWith(toolWith(ran)));
    const reply = chat.send('Go');
    await until(chat, () => chat.status !== 'idle');
    set({ endpoint: 'https://other.example/chat', tools: [] });
    going.resolve(new Response(sse(begin('format', 'x'), END), { headers: { 'content-type': 'text/event-stream' } }));
    await reply;
    expect(ran).to.deep.equal([]);
  });

  it('does not run with an answer of the user', async () => {
    const ran: string[] = [];
    const { chat, set } = makeChat(script(), settingsWith(toolWith(ran, { needsApproval: true })));
    const reply = chat.send('Go');
    await until(chat, () => chat.status === 'awaiting-action');
    set({ endpoint: 'https://other.example/chat', tools: [] });
    for (const block of pending(chat)) void chat.respond(block.id, 'granted');
    await reply;
    expect(ran).to.deep.equal([]);
  });

  it('runs if the page lists it for the other endpoint, too', async () => {
    const ran: string[] = [];
    const tool = toolWith(ran, { needsApproval: true });
    const { chat, set } = makeChat(script(), settingsWith(tool));
    const reply = chat.send('Go');
    await until(chat, () => chat.status === 'awaiting-action');
    set({ endpoint: 'https://other.example/chat', tools: [{ ...tool }, { ...tool, name: 'other' }] });
    for (const block of pending(chat)) void chat.respond(block.id, 'granted');
    await reply;
    expect(ran).to.deep.equal(['old']);
  });
});

it('rule 105: a function without approval that the page withdraws while its reply goes on does not run', async () => {
  const ran: string[] = [];
  const going = Promise.withResolvers<Response>();
  const tool = { name: 'format', description: '', parameters: {}, execute: () => ran.push('old') };
  const { chat, set } = makeChat([() => going.promise], {
    protocol: 'deepchat-events',
    endpoint: ENDPOINT,
    tools: [tool],
  });
  const reply = chat.send('Go');
  await until(chat, () => chat.status !== 'idle');
  set({ tools: [] });
  going.resolve(new Response(sse(begin('format', 'x'), END), { headers: { 'content-type': 'text/event-stream' } }));
  await reply;
  expect(ran).to.deep.equal([]);
});
