/** Answers that wait for a request while the page asks about a tool of its own. */
import { expect } from '@open-wc/testing';
import type { ClientTool } from '../../src/agents/tools.ts';
import type { BlockOf } from '../../src/model/blocks.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import type { Adapter } from '../../src/protocols/core/adapter.ts';
import type { Chat } from '../../src/runtime/chat/chat.ts';
import { isAsking, makeChat, pending, until } from './support/make-chat.ts';
import { stream, type Answerer } from './support/scripted-server.ts';
import { END, says, wireAgent } from './support/wire-agent.ts';

const ask = (id: string) => ({
  tool_call: 'permission-required' as const,
  tool_call_id: id,
  tool_call_name: id,
  permission_request: { toolName: id, serverName: 's', permissionType: 'write' as const, description: '' },
});
const callPay = {
  tool_call: 'start',
  tool_call_id: 'p1',
  tool_call_name: 'pay',
  tool_call_params: '{}',
} as const;
const WAITS = { finish: 'tool_use' } as const;
const done = stream(says({ content: 'Done.' }, END));

/** Each request has the answers about the server's calls, and the results of the page's. */
const protocol: Adapter = {
  ...wireAgent,
  request: ({ answers, messages }, { url }) => ({
    url,
    init: {
      body: {
        answers: answers.map(({ toolCallId, decision }) => `${toolCallId ?? ''} ${decision}`),
        results: messages.flatMap(({ blocks }) =>
          blocks.flatMap((block) => (block.type === 'tool_call' ? [block.tool_call.response ?? ''] : [])),
        ),
      },
    },
  }),
};
const oneByOne: Adapter = { ...protocol, nextAnswers: ([first]) => (first ? [first] : []) };

const start = (
  script: readonly Answerer[],
  settings: { readonly protocol?: Adapter; readonly pay?: ClientTool } = {},
) =>
  makeChat(script, {
    protocol: settings.protocol ?? protocol,
    tools: [settings.pay ?? { name: 'pay', description: '', needsApproval: true, execute: () => 'paid' }],
  });

const questions = ({ messages }: Chat): readonly BlockOf<'action'>[] =>
  messages.flatMap(({ blocks }) => blocks.filter((block): block is BlockOf<'action'> => block.type === 'action'));
const statuses = (chat: Chat) => questions(chat).map(({ status }) => status);
/** The next question, once it is open. */
async function next(chat: Chat, name: string): Promise<string> {
  await until(chat, () => isAsking(chat) && pending(chat).tool_call?.name === name);
  return pending(chat).id;
}
const copyOf = ({ messages }: Chat) => JSON.parse(JSON.stringify(messages)) as ChatMessage[];
const asksAndCalls = stream(says(ask('c1'), callPay, WAITS));

