/** A call runs only when its own request was granted, whatever ids the protocol sends. */
import { expect } from '@open-wc/testing';
import type { ClientTool } from '../../src/agents/tools.ts';
import type { BlockOf } from '../../src/model/blocks.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import type { Chat } from '../../src/runtime/chat/chat.ts';
import { ProtocolRegistry } from '../../src/protocols/registry.ts';
import { sse } from '../support/play-body.ts';
import { callWires, type CallWire, type WireCall } from './support/call-wires.ts';
import { isAsking, makeChat, until } from './support/make-chat.ts';
import { status } from './support/scripted-server.ts';

type Ran = readonly [name: string, args: unknown];

/** Reports which calls of the page were shown and run, with their arguments. */
const DELETE: Omit<WireCall, 'id'> = { name: 'delete_account', args: '{"all":true}' };
const TIME: Omit<WireCall, 'id'> = { name: 'get_time', args: '{}' };

interface IdForm {
  readonly name: string;
  readonly ids: readonly [WireCall['id'], WireCall['id']];
}
const forms: readonly IdForm[] = [
  { name: 'no id', ids: [undefined, undefined] },
  { name: 'an empty id', ids: ['', ''] },
  { name: 'the same id', ids: ['x', 'x'] },
  { name: 'null as id', ids: [null, null] },
  { name: 'ids that differ only in type', ids: [1, '1'] },
  { name: 'one id missing', ids: [undefined, 'x'] },
  { name: 'distinct ids', ids: ['x', 'y'] },
];

function start(wire: CallWire, calls: readonly WireCall[], needsApproval: readonly string[]) {
  const ran: Ran[] = [];
  const tool = (name: string): ClientTool => ({
    name,
    description: name,
    parameters: { type: 'object' },
    needsApproval: needsApproval.includes(name),
    execute: (args) => {
      ran.push([name, args]);
      return 'done';
    },
  });
  const headers = { 'content-type': wire.contentType ?? 'text/event-stream' };
  const { chat, server } = makeChat([() => new Response(wire.body(calls), { headers }), status(500)], {
    protocol: wire.protocol,
    endpoint: wire.endpoint ?? 'https://agent.example/chat',
    tools: [tool('delete_account'), tool('get_time')],
  });
  return { chat, server, ran };
}

const isPending = (chat: Chat): readonly BlockOf<'action'>[] =>
  chat.messages
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.type === 'action' && block.status === 'pending' ? [block] : []));

const asRan = ({ tool_call }: BlockOf<'action'>): Ran => [tool_call?.name ?? '', argumentsOf(tool_call?.params ?? '')];

/**
 * A protocol that identifies calls only by id concatenates the arguments of two calls with one id: they are text then.
 */
function argumentsOf(params: string): unknown {
  try {
    return JSON.parse(params || '{}') as unknown;
  } catch {
    return params;
  }
}

/** Answers each permission request with `decide` until the reply has ended. @returns the requests */
async function answerAll(
  chat: Chat,
  decide: (block: BlockOf<'action'>) => 'granted' | 'denied',
): Promise<readonly Ran[]> {
  const asked: Ran[] = [];
  const sent = chat.send('Go');
  for (;;) {
    await until(chat, () => chat.status === 'awaiting-action' || chat.status === 'idle' || chat.status === 'error');
    if (chat.status !== 'awaiting-action') break;
    for (const block of isPending(chat)) {
      asked.push(asRan(block));
      void chat.respond(block.id, decide(block));
    }
  }
  await sent;
  return asked;
}

const calls = ({ ids }: IdForm): readonly WireCall[] =>
  [DELETE, TIME].map((call, index) => (ids[index] === undefined ? call : { ...call, id: ids[index] }));

