/** Questions that a stream asks again in another way: an answer to an earlier form does not count for the later one. */
import { expect } from '@open-wc/testing';
import type { LLMAgentEvent, LLMAgentEventData } from '../../src/model/events/agent-events.ts';
import type { Adapter, Answer } from '../../src/protocols/core/adapter.ts';
import { sse } from '../support/play-body.ts';
import { isAsking, makeChat, pending, until } from './support/make-chat.ts';
import { stream } from './support/scripted-server.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
const event = (data: Data): string =>
  `data: ${JSON.stringify({ type: 'response', data: { eventId: 'e', ...data } })}\n\n`;
const END = event({ finish: 'tool_use' });

const permission = (params: string, more: Data = {}): string =>
  event({
    tool_call: 'permission-required',
    tool_call_id: 'c1',
    tool_call_params: params,
    permission_request: { toolName: 'delete', serverName: '', permissionType: 'write', description: '' },
    request: { id: 'q1' },
    ...more,
  });
const question = (content: string): string =>
  event({ ask: { action_type: 'question', content }, request: { id: 'q1' } });

/** A stream that stays open; `say` continues it. */
function play(adapter: Partial<Adapter> = {}, ...rest: Parameters<typeof makeChat>[0]) {
  const sent: (readonly Answer[])[] = [];
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
  });
  const made = makeChat(
    [
      () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
      ...rest,
      stream(event({ content: 'Done', finish: 'complete' })),
    ],
    {
      protocol: {
        id: 'replaces',
        kind: 'agent',
        request: (turn, { url }) => {
          sent.push(turn.answers);
          return { url, init: { method: 'POST', body: {} } };
        },
        async *decode(batches) {
          for await (const frames of batches) yield frames.map(({ data }) => JSON.parse(data) as LLMAgentEvent);
        },
        ...adapter,
      },
    },
  );
  return {
    ...made,
    say: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    close: () => controller?.close(),
    drop: () => controller?.error(new TypeError('network error')),
    decisions: () => sent.map((answers) => answers.map(({ decision }) => decision)),
  };
}

const isAsked = (chat: ReturnType<typeof play>['chat'], words: string): boolean =>
  chat.messages.some(({ blocks }) =>
    blocks.some(
      (block) =>
        block.type === 'action' &&
        block.status === 'pending' &&
        `${block.content ?? ''} ${block.tool_call?.params ?? ''}`.includes(words),
    ),
  );

describe('rule 83: a question that is asked again in another way', () => {
  for (const { name, first, second } of [
    {
      name: 'a permission with other arguments',
      first: permission('{"path":"/tmp"}'),
      second: permission('{"path":"/"}'),
    },
    {
      name: 'a permission of another tool',
      first: permission('{"path":"/tmp"}'),
      second: permission('{"path":"/"}', {
        permission_request: { toolName: 'format', serverName: '', permissionType: 'write', description: '' },
      }),
    },
    { name: 'a question with another text', first: question('Delete /tmp?'), second: question('Delete "path":"/"}?') },
  ]) {
    it(`${name}: only the last answer is sent, because a server looks for the first one to its id`, async () => {
      const { chat, say, close, decisions } = play();
      const reply = chat.send('Go');
      say(first);
      await until(chat, () => isAsked(chat, '/tmp'));
      void chat.respond(pending(chat).id, 'granted');
      say(second + END);
      await until(chat, () => isAsked(chat, '"path":"/"}'));
      void chat.respond(pending(chat).id, 'denied');
      close();
      await reply;
      expect(decisions()).to.deep.equal([[], ['denied']]);
    });
  }

  it('keeps the answers to several permissions of one request', async () => {
    const { chat, say, close, decisions } = play();
    const reply = chat.send('Go');
    say(permission('{"a":1}') + permission('{"b":1}', { tool_call_id: 'c2' }) + END);
    close();
    await until(chat, () => chat.status === 'awaiting-action');
    void chat.respond(pending(chat).id, 'granted');
    void chat.respond(pending(chat).id, 'denied');
    await reply;
    expect(decisions()).to.deep.equal([[], ['granted', 'denied']]);
  });

  it('keeps the answers to permissions without ids', async () => {
    const { chat, say, close, decisions } = play();
    const reply = chat.send('Go');
    for (const path of ['/a', '/b']) say(permission(`{"path":"${path}"}`, { tool_call_id: '' }));
    say(END);
    close();
    await until(chat, () => chat.status === 'awaiting-action');
    void chat.respond(pending(chat).id, 'granted');
    void chat.respond(pending(chat).id, 'denied');
    await reply;
    expect(decisions()).to.deep.equal([[], ['granted', 'denied']]);
  });
});