describe('an answer for the server, while the page asks about its own tool', () => {
  it('is asked again after a reload, because no request had it', async () => {
    const before = start([asksAndCalls]);
    void before.chat.send('Go');
    await before.chat.respond(await next(before.chat, 'c1'), 'granted');
    await next(before.chat, 'pay');
    expect(statuses(before.chat)).to.deep.equal(['granted', 'pending']);

    const { chat, server } = start([done]);
    chat.messages = copyOf(before.chat);
    expect(statuses(chat)).to.deep.equal(['pending', 'pending']);
    for (const { id } of questions(chat)) await chat.respond(id, 'granted');
    await until(chat, () => chat.status === 'idle');
    expect(server.bodies).to.deep.equal([{ answers: ['c1 granted'], results: ['paid'] }]);
    before.chat.stop();
  });

  it('is not sent while that tool runs: a stop cancels it', async () => {
    let run: () => void = () => undefined;
    const isRunning = new Promise<void>((resolve) => {
      run = resolve;
    });
    const pay: ClientTool = {
      name: 'pay',
      description: '',
      execute: () => {
        run();
        return new Promise(() => undefined);
      },
    };
    const before = start([asksAndCalls], { pay });
    void before.chat.send('Go');
    await before.chat.respond(await next(before.chat, 'c1'), 'granted');
    await isRunning;
    const reply = copyOf(before.chat).at(-1);
    expect(reply?.blocks.some(({ extra }) => Array.isArray(extra?.['unsent']))).to.equal(true);
    before.chat.stop();
    expect(statuses(before.chat)).to.deep.equal(['cancel']);
  });

  it('is asked again after a reload while that tool runs, although no question is open', async () => {
    let run: () => void = () => undefined;
    const isRunning = new Promise<void>((resolve) => {
      run = resolve;
    });
    const execute = (): Promise<never> => {
      run();
      return new Promise(() => undefined);
    };
    const before = start([asksAndCalls], { pay: { name: 'pay', description: '', execute } });
    void before.chat.send('Go');
    await before.chat.respond(await next(before.chat, 'c1'), 'granted');
    await isRunning;
    expect(statuses(before.chat)).to.deep.equal(['granted']);

    const { chat, server } = start([done]);
    chat.messages = copyOf(before.chat);
    before.chat.stop();
    expect([chat.status, statuses(chat)]).to.deep.equal(['awaiting-action', ['pending']]);
    await chat.respond(await next(chat, 'c1'), 'granted');
    await chat.respond(await next(chat, 'pay'), 'granted');
    await until(chat, ({ status: current }) => current === 'idle');
    expect(server.bodies).to.deep.equal([{ answers: ['c1 granted'], results: ['paid'] }]);
  });

  it('goes out with the result, and is then sent', async () => {
    const { chat, server } = start([asksAndCalls, done]);
    void chat.send('Go');
    await chat.respond(await next(chat, 'c1'), 'granted');
    await chat.respond(await next(chat, 'pay'), 'granted');
    await until(chat, () => chat.status === 'idle');
    expect(server.bodies[1]).to.deep.equal({ answers: ['c1 granted'], results: ['paid'] });
    expect(statuses(chat)).to.deep.equal(['granted', 'granted']);
    expect(JSON.stringify(chat.messages)).not.to.contain('unsent');
  });

  it('that is postponed stays for the next request', async () => {
    const { chat, server } = start(
      [stream(says(ask('c1'), ask('c2'), ask('c3'), WAITS)), stream(says(callPay, WAITS)), done, done],
      { protocol: oneByOne },
    );
    void chat.send('Go');
    for (const id of ['c1', 'c2', 'c3']) await chat.respond(await next(chat, id), 'granted');
    await chat.respond(await next(chat, 'pay'), 'granted');
    await until(chat, () => chat.status === 'idle');
    expect(server.bodies.map((body) => (body as { answers: unknown }).answers)).to.deep.equal([
      [],
      ['c1 granted'],
      ['c2 granted'],
      ['c3 granted'],
    ]);
  });

  it('that is postponed is sent after a round that has recovered from an error', async () => {
    const failing: Adapter = {
      ...oneByOne,
      async *decode(batches, context) {
        for await (const events of oneByOne.decode(batches, context))
          yield events.map((event) =>
            event.type === 'response' && event.data.content === 'Busy'
              ? { type: 'error', data: { eventId: context.eventId, error: 'Busy' } }
              : event,
          );
      },
    };
    const { chat, server } = start(
      [stream(says(ask('c1'), ask('c2'), WAITS)), stream(says({ content: 'Busy' }, callPay, WAITS)), done, done],
      { protocol: failing },
    );
    void chat.send('Go');
    for (const id of ['c1', 'c2', 'pay']) await chat.respond(await next(chat, id), 'granted');
    await until(chat, () => chat.status === 'idle');
    expect(server.bodies.map((body) => (body as { answers: unknown }).answers)).to.deep.equal([
      [],
      ['c1 granted'],
      [],
      ['c2 granted'],
    ]);
  });

  it('that ends the turn without a request is not shown as cancelled', async () => {
    const { chat, server } = start([
      stream(says({ ask: { action_type: 'question', content: 'Where?' }, request: { id: 'q' } }, WAITS)),
    ]);
    void chat.send('Go');
    await until(chat, isAsking);
    await chat.respond(pending(chat).id, 'dismissed');
    await until(chat, () => chat.status === 'idle');
    expect([statuses(chat), server.asked.length]).to.deep.equal([['denied'], 1]);
    expect(JSON.stringify(chat.messages)).not.to.contain('unsent');
  });

  describe('with a question that the user dismisses', () => {
    const question = { ask: { action_type: 'question', content: 'Where?' }, request: { id: 'q' } } as const;
    const asked = stream(says(callPay, question, WAITS));
    const calls = ({ messages }: Chat) =>
      messages.flatMap(({ blocks }) =>
        blocks.flatMap((block) => (block.type === 'tool_call' ? [[block.status, block.tool_call.response]] : [])),
      );

    it('the call runs that the user has allowed after a reload, and its result is sent', async () => {
      const before = start([asked]);
      void before.chat.send('Go');
      await until(before.chat, isAsking);
      await before.chat.respond(pending(before.chat).id, 'answered', { payload: 'Oslo' });
      await next(before.chat, 'pay');
      const { chat, server } = start([done]);
      chat.messages = copyOf(before.chat);
      before.chat.stop();
      await chat.respond(pending(chat).id, 'dismissed');
      await chat.respond(await next(chat, 'pay'), 'granted');
      await until(chat, ({ status }) => status === 'idle');
      expect(calls(chat)).to.deep.equal([['success', 'paid']]);
      expect(server.bodies).to.deep.equal([{ answers: [' dismissed'], results: ['paid'] }]);
    });

    it('a call that was not asked about ends with the reason, and does not run', async () => {
      const { chat, server } = start([asked]);
      void chat.send('Go');
      await until(chat, isAsking);
      await chat.respond(pending(chat).id, 'dismissed');
      await until(chat, ({ status }) => status === 'idle');
      expect([calls(chat), server.asked.length]).to.deep.equal([
        [['error', 'Not run: the user has ended the turn.']],
        1,
      ]);
    });
  });
});