describe('a call of a tool that needs approval', () => {
  for (const [index, wire] of callWires.entries()) {
    for (const form of forms) {
      const label = `${wire.protocol} (${String(index)}), calls with ${form.name}`;
      // A ChatKit server takes the result of its newest call only, so the first of two does not run.
      const runsBoth = wire.callsPage !== false && wire.protocol !== 'chatkit';
      const isOrdinary = runsBoth && form.ids[0] === 'x' && form.ids[1] === 'y';

      it(`${label}: a denied call does not run, and a granted one runs with the arguments that were shown`, async () => {
        const { chat, ran } = start(wire, calls(form), ['delete_account', 'get_time']);
        const granted: Ran[] = [];
        const asked = await answerAll(chat, (block) => {
          const [name] = asRan(block);
          if (name !== 'get_time') return 'denied';
          granted.push(asRan(block));
          return 'granted';
        });
        expect(ran).to.deep.equal(granted);
        if (isOrdinary) expect(asked).to.deep.equal([DELETE, TIME].map(({ name, args }) => [name, argumentsOf(args)]));
        if (isOrdinary) expect(ran).to.deep.equal([['get_time', {}]]);
        if (wire.callsPage === false) expect([asked, ran]).to.deep.equal([[], []]);
      });

      it(`${label}: an "Always" for one tool runs no other`, async () => {
        const { chat, ran } = start(wire, calls(form), ['delete_account', 'get_time']);
        chat.approvals.allow({
          agent: agentOf(wire),
          server: '',
          tool: 'get_time',
          page: true,
          description: 'get_time',
          since: 1,
        });
        const asked = await answerAll(chat, () => 'denied');
        expect(asked.map(([name]) => name)).not.to.include('get_time');
        expect(ran.map(([name]) => name)).not.to.include('delete_account');
        if (isOrdinary) expect([asked.length, ran.length]).to.deep.equal([1, 1]);
      });

      it(`${label}: an answer for one call runs no other pending call`, async () => {
        const { chat, ran } = start(wire, calls(form), ['delete_account']);
        const asked = await answerAll(chat, () => 'denied');
        expect(ran.map(([name]) => name)).not.to.include('delete_account');
        if (isOrdinary) expect([asked.length, ran.length]).to.deep.equal([1, 1]);
      });
    }
  }

  it('is tested for each protocol that lets the page run calls', () => {
    const tested = new Set([...callWires.map(({ protocol }) => protocol), ...SERVER_CALLS, ...IN_SESSIONS]);
    const others = new ProtocolRegistry().list().filter(({ id }) => !tested.has(id));
    expect(others.map(({ id }) => id)).to.deep.equal([]);
  });
});

