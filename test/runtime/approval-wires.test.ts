/** What is sent after the user has answered permission requests, in each protocol that has them. */
import { expect } from '@open-wc/testing';
import type { BlockOf } from '../../src/model/blocks.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import type { Chat } from '../../src/runtime/chat/chat.ts';
import { sse } from '../support/play-body.ts';
import { approvalWires, type ApprovalWire, type WireId, type WireQuestion } from './support/approval-wires.ts';
import { isAsking, makeChat, until } from './support/make-chat.ts';
import type { Asked } from './support/scripted-server.ts';

const READ = { name: 'read', args: { path: '/tmp' } };
const DELETE = { name: 'delete', args: { path: '/' } };

/** Whether the user allows a call. */
const isAllowed = ({ tool_call }: BlockOf<'action'>): boolean =>
  tool_call?.name === READ.name && tool_call.params === JSON.stringify(READ.args);

const pending = (chat: Chat): readonly BlockOf<'action'>[] =>
  chat.messages
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.type === 'action' && block.status === 'pending' ? [block] : []));

/** A chat whose server replies with the bodies, one after the other. Then it has no more questions. */
function play(wire: ApprovalWire, ...bodies: readonly (string | ReadableStream<Uint8Array>)[]) {
  const replies = [...bodies];
  const requests: Asked[] = [];
  const reply = async (asked: Asked): Promise<Response> => {
    const { body } = asked.init;
    requests.push(body instanceof Blob ? { ...asked, body: JSON.parse(await body.text()) as unknown } : asked);
    const side = wire.side?.(asked);
    if (side) return Response.json(side);
    return new Response(replies.shift() ?? wire.done, {
      headers: { 'content-type': wire.contentType ?? 'text/event-stream' },
    });
  };
  const { chat } = makeChat([reply], {
    protocol: wire.protocol,
    endpoint: `https://agent.example${wire.path ?? '/chat'}`,
  });
  const decisions = (from = 0) => requests.slice(from).flatMap((asked) => wire.decisions(asked));
  return { chat, requests, decisions };
}

/** Answers the visible questions. @returns the names of the calls */
function answer(chat: Chat): readonly string[] {
  return pending(chat).map((block) => {
    void chat.respond(block.id, isAllowed(block) ? 'granted' : 'denied');
    return block.tool_call?.name ?? '';
  });
}

const forms: readonly {
  readonly name: string;
  readonly ids: readonly [WireId, WireId];
  readonly calls: readonly [WireId, WireId];
}[] = [
  { name: 'ids of their own', ids: ['p', 'q'], calls: ['c', 'd'] },
  { name: 'one id for both', ids: ['p', 'p'], calls: ['c', 'd'] },
  { name: 'one id and one call id for both', ids: ['p', 'p'], calls: ['c', 'c'] },
  { name: 'one call id for both', ids: ['p', 'q'], calls: ['c', 'c'] },
  { name: 'no ids', ids: [undefined, undefined], calls: ['c', 'd'] },
  { name: 'no call ids', ids: ['p', 'q'], calls: [undefined, undefined] },
  { name: 'no ids at all', ids: [undefined, undefined], calls: [undefined, undefined] },
  { name: 'an id for one of them', ids: [undefined, 'q'], calls: [undefined, 'd'] },
  { name: 'empty ids', ids: ['', ''], calls: ['', ''] },
  { name: 'null as ids', ids: [null, null], calls: [null, null] },
  { name: 'a number and its text as ids', ids: [1, '1'], calls: [1, '1'] },
];

describe('rule 83: two permission requests, of which the user allows one', () => {
  for (const wire of approvalWires) {
    for (const { name, ids, calls } of forms) {
      for (const order of [
        [READ, DELETE],
        [DELETE, READ],
      ]) {
        const questions = order.map((call, index) => ({ ...call, id: ids[index], call: calls[index] }));
        it(`${wire.name}, with ${name}, ${order.map((call) => call.name).join(' first, then ')}`, async () => {
          const { chat, decisions } = play(wire, wire.asks(questions).join(''));
          const reply = chat.send('Go');
          await Promise.race([reply, until(chat, isAsking)]);
          const visible = answer(chat);
          await until(chat, () => !isAsking(chat));
          await Promise.race([reply, until(chat, isAsking)]);
          const keyOf = (call: string): string | undefined => {
            const question = questions.find((one) => one.name === call);
            return question && wire.key(question);
          };
          const sent = decisions();
          const allowed = sent.filter(({ isYes }) => isYes).map(({ key }) => key);
          expect(allowed.length, JSON.stringify(sent)).to.be.at.most(visible.includes('read') ? 1 : 0);
          if (visible.includes('delete')) expect(allowed).not.to.include(keyOf('delete'));
          chat.stop();
        });
      }
    }
  }
});

