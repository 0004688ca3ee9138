import { expect } from '@open-wc/testing';
import type { ClientTool } from '../../src/agents/tools.ts';
import { createStreamEvent as core } from '../../src/model/events/core-events.ts';
import { sse } from '../support/play-body.ts';
import { isAsking, lines, makeChat, pending, until, type Made } from './support/make-chat.ts';
import { callsOf, completionOf, status, stream, type Answerer } from './support/scripted-server.ts';
import { replaying, says } from './support/wire-agent.ts';

/** This many rounds with one call each, then an answer. */
const rounds = (count: number): readonly Answerer[] => [
  ...Array.from({ length: count }, (_, index) => stream(callsOf([`c${String(index)}`, 'step', '{}']))),
  stream(completionOf('Done.')),
];

function start(count: number, maxToolRounds?: number): Made & { readonly ran: () => number } {
  let ran = 0;
  const step: ClientTool = { name: 'step', description: '', parameters: {}, execute: () => ran++ };
  const made = makeChat(rounds(count), { protocol: 'openai-chat', tools: [step], maxToolRounds });
  return { ...made, ran: () => ran };
}

it('rounds whose calls the user allows one by one do not count', async () => {
  const step: ClientTool = { name: 'step', description: '', parameters: {}, needsApproval: true, execute: () => 'ran' };
  const { chat } = makeChat(rounds(4), { protocol: 'openai-chat', tools: [step], maxToolRounds: 2 });
  const sent = chat.send('Hi');
  for (let call = 0; call < 4; call++) {
    await until(chat, isAsking);
    expect(pending(chat).action_type).to.equal('tool_call_permission');
    await chat.respond(pending(chat).id, 'granted');
  }
  expect((await sent).status).to.equal('complete');
});

it('a failure from which a round has recovered does not count in the next one', async () => {
  const step: ClientTool = { name: 'step', description: '', parameters: {}, execute: () => 'ran' };
  const failing = sse(
    { type: 'error', data: { eventId: 'e', error: 'Once more' } },
    core.toolCallStart('c1', 'step'),
    core.toolCallEnd('c1', '{}'),
    core.stop('tool_use'),
  );
  for (const end of [{ type: 'end', data: { eventId: 'e' } }, '[DONE]']) {
    const text = sse({ type: 'response', data: { eventId: 'e', content: 'Done.' } });
    const last = typeof end === 'string' ? `data: ${end}\n\n` : sse(end);
    const { chat } = makeChat([stream(failing), stream(text + last)], { protocol: 'deepchat-events', tools: [step] });
    expect((await chat.send('Hi')).status).to.equal('complete');
    expect(lines(chat).at(-1)).to.equal('assistant complete: error: Once more | tool_call | Done.');
  }
});

describe('a call id that repeats in a later round', () => {
  const again = (text = ''): readonly Answerer[] => [
    stream(callsOf(['call_0', 'step', '{"n":1}'])),
    stream((text && `${completionOf(text).split('\n\n')[0] ?? ''}\n\n`) + callsOf(['call_0', 'step', '{"n":2}'])),
    stream(completionOf('Done.')),
  ];
  for (const { name, text } of [
    { name: 'immediately', text: '' },
    { name: 'after text', text: 'Once more.' },
  ]) {
    it(`is another call, ${name}, and its id is sent back with each result`, async () => {
      const step: ClientTool = { name: 'step', description: '', parameters: {}, execute: (args) => args };
      const { chat, server } = makeChat(again(text), { protocol: 'openai-chat', tools: [step] });
      const { blocks } = await chat.send('Hi');
      const calls = blocks.filter((block) => block.type === 'tool_call');
      expect(calls.map(({ status, tool_call }) => [status, tool_call.params, tool_call.response])).to.deep.equal([
        ['success', '{"n":1}', '{"n":1}'],
        ['success', '{"n":2}', '{"n":2}'],
      ]);
      expect(new Set(blocks.map(({ id }) => id)).size).to.equal(blocks.length);
      const { messages } = server.bodies[2] as { messages: { role: string; tool_call_id?: string; content: string }[] };
      expect(
        messages.map(({ role, tool_call_id, content }) => (role === 'tool' ? [tool_call_id, content] : role)),
      ).to.deep.equal(['user', 'assistant', ['call_0', '{"n":1}'], 'assistant', ['call_0', '{"n":2}']]);
    });
  }

  it('asks for permission again', async () => {
    const step: ClientTool = {
      name: 'step',
      description: '',
      parameters: {},
      needsApproval: true,
      execute: () => 'ran',
    };
    const same = stream(callsOf(['call_0', 'step', '{}']));
    const { chat } = makeChat([same, same, stream(completionOf('Done.'))], { protocol: 'openai-chat', tools: [step] });
    const sent = chat.send('Hi');
    const asked = new Set<string>();
    for (let round = 0; round < 2; round++) {
      await until(chat, isAsking);
      asked.add(pending(chat).id);
      void chat.respond(pending(chat).id, 'granted');
    }
    expect((await sent).status).to.equal('complete');
    expect(asked.size).to.equal(2);
  });
});