describe('rule 83: a permission that is asked again in a later round', () => {
  const asks = permission('{"path":"/"}') + END;

  for (const first of ['granted', 'denied'] as const) {
    it(`is another question, after the user has ${first} it`, async () => {
      const { chat, say, close, decisions } = play({}, stream(asks));
      const reply = chat.send('Go');
      say(asks);
      close();
      await until(chat, isAsking);
      const { id } = pending(chat);
      void chat.respond(id, first);
      await Promise.race([reply, until(chat, () => isAsking(chat) && pending(chat).id !== id)]);
      expect(chat.status).to.equal('awaiting-action');
      void chat.respond(pending(chat).id, 'denied');
      await reply;
      expect(decisions()).to.deep.equal([[], [first], ['denied']]);
    });
  }

  it('openai-responses: is not allowed by the answer to the first one', async () => {
    const request = { type: 'mcp_approval_request', id: 'q', name: 'pay', server_label: 's', arguments: '{"sum":1}' };
    const ran = { type: 'mcp_call', id: 'm', approval_request_id: 'q', name: 'pay', server_label: 's', output: 'ok' };
    const replyWith = (...items: readonly object[]) =>
      stream(
        sse(
          { type: 'response.created', response: { id: 'r', status: 'in_progress' } },
          ...items.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
          { type: 'response.completed', response: { id: 'r', status: 'completed', output: items } },
        ),
      );
    const { chat, server } = makeChat([replyWith(request), replyWith(ran, request), replyWith()], {
      protocol: 'openai-responses',
    });
    const reply = chat.send('Go');
    await until(chat, isAsking);
    const { id } = pending(chat);
    void chat.respond(id, 'granted');
    await Promise.race([reply, until(chat, () => isAsking(chat) && pending(chat).id !== id)]);
    if (isAsking(chat)) void chat.respond(pending(chat).id, 'denied');
    await reply;
    await chat.send('And now?');
    expect(JSON.stringify(server.bodies.at(-1))).not.to.contain('"approve":true');
  });

  it('ai-sdk: is not allowed by the answer to the first one, while a tool of the page runs', async () => {
    const step = (...chunks: readonly object[]) =>
      stream(
        sse(
          { type: 'start', messageId: 'm' },
          { type: 'start-step' },
          ...chunks,
          { type: 'finish-step' },
          { type: 'finish', finishReason: 'tool-calls' },
          '[DONE]',
        ),
      );
    const pays = [
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'pay', input: { sum: 1 } },
      { type: 'tool-approval-request', approvalId: 'q', toolCallId: 'c' },
    ];
    const { chat, server } = makeChat(
      [
        step(...pays),
        step(...pays, { type: 'tool-input-available', toolCallId: 'd', toolName: 'clock', input: {} }),
        step(),
      ],
      { protocol: 'ai-sdk', tools: [{ name: 'clock', description: '', execute: () => 'noon' }] },
    );
    const reply = chat.send('Go');
    await until(chat, isAsking);
    const { id } = pending(chat);
    void chat.respond(id, 'granted');
    await Promise.race([reply, until(chat, () => isAsking(chat) && pending(chat).id !== id)]);
    if (isAsking(chat)) void chat.respond(pending(chat).id, 'denied');
    await reply;
    const approvals = server.bodies.map((body) => JSON.stringify(body).split('"approved":true').length - 1);
    expect(approvals, 'no yes beside the no about a call of that id').to.deep.equal([0, 1, 0]);
  });
});