/** Questions with ids of their own. */
const ordinary: readonly WireQuestion[] = [
  { ...READ, id: 'p', call: 'c' },
  { ...DELETE, id: 'q', call: 'd' },
];
const saved = (chat: Chat): readonly ChatMessage[] =>
  JSON.parse(JSON.stringify(chat.messages)) as readonly ChatMessage[];

describe('a permission that the user has given', () => {
  const steps: readonly {
    readonly name: string;
    readonly act: (chat: Chat, wire: ApprovalWire) => Promise<Chat | undefined>;
  }[] = [
    {
      name: 'the next message',
      act: async (chat) => {
        await chat.send('Next');
        return chat;
      },
    },
    {
      name: 'the regenerated reply',
      act: async (chat) => {
        await chat.regenerate();
        return chat;
      },
    },
    {
      name: 'the edited message, the first branch and a message to it',
      act: async (chat) => {
        const { id } = chat.messages[0] ?? { id: '' };
        await chat.edit(id, 'Go on');
        chat.selectBranch(id, 0);
        await chat.send('Next');
        return chat;
      },
    },
  ];
  for (const wire of approvalWires) {
    for (const { name, act } of steps) {
      for (const isReloaded of [false, true]) {
        it(`${wire.name}: is not sent again with ${name}${isReloaded ? ', after a reload' : ''}`, async () => {
          const first = play(wire, wire.asks(ordinary).join(''));
          const reply = first.chat.send('Go');
          await Promise.race([reply, until(first.chat, isAsking)]);
          expect(answer(first.chat).length).to.be.greaterThan(0);
          await Promise.race([reply, until(first.chat, () => false)]);
          const next = isReloaded ? play(wire) : first;
          if (isReloaded) next.chat.messages = saved(first.chat);
          const before = next.requests.length;
          await act(next.chat, wire);
          expect(next.requests.length).to.be.greaterThan(before);
          expect(next.decisions(before).filter(({ isYes }) => isYes)).to.deep.equal([]);
        });
      }
    }

    it(`${wire.name}: is sent for the call that a restored conversation shows`, async () => {
      const first = play(wire, wire.asks(ordinary).join(''));
      void first.chat.send('Go');
      await until(first.chat, isAsking);
      const restored = play(wire);
      restored.chat.messages = saved(first.chat);
      await until(restored.chat, isAsking);
      expect([...answer(restored.chat)].sort()).to.deep.equal(['delete', 'read']);
      await until(restored.chat, () => restored.chat.status === 'idle');
      const [read, remove] = ordinary.map(wire.key);
      const allowed = restored.decisions().filter(({ isYes }) => isYes);
      expect(allowed.map(({ key }) => key)).to.deep.equal(read === remove ? [] : [read]);
      first.chat.stop();
    });
  }
});

/** A body that a test continues, until the widget has read enough of it. */
function openBody() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    cancel() {
      controller = undefined;
    },
  });
  return {
    body,
    say: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    close: () => controller?.close(),
  };
}

describe('rule 83: a permission that is asked again in another way while its reply streams', () => {
  for (const wire of approvalWires) {
    for (const { name, again } of [
      { name: 'for another tool', again: DELETE },
      { name: 'with other arguments', again: { ...READ, args: DELETE.args } },
    ]) {
      it(`${wire.name}: ${name}, is not given by the answer to the first one`, async () => {
        const open = openBody();
        const { chat, decisions } = play(wire, open.body);
        const reply = chat.send('Go');
        const ids = { id: 'p', call: 'c' };
        const pieces = wire.asks([
          { ...READ, ...ids },
          { ...again, ...ids },
        ]);
        const shown = new Set<string>();
        const answerNew = (): void => {
          for (const block of pending(chat)) {
            shown.add(`${block.tool_call?.name ?? ''} ${block.tool_call?.params ?? ''}`);
            void chat.respond(block.id, isAllowed(block) ? 'granted' : 'denied');
          }
        };
        const end = chat.store.subscribe(answerNew);
        for (const piece of pieces) {
          open.say(piece);
          await new Promise((resolve) => setTimeout(resolve));
        }
        open.close();
        await Promise.race([reply, until(chat, () => false)]);
        end();
        const isShown = [...shown].some((one) => one.includes(`"${DELETE.args.path}"`));
        expect(isShown ? decisions().filter(({ isYes }) => isYes) : []).to.deep.equal([]);
      });
    }
  }
});