describe('max-tool-rounds', () => {
  const within = [
    { name: 'eight rounds by default', count: 8, limit: undefined },
    { name: 'as many as the page says', count: 2, limit: 2 },
  ];
  for (const { name, count, limit } of within) {
    it(`${name} run without asking`, async () => {
      const { chat, server, ran } = start(count, limit);
      expect((await chat.send('Hi')).status).to.equal('complete');
      expect([ran(), server.asked.length]).to.deep.equal([count, count + 1]);
    });
  }

  it('over the limit the user decides, before anything more is run', async () => {
    const { chat, ran } = start(2, 1);
    void chat.send('Hi');
    await until(chat, isAsking);
    expect(pending(chat).action_type).to.equal('maximum_tool_calls_reached');
    expect(ran()).to.equal(1);
    chat.stop();
  });

  it('"continue" allows the same number again, then asks again', async () => {
    const { chat, ran, server } = start(3, 1);
    const sent = chat.send('Hi');
    for (const round of [1, 2]) {
      await until(chat, isAsking);
      expect(ran()).to.equal(round);
      void chat.respond(pending(chat).id, 'granted');
    }
    const answer = await sent;
    expect(answer.status).to.equal('complete');
    expect(answer.blocks.at(-1)).to.include({ type: 'content', content: 'Done.' });
    expect([ran(), server.asked.length]).to.deep.equal([3, 4]);
    const asked = answer.blocks.filter(({ type }) => type === 'action');
    expect(asked.map((block) => block.status)).to.deep.equal(['granted', 'granted']);
  });

  for (const decision of ['denied', 'dismissed'] as const) {
    it(`${decision}, the turn ends there and nothing is sent`, async () => {
      const { chat, ran, server, told } = start(2, 1);
      const sent = chat.send('Hi');
      await until(chat, isAsking);
      void chat.respond(pending(chat).id, decision);
      const answer = await sent;
      expect(answer.status).to.equal('complete');
      const [, second] = answer.blocks.filter(({ type }) => type === 'tool_call');
      expect(second).to.have.nested.property('error.message', 'Not run: the user did not allow the agent to continue.');
      expect([ran(), server.asked.length, told.errors]).to.deep.equal([1, 2, []]);
    });
  }

  describe('with questions of the server', () => {
    const asking = (id: number): Answerer =>
      stream(
        sse(
          {
            type: 'response',
            data: {
              eventId: 'e',
              tool_call: 'permission-required',
              tool_call_id: `s${String(id)}`,
              tool_call_name: 'get_time',
              tool_call_params: '{}',
              permission_request: { toolName: 'get_time', serverName: '', permissionType: 'read', description: '' },
            },
          },
          core.toolCallStart(`c${String(id)}`, 'step'),
          core.toolCallEnd(`c${String(id)}`, '{}'),
          core.stop('tool_use'),
        ),
      );
    const setUp = () => {
      let ran = 0;
      const step: ClientTool = { name: 'step', description: '', parameters: {}, execute: () => ran++ };
      const replies = [1, 2, 3, 4, 5, 6].map(asking);
      const made = makeChat(replies, { protocol: 'deepchat-events', tools: [step], maxToolRounds: 2 });
      return { ...made, ran: () => ran };
    };

    it('rule 24: rounds that a permanent approval answers count', async () => {
      const { chat, server, ran } = setUp();
      void chat.send('Hi');
      await until(chat, isAsking);
      void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
      await until(chat, isAsking);
      expect([pending(chat).action_type, ran()]).to.deep.equal(['maximum_tool_calls_reached', 3]);
      void chat.respond(pending(chat).id, 'granted');
      await until(chat, isAsking);
      expect([pending(chat).action_type, ran()]).to.deep.equal(['maximum_tool_calls_reached', 5]);
      expect((server.bodies.at(-1) as { permissions: object[] }).permissions).to.have.length(1);
      chat.stop();
    });

    it('rounds that the user answers do not', async () => {
      const { chat, ran } = setUp();
      void chat.send('Hi');
      for (const round of [0, 1, 2, 3, 4]) {
        await until(chat, isAsking);
        expect([pending(chat).action_type, ran()]).to.deep.equal(['tool_call_permission', round]);
        void chat.respond(pending(chat).id, 'granted');
      }
      await until(chat, isAsking);
      chat.stop();
    });
  });
});