describe('rule 79: an answer that is on its way when its stream starts again', () => {
  it('does not count if the server has not taken it', async () => {
    let refuse: () => void = () => undefined;
    const refused = new Promise<Response>((resolve) => {
      refuse = () => {
        resolve(new Response(null, { status: 500 }));
      };
    });
    const { chat, server, say, drop, decisions } = play(
      {
        resume: (_turn, { url }) => ({ request: { url, init: { method: 'GET' } }, from: 'start' }),
        respond: (_turn, { url }) => ({ url, init: { method: 'POST', body: {} } }),
      },
      () => refused,
      stream(permission('{"path":"/"}', { tool_call_id: 'c2', request: { id: 'q2' } }) + END),
    );
    const reply = chat.send('Go');
    say(permission('{"path":"/tmp"}'));
    await until(chat, () => isAsked(chat, '/tmp'));
    void chat.respond(pending(chat).id, 'granted');
    await server.heard(2);
    drop();
    await until(chat, () => isAsked(chat, '"path":"/"}'));
    refuse();
    void chat.respond(pending(chat).id, 'denied');
    await reply;
    expect(decisions()).to.deep.equal([[], ['denied']]);
  });
});

describe('rule 83: an answer that its server refuses while the stream stays open', () => {
  it('does not come back in place of the answer to a later form of its question', async () => {
    let refuse: () => void = () => undefined;
    const refused = new Promise<Response>((resolve) => {
      refuse = () => {
        resolve(new Response(null, { status: 500 }));
      };
    });
    const { chat, server, say, close, decisions } = play(
      { respond: (_turn, { url }) => ({ url, init: { method: 'POST', body: {} } }) },
      () => refused,
    );
    const reply = chat.send('Go');
    say(permission('{"path":"/tmp"}'));
    await until(chat, () => isAsked(chat, '/tmp'));
    void chat.respond(pending(chat).id, 'granted');
    await server.heard(2);
    say(permission('{"path":"/"}') + END);
    await until(chat, () => isAsked(chat, '"path":"/"}'));
    void chat.respond(pending(chat).id, 'denied');
    close();
    refuse();
    await reply;
    expect(decisions()).to.deep.equal([[], ['denied']]);
  });

  it('comes back neither when the later answer has been taken', async () => {
    const answers: (() => void)[] = [];
    const held = (status: number) => () =>
      new Promise<Response>((resolve) => {
        answers.push(() => {
          resolve(new Response(null, { status }));
        });
      });
    const { chat, server, say, close, decisions } = play(
      { respond: (_turn, { url }) => ({ url, init: { method: 'POST', body: {} } }) },
      held(500),
      held(200),
    );
    const reply = chat.send('Go');
    say(permission('{"path":"/tmp"}'));
    await until(chat, () => isAsked(chat, '/tmp'));
    void chat.respond(pending(chat).id, 'granted');
    await server.heard(2);
    say(permission('{"path":"/"}'));
    await until(chat, () => isAsked(chat, '"path":"/"}'));
    void chat.respond(pending(chat).id, 'denied');
    await server.heard(3);
    answers[1]?.();
    answers[0]?.();
    say(event({ content: 'Fine.', finish: 'complete' }));
    close();
    await reply;
    expect(decisions().flat()).to.deep.equal([]);
  });
});