describe('a permission that the server withdraws', () => {
  for (const wire of approvalWires) {
    const { withdraws } = wire;
    if (!withdraws) continue;
    it(`${wire.name}: is not given by a press that comes too late`, async () => {
      const open = openBody();
      const { chat, decisions } = play(wire, open.body);
      const reply = chat.send('Go');
      const [question] = ordinary;
      const pieces = question ? wire.asks([question]) : [];
      for (const piece of pieces.slice(0, -1)) open.say(piece);
      await until(chat, () => pending(chat).length > 0);
      const [block] = pending(chat);
      for (const sent of question ? withdraws(question) : []) open.say(sent);
      await until(chat, () => pending(chat).length === 0);
      void chat.respond(block?.id ?? '', 'granted');
      open.say(wire.done);
      open.close();
      await reply;
      expect(decisions()).to.deep.equal([]);
    });
  }
});

describe('a form of Dify that the server has accepted', () => {
  it('is not submitted again when the rest of the run is requested with a new token', async () => {
    const form = {
      form_id: 'f',
      form_token: 't',
      form_content: 'Delete it?',
      actions: [
        { id: 'yes', title: 'Yes' },
        { id: 'no', title: 'No' },
      ],
    };
    let isExpired = false;
    const { chat, server } = makeChat(
      [
        ({ url, headers }) => {
          const { pathname } = new URL(url);
          if (pathname.includes('/form/')) {
            isExpired = true;
            return Response.json({});
          }
          if (isExpired && headers.get('authorization') === 'old') return new Response(null, { status: 401 });
          const events = pathname.endsWith('/events')
            ? [
                { event: 'message', answer: 'Deleted.', task_id: 'k' },
                { event: 'message_end', task_id: 'k' },
              ]
            : [
                { event: 'human_input_required', task_id: 'k', workflow_run_id: 'w', data: form },
                { event: 'workflow_paused', task_id: 'k', data: {} },
              ];
          return new Response(sse(...events), { headers: { 'content-type': 'text/event-stream' } });
        },
      ],
      {
        protocol: 'dify',
        endpoint: 'https://dify.example/v1/chat-messages',
        headers: () => ({ authorization: isLate() ? 'new' : 'old' }),
      },
    );
    const isLate = (): boolean => server.asked.some(({ url }) => url.includes('/events'));
    const reply = chat.send('Go');
    await until(chat, isAsking);
    void chat.respond(pending(chat)[0]?.id ?? '', 'answered', { payload: 'yes' });
    await reply;
    const sent = server.asked.map(
      ({ url, headers }) => `${new URL(url).pathname} ${headers.get('authorization') ?? ''}`,
    );
    expect(sent).to.deep.equal([
      '/v1/chat-messages old',
      '/v1/form/human_input/t old',
      '/v1/workflow/w/events old',
      '/v1/workflow/w/events new',
    ]);
  });
});

