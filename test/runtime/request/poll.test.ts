import { expect } from '@open-wc/testing';
import { enumerate } from '../../../src/enumerate.ts';
import { defaultLimits } from '../../../src/runtime/limits.ts';
import { pollReply } from '../../../src/runtime/request/poll.ts';
import type { Frame } from '../../../src/transport/frame.ts';
import type { Poll } from '../../../src/runtime/chat-settings.ts';
import type { LLMAgentEventData } from '../../../src/model/events/agent-events.ts';
import type { Chat } from '../../../src/runtime/chat/chat.ts';
import { changesOf, lines, makeChat, pending, until, wordsOf } from '../support/make-chat.ts';
import { says, wireAgent } from '../support/wire-agent.ts';
import {
  session,
  silent,
  status,
  stream,
  unreachable,
  watchedBody,
  type Answerer,
} from '../support/scripted-server.ts';

async function* batchesOf(data: string): AsyncGenerator<readonly Frame[]> {
  await Promise.resolve();
  yield [{ data }];
}

/** The request itself, whose stream never arrives. */
const taken = status(202);
const every: Poll = { source: '/reply', interval: 0 };
const soFar = (text: string): Answerer => stream(session(text, false));

describe('poll', () => {
  it('repeats until the reply is complete, each time with the complete reply', async () => {
    const { chat, server } = makeChat(
      [taken, status(204), soFar('One'), soFar('One two'), stream(session('One two three.'))],
      { poll: every },
    );
    const seen = changesOf(chat, ({ messages }) => messages.slice(-1).flatMap(wordsOf).join());
    await chat.send('Hi');
    expect(lines(chat)).to.deep.equal(['user complete: Hi', 'assistant complete: One two three.']);
    expect(seen.filter((words) => words !== '' && words !== 'Hi')).to.deep.equal(['One', 'One two', 'One two three.']);
    expect(server.asked.map(({ init, url }) => `${init.method ?? ''} ${new URL(url).pathname}`)).to.deep.equal([
      'POST /agent',
      ...Array.from({ length: 4 }, () => 'GET /reply'),
    ]);
  });

  it('keeps the id of a block in all responses', async () => {
    const { chat } = makeChat([taken, soFar('One'), stream(session('One two.'))], { poll: every });
    const ids = new Set<string>();
    chat.store.subscribe(() => {
      for (const { id } of chat.messages.at(-1)?.blocks ?? []) if (chat.messages.length === 2) ids.add(id);
    });
    await chat.send('Hi');
    expect([...ids]).to.have.length(1);
  });

  it('sends the page’s headers and credentials, without a body', async () => {
    const { chat, server } = makeChat([taken, stream(session('Hello.'))], {
      poll: every,
      headers: { authorization: 'Bearer k' },
      body: { tenant: 7 },
      credentials: 'include',
    });
    await chat.send('Hi');
    const [, poll] = server.asked;
    expect(poll?.headers.get('authorization')).to.equal('Bearer k');
    expect(poll?.init).to.include({ credentials: 'include', redirect: 'manual', referrerPolicy: 'no-referrer' });
    expect(poll?.init.body).to.equal(undefined);
  });

  it('or calls a function for the data', async () => {
    const answers = [session('One', false), session('One two.')];
    const told: string[] = [];
    const source = ({ threadId }: { readonly threadId: string }): Promise<Response> => {
      told.push(threadId);
      return Promise.resolve(new Response(answers.shift()));
    };
    const { chat, server } = makeChat([taken], { poll: { source, interval: 0 } });
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal('assistant complete: One two.');
    expect(told).to.deep.equal([chat.threadId, chat.threadId]);
    expect(server.asked).to.have.length(1);
  });

  const ASKS: Omit<LLMAgentEventData, 'eventId'> = {
    tool_call: 'permission-required',
    tool_call_id: 'c1',
    tool_call_params: '{}',
    permission_request: { toolName: 'delete', serverName: '', permissionType: 'write', description: 'Delete?' },
    request: { id: 'q1' },
  };
  const asks = says(ASKS);
  const hasQuestion = (chat: Chat): boolean =>
    chat.messages.at(-1)?.blocks.some(({ type, status }) => type === 'action' && status === 'pending') === true;
  const isAnswered = (chat: Chat): boolean =>
    chat.messages.at(-1)?.blocks.some(({ type, status }) => type === 'action' && status === 'granted') === true;

  it('an answer that is given between two requests stays, and is sent after the reply', async () => {
    const { chat, server } = makeChat(
      [
        taken,
        stream(asks),
        stream(asks),
        stream(says(ASKS, { content: 'Wait.' })),
        stream(says(ASKS, { content: 'Wait.' }, { finish: 'tool_use' })),
        taken,
        stream(says({ content: 'Done', finish: 'complete' })),
      ],
      { protocol: wireAgent, poll: { source: '/reply', interval: 50 } },
    );
    const sent = chat.send('Hi');
    await until(chat, hasQuestion);
    void chat.respond(pending(chat).id, 'granted');
    const open = changesOf(
      chat,
      () => !isAnswered(chat) && chat.messages.at(-1)?.blocks.some(({ type }) => type === 'action'),
    );
    expect((await sent).status).to.equal('complete');
    expect(open).not.to.include(true);
    expect(server.asked.map(({ body }) => body).filter((body) => body !== undefined)).to.deep.equal([
      { text: 'Hi', answers: [] },
      { text: '', answers: [['granted', null]] },
    ]);
  });

  it('an answer stays with its question if the next response has a text before it', async () => {
    const { chat, server } = makeChat(
      [
        taken,
        stream(asks),
        stream(says({ content: 'Wait.' }, ASKS)),
        stream(says({ content: 'Wait.' }, ASKS, { finish: 'tool_use' })),
        taken,
        stream(says({ content: 'Done', finish: 'complete' })),
      ],
      { protocol: wireAgent, poll: { source: '/reply', interval: 50 } },
    );
    const sent = chat.send('Hi');
    await until(chat, hasQuestion);
    void chat.respond(pending(chat).id, 'granted');
    const open = changesOf(chat, () => hasQuestion(chat));
    await sent;
    expect(open).not.to.include(true);
    expect(server.asked.map(({ body }) => body).filter((body) => body !== undefined)).to.deep.equal([
      { text: 'Hi', answers: [] },
      { text: '', answers: [['granted', null]] },
    ]);
  });

  it('each of two equal questions keeps its answer if the next response has a text before them', async () => {
    const sure = { ask: { action_type: 'confirmation', content: 'Sure?' } } as const;
    const { chat } = makeChat(
      [taken, stream(says(sure, sure)), stream(says({ content: 'Wait.' }, sure, sure, { finish: 'tool_use' }))],
      { protocol: wireAgent, poll: { source: '/reply', interval: 50 } },
    );
    void chat.send('Hi');
    await until(chat, hasQuestion);
    void chat.respond(pending(chat).id, 'granted');
    void chat.respond(pending(chat).id, 'denied');
    await until(
      chat,
      () => chat.messages.at(-1)?.blocks[0]?.type === 'content' && chat.messages.at(-1)?.blocks.length === 3,
    );
    expect(chat.messages.at(-1)?.blocks.map(({ status }) => status)).to.deep.equal(['success', 'granted', 'denied']);
    chat.stop();
  });

  it('an answer stays with its question if a response in between does not have it', async () => {
    const { chat } = makeChat([taken, stream(asks), stream(says({ content: 'Wait.' })), stream(asks)], {
      protocol: wireAgent,
      poll: { source: '/reply', interval: 50 },
    });
    void chat.send('Hi');
    await until(chat, hasQuestion);
    void chat.respond(pending(chat).id, 'granted');
    const open = changesOf(chat, () => hasQuestion(chat));
    await until(chat, () => chat.messages.at(-1)?.blocks[0]?.type === 'content');
    await until(chat, () => chat.messages.at(-1)?.blocks.some(({ type }) => type === 'action') === true);
    expect(open).not.to.include(true);
    chat.stop();
  });

  it('an answer is forgotten after as many others as a reply may have blocks', async () => {
    const question = (id: string) => says({ ...ASKS, request: { id }, tool_call_params: `{"id":"${id}"}` });
    const ids = ['a', 'b', 'c', 'a'];
    const { chat } = makeChat([taken, ...ids.map((id) => stream(question(id)))], {
      protocol: wireAgent,
      poll: { source: '/reply', interval: 100 },
      limits: { blocks: 2 },
    });
    void chat.send('Hi');
    for (const [index, id] of enumerate(ids)) {
      await until(chat, () => {
        const [block] = chat.messages.at(-1)?.blocks.filter(({ type }) => type === 'action') ?? [];
        return block?.status === 'pending' && JSON.stringify(block).includes(`"${id}`);
      });
      if (index < 3) void chat.respond(pending(chat).id, 'granted');
    }
    expect(pending(chat).status).to.equal('pending');
    chat.stop();
  });

  for (const interval of [0, -1, Number.NaN, 2 ** 40]) {
    it(`waits between two requests, whatever interval is set: ${String(interval)}`, async () => {
      const delays: (number | undefined)[] = [];
      const { setTimeout: real } = globalThis;
      // Calls back at once, so that the test does not wait.
      const noted = (callback: () => void, delay?: number): unknown => {
        delays.push(delay);
        return real(callback);
      };
      Object.assign(globalThis, { setTimeout: noted });
      try {
        const source = (): Promise<Response> => Promise.resolve(new Response('One'));
        // No timer limits a time that is longer than the longest timer.
        const limits = { ...defaultLimits, idle: 2 ** 40, firstByte: 2 ** 40 };
        const polls = pollReply(
          { source, interval },
          {
            settings: {},
            context: { url: 'https://agent.example/', protocol: undefined, conversation: [], threadId: 't' },
            limits,
            signal: new AbortController().signal,
            silenceFrom: () => 0,
            open: () => Promise.resolve({ framing: 'text', batches: batchesOf('One') }),
            wait: () => Promise.resolve(),
          },
        );
        await polls.next();
        await polls.return(undefined);
      } finally {
        Object.assign(globalThis, { setTimeout: real });
      }
      expect(delays).to.have.length(1);
      expect(delays[0]).to.be.within(100, 2 ** 31 - 1);
    });
  }

  it('an answer does not count for another question of the next response', async () => {
    const other = says({ ...ASKS, tool_call_id: 'c2', request: { id: 'q2' }, tool_call_params: '{"all":true}' });
    const { chat } = makeChat([taken, stream(asks), stream(other)], {
      protocol: wireAgent,
      poll: { source: '/reply', interval: 50 },
    });
    const sent = chat.send('Hi');
    await until(chat, hasQuestion);
    const { id } = pending(chat);
    void chat.respond(id, 'granted');
    await until(chat, () => chat.messages.at(-1)?.blocks.some((block) => block.status === 'pending') === true);
    expect(pending(chat).id).not.to.equal(id);
    chat.stop();
    await sent;
  });

  for (const [name, failure] of [
    ['a bad status', status(502)],
    ['no network', unreachable],
    ['a connection that is lost in a response', watchedBody([session('', false)], 'drop').response],
  ] as const) {
    it(`${name} is tried again`, async () => {
      const { chat, told } = makeChat([taken, soFar('One'), failure, stream(session('One two.'))], {
        poll: every,
        retry: 'safe',
      });
      chat.store.subscribe(() => chat.store.state.wait?.now());
      await chat.send('Hi');
      expect([lines(chat).at(-1), told.errors]).to.deep.equal(['assistant complete: One two.', []]);
    });
  }

  it('ends if each attempt fails', async () => {
    const { chat, server, told } = makeChat([taken, soFar('One'), status(502)], { poll: every, retry: 'safe' });
    chat.store.subscribe(() => chat.store.state.wait?.now());
    await chat.send('Hi');
    expect([server.asked.length, told.errors.length]).to.deep.equal([5, 1]);
    expect(lines(chat).at(-1)).to.equal('assistant error: One | error: server');
  });

  for (const [name, script, end] of [
    ['before the reply', [taken, status(204)], 'interrupted: error: no-answer'],
    ['without a response to the first request', [taken, silent], 'interrupted: error: no-answer'],
    ['without a response after a part of it', [taken, soFar('One'), silent], 'interrupted: One | error: stalled'],
    ['after a part of it', [taken, soFar('One'), status(204)], 'interrupted: One | error: stalled'],
    ['while each response repeats the last one', [taken, soFar('One')], 'interrupted: One | error: stalled'],
  ] as const) {
    it(`has a limit for the time without a reply: ${name}`, async () => {
      const { chat } = makeChat(script, {
        poll: { source: '/reply', interval: 5 },
        limits: { idle: 50, firstByte: 50 },
      });
      await chat.send('Hi');
      expect(lines(chat).at(-1)).to.equal(`assistant ${end}`);
    });
  }

  const breaks: readonly { readonly name: string; readonly script: Answerer; readonly end: string }[] = [
    { name: 'a bad status', script: status(500), end: 'error: One | error: server' },
    { name: 'no network', script: unreachable, end: 'interrupted: One | error: dropped' },
    {
      name: 'a connection that is lost in a response',
      script: watchedBody([session('', false)], 'drop').response,
      end: 'interrupted: One | error: dropped',
    },
  ];
  for (const { name, script, end } of breaks) {
    it(`${name} ends it, and the received text is kept`, async () => {
      const { chat, told } = makeChat([taken, soFar('One'), script], { poll: every });
      await chat.send('Hi');
      expect(lines(chat).at(-1)).to.equal(`assistant ${end}`);
      expect(told.errors).to.have.length(1);
    });
  }

  it('ends with the agent’s own error', async () => {
    const failed = `data: ${JSON.stringify({ type: 'error', data: { message: 'No seats.' } })}\n\n`;
    const end = `data: ${JSON.stringify({ type: 'session_end', data: { status: 'error' } })}\n\n`;
    const { chat, server } = makeChat([taken, soFar('One'), stream(failed + end)], { poll: every });
    await chat.send('Hi');
    expect(chat.messages.at(-1)?.status).to.equal('error');
    expect(server.asked).to.have.length(3);
  });

  it('reports unreadable data once for all responses', async () => {
    const broken = 'data: {"type":\n\n';
    const { chat, told } = makeChat(
      [taken, stream(broken + session('One', false)), stream(broken + session('One two.'))],
      { poll: every },
    );
    const answer = await chat.send('Hi');
    expect(answer.metadata).to.include({ unreadable: true });
    expect(told.errors.map(({ kind }) => kind)).to.deep.equal(['protocol']);
  });

  it('stops with the reply, in a wait and in a response', async () => {
    const waiting = makeChat([taken], { poll: { source: '/reply', interval: 1e6 } });
    const first = waiting.chat.send('Hi');
    await waiting.server.heard(1);
    waiting.chat.stop();
    expect((await first).status).to.equal('cancelled');

    const asking = makeChat([taken, soFar('One'), silent], { poll: every });
    const second = asking.chat.send('Hi');
    await asking.server.heard(3);
    await until(asking.chat, ({ messages }) => messages.at(-1)?.blocks.length === 1);
    asking.chat.stop();
    await second;
    expect(lines(asking.chat).at(-1)).to.equal('assistant cancelled: One');
    expect([waiting.server.asked.length, asking.server.asked.length]).to.deep.equal([1, 3]);
  });
});