describe('rule 83: two questions with one id, of which the user refuses one', () => {
  const json = (value: object): Response =>
    new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });
  const confirmation = (call: string, name: string): object => ({
    functionCall: {
      id: 'q',
      name: 'adk_request_confirmation',
      args: { originalFunctionCall: { id: call, name, args: {} }, toolConfirmation: { hint: 'Run it?' } },
    },
  });
  const approval = (callId: string, toolName: string): object => ({
    requestId: 'q',
    kind: 'tool-approval',
    prompt: 'Run it?',
    action: { callId, kind: 'tool-call', toolName, input: {} },
  });
  const network = (toolCallId: string, toolName: string): object => ({
    type: 'tool-execution-approval',
    runId: 'r',
    payload: { toolCallId, toolName, args: {} },
  });
  const lines = (...events: readonly object[]): string => events.map((one) => `${JSON.stringify(one)}\n`).join('');

  for (const { protocol, path, side, body, type = 'text/event-stream', no, yes } of [
    {
      protocol: 'adk',
      path: '/apps/app',
      side: /sessions$/,
      body: sse({ id: 'e', author: 'a', content: { parts: [confirmation('c', 'read'), confirmation('d', 'delete')] } }),
      no: '"confirmed":false',
      yes: '"confirmed":true',
    },
    {
      protocol: 'eve',
      path: '/eve/v1/session',
      side: /session(?:\/s)?$/,
      type: 'application/x-ndjson',
      body: lines(
        { type: 'message.received', data: { message: 'Go' } },
        { type: 'input.requested', data: { requests: [approval('c', 'read'), approval('d', 'delete')] } },
        { type: 'turn.waiting', data: { on: 'input' } },
      ),
      no: '"optionId":"deny"',
      yes: '"optionId":"approve"',
    },
    {
      protocol: 'mastra',
      path: '/api/agents/a/network',
      side: /^$/,
      body: sse(network('c', 'read'), network('d', 'delete')),
      no: 'decline-network-tool-call',
      yes: 'approve-network-tool-call',
    },
  ]) {
    for (const decisions of [
      ['granted', 'denied'],
      ['denied', 'granted'],
    ] as const) {
      it(`${protocol}: is answered by no, when the user has ${decisions.join(' and ')} them`, async () => {
        let isFirst = true;
        const { chat, server } = makeChat(
          [
            ({ url, init }) => {
              const isSide = init.method === 'POST' && side.test(new URL(url).pathname);
              if (isSide) return json({ id: 's', sessionId: 's' });
              if (!isFirst) return new Response(null, { status: 400 });
              isFirst = false;
              return new Response(body, { headers: { 'content-type': type } });
            },
          ],
          { protocol, endpoint: `https://agent.example${path}` },
        );
        const reply = chat.send('Go');
        await until(chat, () => chat.status === 'awaiting-action');
        for (const decision of decisions) void chat.respond(pending(chat).id, decision);
        await until(chat, () => chat.status !== 'awaiting-action');
        await reply;
        const sent = JSON.stringify(server.asked.map(({ url, body: one }) => [url, one]));
        expect(sent).to.contain(no).and.not.to.contain(yes);
      });
    }
  }
});

describe('rule 83: interrupts of AG-UI with one id', () => {
  const run = (...events: readonly object[]): string =>
    sse({ type: 'RUN_STARTED', threadId: 't', runId: 'r' }, ...events);
  const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
  const asks = (...messages: readonly string[]): string =>
    run({
      ...finished,
      outcome: {
        type: 'interrupt',
        interrupts: messages.map((message) => ({ id: 'x', reason: 'confirmation', message })),
      },
    });
  for (const [name, messages, decisions, expected] of [
    ['each has its answer', ['Read?', 'Write?'], ['granted', 'granted'], ['resolved', 'resolved']],
    ['that look alike have their answers too', ['Read?', 'Read?'], ['granted', 'granted'], ['resolved', 'resolved']],
    ['get no yes if one is denied', ['Read?', 'Write?'], ['denied', 'granted'], [false, 'cancelled']],
  ] as const)
    it(name, async () => {
      const { chat, server } = makeChat([stream(asks(...messages)), stream(run(finished))], { protocol: 'ag-ui' });
      const sent = chat.send('Go');
      await until(chat, isAsking);
      const questions = chat.messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'action'));
      expect(questions.map(({ status }) => status)).to.deep.equal(['pending', 'pending']);
      for (const [index, { id }] of questions.entries()) void chat.respond(id, decisions[index] ?? 'denied');
      await sent;
      const { resume } = server.bodies[1] as {
        resume: readonly { interruptId: string; status: string; payload?: { approved: boolean } }[];
      };
      expect(resume.map(({ interruptId }) => interruptId)).to.deep.equal(['x', 'x']);
      expect(resume.map(({ status, payload }) => (payload?.approved === false ? false : status))).to.deep.equal(
        expected,
      );
    });
});