describe('rule 83: several answers to a protocol with room for one in a request', () => {
  const event = (...data: readonly object[]): string => sse(...data);
  const suspended = (id: string) => ({
    type: 'tool-call-approval',
    runId: 'r',
    payload: { toolCallId: id, toolName: id, args: {} },
  });
  const started = { type: 'start', runId: 'r', payload: {} };
  const stopped = { type: 'finish', runId: 'r', payload: { stepResult: { reason: 'stop' }, output: {} } };
  const question = (id: string): readonly object[] => {
    const item = {
      id,
      type: 'structured_input',
      status: 'pending',
      inputs: [{ id: `i${id}`, type: 'x', question: id }],
    };
    return [
      { type: 'thread.item.added', item },
      { type: 'thread.item.done', item },
    ];
  };
  interface Sent {
    readonly toolCallId?: string;
    readonly type?: string;
    readonly params?: { readonly item_id?: string };
  }
  const rows: readonly {
    readonly protocol: string;
    readonly endpoint: string;
    readonly asks: string;
    readonly done: string;
    readonly again: string;
    readonly sent: (asked: Asked) => readonly (string | undefined)[];
    readonly expected: readonly (readonly (string | undefined)[])[];
  }[] = [
    {
      protocol: 'mastra',
      endpoint: 'https://agent.example/api/agents/a',
      asks: event(started, suspended('p'), suspended('q')),
      done: event(started, stopped),
      again: event(started, suspended('q')),
      sent: ({ url, body }) => [new URL(url).pathname.split('/').at(-1), (body as Sent).toolCallId],
      expected: [
        ['approve-tool-call', 'p'],
        ['decline-tool-call', 'q'],
      ],
    },
    {
      protocol: 'chatkit',
      endpoint: 'https://agent.example/chatkit',
      asks: event({ type: 'thread.created', thread: { id: 'T' } }, ...question('p'), ...question('q')),
      done: event({ type: 'thread.updated', thread: { id: 'T' } }),
      again: event(...question('q')),
      sent: ({ body }) => [(body as Sent).type, (body as Sent).params?.item_id],
      expected: [
        ['threads.add_structured_input', 'p'],
        ['threads.add_structured_input', 'q'],
      ],
    },
  ];
  const start = async (
    { protocol, endpoint }: (typeof rows)[number],
    replies: string[],
    stored?: readonly ChatMessage[],
  ) => {
    const requests: Asked[] = [];
    const { chat } = makeChat(
      [
        async (asked: Asked): Promise<Response> => {
          const { body } = asked.init;
          requests.push(body instanceof Blob ? { ...asked, body: JSON.parse(await body.text()) as unknown } : asked);
          const next = replies.shift();
          return next === undefined
            ? new Response('', { status: 500 })
            : new Response(next, { headers: { 'content-type': 'text/event-stream' } });
        },
      ],
      { protocol, endpoint },
    );
    if (stored) chat.messages = stored;
    else void chat.send('Go');
    await until(chat, isAsking);
    return { chat, requests };
  };
  const answerBoth = (chat: Chat): void => {
    const [first, second] = pending(chat);
    void chat.respond(first?.id ?? '', first?.action_type === 'question' ? 'answered' : 'granted', { payload: 'Yes' });
    void chat.respond(second?.id ?? '', 'denied');
  };

  for (const row of rows) {
    it(`${row.protocol}: sends each, one after the other`, async () => {
      const { chat, requests } = await start(row, [row.asks, row.done, row.done]);
      answerBoth(chat);
      await until(chat, () => chat.status === 'idle');
      expect(requests.slice(1).map(row.sent)).to.deep.equal(row.expected);
    });

    it(`${row.protocol}: also after a reload`, async () => {
      const before = await start(row, [row.asks]);
      const stored = saved(before.chat);
      before.chat.stop();
      const { chat, requests } = await start(row, [row.done, row.done], stored);
      answerBoth(chat);
      await until(chat, () => chat.status === 'idle');
      expect(requests.map(row.sent)).to.deep.equal(row.expected);
    });

    it(`${row.protocol}: an answer to a question that is asked again takes the place of the earlier one`, async () => {
      const { chat, requests } = await start(row, [row.asks, row.again, row.done]);
      answerBoth(chat);
      await until(chat, isAsking);
      await until(chat, () => requests.length === 2 && isAsking(chat));
      void chat.respond(pending(chat)[0]?.id ?? '', 'denied');
      await until(chat, () => chat.status === 'idle');
      expect(requests.slice(1).map(row.sent)).to.deep.equal(row.expected);
    });

    it(`${row.protocol}: one that was not sent, because the reply before failed, is shown as cancelled`, async () => {
      const { chat } = await start(row, [row.asks]);
      answerBoth(chat);
      await until(chat, () => chat.status === 'error');
      const actions = chat.messages.at(-1)?.blocks.filter(({ type }) => type === 'action') ?? [];
      expect(actions.map(({ status }) => status)).to.deep.equal(['granted', 'cancel']);
    });
  }
});

describe('rule 83: two calls of page functions in a ChatKit reply', () => {
  it('run the last one only, whose result the server takes', async () => {
    const call = (id: string): readonly object[] => {
      const item = { id, type: 'client_tool_call', call_id: id, name: id, arguments: {}, status: 'pending' };
      return [
        { type: 'thread.item.added', item },
        { type: 'thread.item.done', item },
      ];
    };
    const ran: string[] = [];
    const tools = ['p', 'q'].map((name) => ({ name, description: '', parameters: {}, execute: () => ran.push(name) }));
    const asks = sse({ type: 'thread.created', thread: { id: 'T' } }, ...call('p'), ...call('q'));
    const headers = { 'content-type': 'text/event-stream' };
    const done = (): Response => new Response(sse({ type: 'thread.updated', thread: { id: 'T' } }), { headers });
    const { chat, server } = makeChat([() => new Response(asks, { headers }), done], { protocol: 'chatkit', tools });
    await chat.send('Go');
    expect(ran).to.deep.equal(['q']);
    expect(server.bodies[1]).to.deep.include({
      type: 'threads.add_client_tool_output',
      params: { thread_id: 'T', result: 1 },
    });
    const calls = chat.messages.at(-1)?.blocks.flatMap((block) => (block.type === 'tool_call' ? [block.status] : []));
    expect(calls).to.deep.equal(['error', 'success']);
  });
});