describe('rounds of a model in one stream', () => {
  const events = (...list: readonly object[]) => list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  const asks = events(core.toolCallStart('c1', 'step'), core.toolCallEnd('c1', '{}'), core.stop('tool_use'));
  const body = () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const answer = () => new Response(readable, { headers: { 'content-type': 'text/event-stream' } });
    return { answer, writer, write: (text: string) => writer.write(new TextEncoder().encode(text)) };
  };

  it('are read to their end if the page does not have the tool, because the server runs it', async () => {
    const { answer, writer, write } = body();
    const { chat, told } = makeChat([answer], { protocol: 'deepchat-events' });
    const reply = chat.send('Hi');
    await write(asks);
    await until(chat, ({ messages }) => messages.at(-1)?.blocks[0]?.type === 'tool_call');
    expect(told.events.some(({ type, data }) => type === 'response' && data.finish)).to.equal(false);
    await write(events(core.text('Done.'), core.stop('complete')));
    await writer.close();
    const { blocks, status } = await reply;
    expect([status, ...blocks.map((block) => block.status)]).to.deep.equal(['complete', 'success', 'success']);
  });

  it('are a round of the page if it has the tool, also while the connection stays open', async () => {
    const { answer, write } = body();
    const step: ClientTool = { name: 'step', description: '', parameters: {}, execute: () => 'ran' };
    const { chat } = makeChat([answer, stream(events(core.text('Done.'), core.stop('complete')))], {
      protocol: 'deepchat-events',
      tools: [step],
    });
    const reply = chat.send('Hi');
    await write(asks);
    const { blocks, status } = await reply;
    expect([status, ...blocks.map((block) => block.status)]).to.deep.equal(['complete', 'success', 'success']);
    expect(blocks[0]).to.have.nested.property('tool_call.response', 'ran');
  });

  it('end with a call that nobody runs', async () => {
    const { chat } = makeChat([stream(asks)], { protocol: 'deepchat-events' });
    const { blocks } = await chat.send('Hi');
    expect(blocks.map((block) => block.type === 'tool_call' && block.error?.code)).to.deep.equal(['no-handler']);
  });
});

describe('a round after one that was resumed from its start', () => {
  const call = { tool_call: 'start', tool_call_id: 'c', tool_call_name: 'step', tool_call_params: '{}' } as const;

  it('leaves the finished round as it is if it fails', async () => {
    const step: ClientTool = { name: 'step', description: '', parameters: {}, execute: () => 'ran' };
    const { chat } = makeChat(
      [
        stream(says({ content: 'I will lo' })),
        stream(says({ content: 'I will look.' }, call, { finish: 'tool_use' })),
        status(500),
      ],
      { protocol: replaying, tools: [step] },
    );
    const { blocks } = await chat.send('Hi');
    expect(lines(chat)).to.deep.equal([
      'user complete: Hi',
      'assistant error: I will look. | tool_call | error: server',
    ]);
    expect(blocks[1]).to.have.nested.property('tool_call.response', 'ran');
  });

  it('keeps text that continues a block if the server has forgotten the reply', async () => {
    const { chat } = makeChat(
      [
        stream(says({ content: 'One ' }, { paused: true, finish: 'tool_use' })),
        stream(says({ content: 'two thr' })),
        stream(says({})),
      ],
      { protocol: replaying },
    );
    await chat.send('Hi');
    expect(lines(chat)).to.deep.equal(['user complete: Hi', 'assistant interrupted: One two thr | error: cut']);
  });
});