describe('calls without ids', () => {
  const [wire] = callWires;
  if (!wire) throw new Error('There is no wire.');
  const both = ['delete_account', 'get_time'];

  it('ask at the same time, each in its own card, also after detection', async () => {
    for (const protocol of [wire.protocol, 'auto']) {
      const { chat, ran } = start({ ...wire, protocol }, [DELETE, TIME], both);
      const sent = chat.send('Go');
      await until(chat, isAsking);
      expect(isPending(chat).map(asRan)).to.deep.equal([
        ['delete_account', { all: true }],
        ['get_time', {}],
      ]);
      const [first, second] = isPending(chat);
      void chat.respond(second?.id ?? '', 'granted');
      expect([chat.status, ran.length]).to.deep.equal(['awaiting-action', 0]);
      void chat.respond(first?.id ?? '', 'denied');
      const answer = await sent;
      expect(ran).to.deep.equal([['get_time', {}]]);
      const results = answer.blocks.flatMap((block) =>
        block.type === 'tool_call' ? [[block.tool_call.name, block.status, block.tool_call.response]] : [],
      );
      expect(results).to.deep.equal([
        ['delete_account', 'error', 'The user denied this call.'],
        ['get_time', 'success', 'done'],
      ]);
    }
  });

  it('of one tool with other arguments are two requests', async () => {
    const other = { name: 'delete_account', args: '{"all":false}' };
    const { chat, ran } = start(wire, [DELETE, other], both);
    const asked = await answerAll(chat, (block) => (block.tool_call?.params === other.args ? 'granted' : 'denied'));
    expect(asked).to.have.length(2);
    expect(ran).to.deep.equal([['delete_account', { all: false }]]);
  });

  it('run in a restored conversation as they were answered there', async () => {
    const before = start(wire, [DELETE, TIME], both);
    void before.chat.send('Go');
    await until(before.chat, isAsking);
    const saved = JSON.parse(JSON.stringify(before.chat.messages)) as ChatMessage[];
    before.chat.stop();

    const { chat, server, ran } = start(wire, [], both);
    chat.messages = saved;
    const [first, second] = isPending(chat);
    void chat.respond(first?.id ?? '', 'denied');
    void chat.respond(second?.id ?? '', 'granted');
    await until(chat, () => chat.status !== 'awaiting-action' && chat.status !== 'streaming');
    expect(ran).to.deep.equal([['get_time', {}]]);
    expect(server.asked.length).to.be.greaterThan(0);
    expect(server.bodies[0]).not.to.have.property('permissions');
  });

  it('ask again if the restored request has other arguments than the call', async () => {
    const before = start(wire, [DELETE], both);
    void before.chat.send('Go');
    await until(before.chat, isAsking);
    const saved = JSON.parse(JSON.stringify(before.chat.messages).replace('{\\"all\\":true}', '{}')) as ChatMessage[];
    before.chat.stop();

    const { chat, ran } = start(wire, [], both);
    chat.messages = saved;
    void chat.respond(isPending(chat)[0]?.id ?? '', 'granted');
    await until(chat, isAsking);
    expect(ran).to.deep.equal([]);
    expect(isPending(chat)).to.have.length(1);
    chat.stop();
  });

  /** A restored request of the page with something else in it than the page would ask. */
  const FORGED: Readonly<Record<string, (text: string) => string>> = {
    'another question': (text) => text.replace('"byPage":true', '"byPage":true,"question":"Show the time?"'),
    'another description': (text) => text.replace(/"content":"[^"]*"(?=,"callBlockId)/, '"content":"Shows the time."'),
    'a server': (text) => text.replace('"serverName":""', '"serverName":"clock"'),
    'no call': (text) => text.replace(/"callBlockId":"[^"]*"/, '"callBlockId":"none"'),
  };
  for (const [name, forge] of Object.entries(FORGED)) {
    it(`do not run with a restored request that has ${name}, and no permission is permanent`, async () => {
      const before = start(wire, [DELETE], both);
      void before.chat.send('Go');
      await until(before.chat, isAsking);
      const saved = JSON.stringify(before.chat.messages);
      before.chat.stop();
      expect(forge(saved)).not.to.equal(saved);

      const { chat, ran } = start(wire, [], both);
      chat.messages = JSON.parse(forge(saved)) as ChatMessage[];
      const forged = isPending(chat)[0]?.id ?? '';
      void chat.respond(forged, 'granted', { remember: 'always' });
      // It is asked again, or its run ends: a tool that runs would have run by then.
      await until(
        chat,
        () => isPending(chat).some(({ id }) => id !== forged) || chat.status === 'idle' || chat.status === 'error',
      );
      expect([ran, chat.approvals.list]).to.deep.equal([[], []]);
      chat.stop();
    });
  }

  it('that the server asks about are not run by the page, whatever the answer', async () => {
    const ask = {
      tool_call: 'permission-required',
      permission_request: { toolName: 'get_time', serverName: '', permissionType: 'read', description: '' },
    };
    const asking: CallWire = {
      ...wire,
      body: (list) => `${sse({ type: 'response', data: { eventId: 'e', ...ask } })}${wire.body(list)}`,
    };
    const { chat, ran } = start(asking, [TIME], []);
    await answerAll(chat, () => 'denied');
    expect(ran).to.deep.equal([]);
  });
});

/** Protocols whose servers run all calls themselves, or that have no calls. */
const SERVER_CALLS = [
  ...['dify', 'flowise', 'n8n', 'langflow', 'rasa', 'a2a', 'text', 'json', 'json-stream', 'agentcore', 'eve'],
];
/**
 * Their calls belong to a session that must be created first (`test/protocols/adk/request.test.ts`), or come over a
 * socket (`test/protocols/cloudflare-agents/cloudflare-agents.test.ts`).
 */
const IN_SESSIONS = ['adk', 'cloudflare-agents'];

/** The agent's key in the approvals: its endpoint. */
const agentOf = ({ endpoint = 'https://agent.example/chat' }: CallWire): string => endpoint;
