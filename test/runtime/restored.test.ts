import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../src/model/message.ts';
import { isAsking, lines, makeChat, pending, until, wordsOf } from './support/make-chat.ts';
import { callsOf, status, stream } from './support/scripted-server.ts';
import { END, replaying, says, wireAgent } from './support/wire-agent.ts';

const asking = stream(
  says(
    { content: 'May I?' },
    { ask: { action_type: 'confirmation', content: 'Sure?' }, request: { id: 'q1' } },
    { finish: 'tool_use' },
  ),
);
const answered = stream(says({ content: 'Done.' }, END));
/** Resolves when the code is loaded that finds the agent of a message. */
const authorsLoaded = () => import('../../src/runtime/chat/earlier-reply-chunk.ts').then(() => Promise.resolve());
const question = { ask: { action_type: 'question', content: 'Where?' }, finish: 'tool_use' } as const;

/** A conversation that a page stored while the agent waited. */
async function savedConversation(ask = asking): Promise<readonly ChatMessage[]> {
  const { chat } = makeChat([ask], { protocol: wireAgent });
  void chat.send('Go');
  await until(chat, isAsking);
  return JSON.parse(JSON.stringify(chat.messages)) as ChatMessage[];
}

describe('a restored conversation with a waiting agent', () => {
  it('still waits, and accepts the answer', async () => {
    const messages = await savedConversation();
    const { chat, server } = makeChat([answered], { protocol: wireAgent });
    chat.messages = messages;
    expect(chat.status).to.equal('awaiting-action');
    await chat.respond(pending(chat).id, 'granted', { payload: true });
    await until(chat, () => chat.status === 'idle');
    expect(server.bodies).to.deep.equal([{ text: '', answers: [['granted', true]] }]);
    expect(lines(chat)).to.deep.equal(['user complete: Go', 'assistant complete: May I? | action | Done.']);
    expect(new Set(chat.messages[1]?.blocks.map(({ id }) => id)).size).to.equal(3);
  });

  for (const status of [undefined, 'complete'] as const) {
    it(`still waits if the page stores its messages ${status ? 'as complete' : 'without a status'}`, async () => {
      const { chat, server } = makeChat([answered], { protocol: wireAgent });
      const messages = (await savedConversation()).map(({ status: _, finish: _end, ...message }) => ({
        ...message,
        ...(status && { status }),
      }));
      chat.messages = messages;
      expect([chat.status, chat.messages.at(-1)?.status]).to.deep.equal(['awaiting-action', 'streaming']);
      await chat.respond(pending(chat).id, 'granted', { payload: true });
      await until(chat, () => chat.status === 'idle');
      expect(server.bodies).to.deep.equal([{ text: '', answers: [['granted', true]] }]);
      // A framework assigns the same history again.
      chat.messages = JSON.parse(JSON.stringify(messages)) as typeof messages;
      expect(lines(chat)).to.deep.equal(['user complete: Go', 'assistant complete: May I? | action | Done.']);
    });
  }

  it('keeps a question open whose answer no known protocol can send', async () => {
    const { chat, server, set } = makeChat([answered], { protocol: 'auto' });
    chat.messages = await savedConversation(stream(says(question)));
    const results = await Promise.allSettled([chat.respond(pending(chat).id, 'denied'), chat.send('Here')]);
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect([chat.status, server.asked]).to.deep.equal(['awaiting-action', []]);
    expect(pending(chat).status).to.equal('pending');
    chat.stop();
    set({ protocol: wireAgent });
    chat.messages = await savedConversation(stream(says(question)));
    await chat.respond(pending(chat).id, 'denied');
    await until(chat, () => chat.status === 'idle');
    expect(server.bodies).to.deep.equal([{ text: '', answers: [['denied', null]] }]);
  });

  it('uses the user’s next message as the answer to a question', async () => {
    const messages = await savedConversation(stream(says(question)));
    const { chat, server } = makeChat([answered], { protocol: wireAgent });
    chat.messages = messages;
    const answer = await chat.send('Here');
    expect(server.bodies).to.deep.equal([{ text: '', answers: [['answered', 'Here']] }]);
    expect(wordsOf(answer).at(-1)).to.equal('Done.');
  });

  it('sends messages that were added before a resume if resuming is not possible', async () => {
    const { chat, server } = makeChat([answered], { protocol: wireAgent });
    chat.messages = [
      { role: 'user', text: 'Go' },
      { role: 'assistant', text: 'I wi', status: 'interrupted' },
    ];
    const resumed = chat.resume({ quietly: true });
    const answer = chat.send('Again');
    await resumed;
    expect(wordsOf(await answer)).to.deep.equal(['Done.']);
    expect(server.bodies.map((body) => (body as { text: string }).text)).to.deep.equal(['Again']);
    expect(lines(chat).slice(0, 2)).to.deep.equal(['user complete: Go', 'assistant interrupted: I wi']);
  });

  it('stays sent if its answer is not accepted', async () => {
    const messages = await savedConversation();
    const { chat, server } = makeChat([status(503)], { protocol: wireAgent, retry: 'safe' });
    chat.messages = messages;
    await chat.respond(pending(chat).id, 'granted', { payload: true });
    await until(chat, () => chat.status === 'error');
    expect(server.asked).to.have.length(3);
    expect(lines(chat)[0]).to.equal('user complete: Go');
  });

  it('keeps what the page changes in the reply before the code is loaded that continues it', async () => {
    const { chat, server } = makeChat([answered], { protocol: wireAgent });
    chat.messages = await savedConversation();
    chat.updateMessage(chat.messages[1]?.id ?? '', { metadata: { note: 1 } });
    expect([chat.messages[1]?.metadata, chat.status]).to.deep.equal([{ note: 1 }, 'awaiting-action']);
    await chat.respond(pending(chat).id, 'granted', { payload: true });
    await until(chat, () => chat.status === 'idle');
    expect(server.bodies).to.deep.equal([{ text: '', answers: [['granted', true]] }]);
    expect(chat.messages[1]?.metadata).to.deep.equal({ note: 1 });
  });

  it('ends if the page removes the question before that code is loaded', async () => {
    const { chat, server } = makeChat([answered], { protocol: wireAgent });
    chat.messages = await savedConversation();
    chat.updateMessage(chat.messages[1]?.id ?? '', { blocks: [{ type: 'content', content: 'Done elsewhere.' }] });
    await until(chat, () => chat.status === 'idle');
    expect(lines(chat)[1]).to.equal('assistant complete: Done elsewhere.');
    expect(server.asked).to.deep.equal([]);
  });

  it('that is resumed automatically stays unchanged if the code for it can’t be loaded', async () => {
    const prepareTurn = () => Promise.reject(new TypeError('no chunk'));
    const { chat, told } = makeChat([answered], { protocol: replaying }, { prepareTurn });
    chat.messages = [
      { role: 'user', text: 'Go' },
      { role: 'assistant', text: 'I wi', status: 'interrupted' },
    ];
    const before = chat.messages[1];
    await chat.resume({ quietly: true });
    expect(chat.messages[1] === before).to.equal(true);
    expect([chat.busy, told.errors, told.messages.map(({ role }) => role)]).to.deep.equal([false, [], ['user']]);
  });

  it('that can’t be resumed automatically keeps what the page changes meanwhile', async () => {
    const { chat, server } = makeChat([status(500)], { protocol: replaying });
    chat.messages = [
      { role: 'user', text: 'Go' },
      { role: 'assistant', text: 'I wi', status: 'interrupted' },
    ];
    const resumed = chat.resume({ quietly: true });
    chat.updateMessage(chat.messages[1]?.id ?? '', { metadata: { before: true } });
    await server.heard(1);
    chat.updateMessage(chat.messages[1]?.id ?? '', { name: 'Ada' });
    await resumed;
    expect(lines(chat)[1]).to.equal('assistant interrupted: I wi');
    expect([chat.messages[1]?.metadata, chat.messages[1]?.name]).to.deep.equal([{ before: true }, 'Ada']);
  });

  it('ends if the page no longer has the function that it has asked about', async () => {
    const ask = stream(callsOf(['c', 'show', '{}']));
    const tools = [{ name: 'show', description: 'Shows', inputSchema: {}, needsApproval: true, execute: () => 'ok' }];
    const before = makeChat([ask], { protocol: 'openai-chat', tools });
    void before.chat.send('Go');
    await until(before.chat, isAsking);
    const { chat } = makeChat([answered], { protocol: 'openai-chat' });
    chat.messages = JSON.parse(JSON.stringify(before.chat.messages)) as ChatMessage[];
    await chat.respond(pending(chat).id, 'granted');
    await until(chat, () => chat.status === 'idle');
    expect([chat.status, chat.messages.at(-1)?.status]).to.deep.equal(['idle', 'complete']);
  });

  it('can be stopped', async () => {
    const { chat, server } = makeChat([answered], { protocol: wireAgent });
    chat.messages = await savedConversation();
    chat.stop();
    await until(chat, () => chat.status === 'idle');
    expect(chat.messages.at(-1)?.status).to.equal('cancelled');
    expect(chat.messages.at(-1)?.blocks.map(({ status }) => status)).to.deep.equal(['success', 'cancel']);
    expect(server.asked).to.deep.equal([]);
  });

  it('ends with the error, and its question closed, if the code for it can’t be loaded', async () => {
    const prepareTurn = () => Promise.reject(new TypeError('no chunk'));
    const { chat, told } = makeChat([answered], { protocol: wireAgent }, { prepareTurn });
    chat.messages = await savedConversation();
    await until(chat, () => chat.status === 'error');
    expect(lines(chat)[1]).to.equal('assistant error: May I? | action | error: load');
    expect(chat.messages[1]?.blocks.map(({ status }) => status)).to.deep.equal(['success', 'cancel', 'error']);
    expect(told.errors).to.have.length(1);
  });

  for (const [name, end] of [
    ['if the code for it can’t be loaded', undefined],
    [
      'if it is stopped before',
      ({ chat }: ReturnType<typeof makeChat>) => {
        chat.stop();
      },
    ],
  ] as const)
    it(`leaves its complete messages as they are ${name}`, async () => {
      const prepareTurn = () => (end ? new Promise<never>(() => undefined) : Promise.reject(new TypeError('no chunk')));
      const made = makeChat([answered], { protocol: wireAgent }, { prepareTurn });
      const [userMessage, asked] = await savedConversation();
      if (!userMessage || !asked) throw new Error('No question.');
      const earlier = { role: 'assistant', status: 'complete', finish: 'complete', text: 'First' } as const;
      made.chat.messages = [userMessage, earlier, { ...asked, status: 'complete' }];
      end?.(made);
      await until(made.chat, ({ busy }) => !busy);
      expect(made.chat.messages.map(({ status, finish }) => [status, finish])).to.deep.equal([
        ['complete', undefined],
        ['complete', 'complete'],
        end ? ['cancelled', 'cancelled'] : ['error', 'error'],
      ]);
    });

  it('that was cut in mid-reply stays unchanged, and can be resumed', async () => {
    const { chat } = makeChat([stream(says({ content: 'I will.' }, END))], { protocol: replaying });
    chat.messages = [
      { role: 'user', text: 'Go' },
      { role: 'assistant', text: 'I wi', status: 'streaming' },
    ];
    expect(lines(chat)).to.deep.equal(['user complete: Go', 'assistant streaming: I wi']);
    expect(chat.status).to.equal('idle');
    await chat.resume();
    expect(lines(chat)).to.deep.equal(['user complete: Go', 'assistant complete: I will.']);
  });
});

describe('a restored conversation with an answer that was not sent yet', () => {
  const ask = (id: string) => ({
    ask: { action_type: 'confirmation', content: `${id}?`, options: [{ label: 'Oslo' }, { label: 'Bergen' }] } as const,
    request: { id },
  });
  const statuses = ({ messages }: { readonly messages: readonly ChatMessage[] }) =>
    messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'action').map(({ status }) => status));
  const copyOf = (messages: readonly ChatMessage[]) => JSON.parse(JSON.stringify(messages)) as ChatMessage[];
  const answeredFirst = async (script: Parameters<typeof makeChat>[0]) => {
    const made = makeChat(script, { protocol: wireAgent });
    void made.chat.send('Go');
    await until(made.chat, isAsking);
    await made.chat.respond(pending(made.chat).id, 'answered', { payload: 'Oslo' });
    return made;
  };

  it('asks again, because the agent waits for all answers', async () => {
    const first = await answeredFirst([stream(says(ask('a'), ask('b'), { finish: 'tool_use' }))]);
    expect(statuses(first.chat)).to.deep.equal(['granted', 'pending']);
    const { chat, server } = makeChat([answered], { protocol: wireAgent });
    chat.messages = copyOf(first.chat.messages);
    expect(statuses(chat)).to.deep.equal(['pending', 'pending']);
    expect(JSON.stringify(chat.messages)).not.to.contain('decided').and.not.to.contain('"answer"');
    await chat.respond(pending(chat).id, 'answered', { payload: 'Bergen' });
    await chat.respond(pending(chat).id, 'denied');
    await until(chat, () => chat.status === 'idle');
    expect(server.bodies).to.deep.equal([
      {
        text: '',
        answers: [
          ['answered', 'Bergen'],
          ['denied', undefined],
        ].map((answer) => JSON.parse(JSON.stringify(answer)) as unknown),
      },
    ]);
    expect(JSON.stringify(chat.messages)).not.to.contain('unsent');
  });

  it('asks again, if the stream went on to another question', async () => {
    const parts = new TransformStream<Uint8Array, Uint8Array>();
    const writer = parts.writable.getWriter();
    const write = (text: string) => writer.write(new TextEncoder().encode(text));
    const made = makeChat([() => new Response(parts.readable, { headers: { 'content-type': 'text/event-stream' } })], {
      protocol: wireAgent,
    });
    void made.chat.send('Go');
    void write(says(ask('a')));
    await until(made.chat, (chat) => statuses(chat).length === 1);
    await made.chat.respond(pending(made.chat).id, 'answered', { payload: 'Oslo' });
    void write(says(ask('b'), { finish: 'tool_use' }));
    void writer.close();
    await until(made.chat, isAsking);
    const { chat } = makeChat([answered], { protocol: wireAgent });
    chat.messages = copyOf(made.chat.messages);
    expect(statuses(chat)).to.deep.equal(['pending', 'pending']);
  });

  it('does not ask again what was sent', async () => {
    const rounds = [
      stream(says(ask('a'), { finish: 'tool_use' })),
      stream(says({ content: 'And?' }, ask('b'), { finish: 'tool_use' })),
    ];
    const made = await answeredFirst(rounds);
    await until(made.chat, (chat) => isAsking(chat) && statuses(chat).length === 2);
    const { chat } = makeChat([answered], { protocol: wireAgent });
    chat.messages = copyOf(made.chat.messages);
    expect(statuses(chat)).to.deep.equal(['granted', 'pending']);
  });

  it('has no answer after a stop', async () => {
    const { chat, server } = await answeredFirst([stream(says(ask('a'), ask('b'), { finish: 'tool_use' }))]);
    chat.stop();
    await until(chat, () => chat.status === 'idle');
    expect(statuses(chat)).to.deep.equal(['cancel', 'cancel']);
    expect(server.asked.length).to.equal(1);
  });
});

describe('rule 24: a restored conversation with the question of one of several agents', () => {
  const agents = ['a', 'b'].map((id) => ({
    id,
    name: id,
    endpoint: `https://${id}.example/agent`,
    protocol: 'deepchat-events',
  }));
  const events = (...data: readonly object[]) =>
    stream(
      data
        .map((fields) => `data: ${JSON.stringify({ type: 'response', data: { eventId: 'e', ...fields } })}\n\n`)
        .join(''),
    );
  const permission = {
    tool_call: 'permission-required',
    tool_call_id: 'c',
    tool_call_params: '{}',
    permission_request: { toolName: 'pay', serverName: '', permissionType: 'write', description: '' },
    finish: 'tool_use',
  };

  async function restored(settings: Parameters<typeof makeChat>[1], author = 'b') {
    const first = makeChat([events(permission)], { agents, agent: 'b' });
    void first.chat.send('Go');
    await until(first.chat, isAsking);
    const made = makeChat([events({ content: 'Done.', finish: 'complete' })], settings);
    const stored = JSON.parse(JSON.stringify(first.chat.messages)) as ChatMessage[];
    made.chat.messages = stored.map((message) =>
      message.role === 'assistant' ? { ...message, agentId: author } : message,
    );
    expect(made.chat.status).to.equal('awaiting-action');
    return made;
  }

  it('sends the answer to that agent, and allows nothing to another one', async () => {
    const { chat, server } = await restored({ agents, agent: 'a' });
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await until(chat, () => chat.status === 'idle');
    expect(server.asked.map(({ url }) => url)).to.deep.equal(['https://b.example/agent']);
    expect(chat.approvals.list.map(({ agent }) => agent)).to.deep.equal(['https://b.example/agent b']);
    await chat.send('And now?');
    expect(server.asked.at(-1)?.url).to.equal('https://a.example/agent');
  });

  for (const endpoint of ['https://c.example/agent', '']) {
    const name = endpoint === '' ? 'without an endpoint' : 'with an endpoint of its own';
    it(`sends the answer to that agent if the page, ${name}, lists its agents later`, async () => {
      const { chat, server, set } = await restored({ endpoint, protocol: 'deepchat-events' });
      await authorsLoaded();
      set({ agents, agent: 'a' });
      void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
      await until(chat, () => chat.status === 'idle');
      expect(server.asked.map(({ url }) => url)).to.deep.equal(['https://b.example/agent']);
      expect(chat.approvals.list.map(({ agent }) => agent)).to.deep.equal(['https://b.example/agent b']);
    });
  }

  it('sends the answer to the endpoint at which it was restored, if the page sets another one', async () => {
    const endpoint = 'https://b.example/agent';
    const { chat, server, set } = await restored({ endpoint, protocol: 'deepchat-events' }, endpoint);
    await authorsLoaded();
    set({ endpoint: 'https://c.example/agent' });
    void chat.respond(pending(chat).id, 'granted');
    await server.heard(1);
    expect(server.asked.map(({ url }) => url)).to.deep.equal(['https://b.example/agent']);
    chat.stop();
  });

  it('sends the answer to that agent if the page changes another message before it lists its agents', async () => {
    const { chat, server, set } = await restored({ endpoint: '', protocol: 'deepchat-events' });
    await authorsLoaded();
    chat.updateMessage(chat.messages[0]?.id ?? '', { metadata: { note: 1 } });
    set({ agents, agent: 'a' });
    void chat.respond(pending(chat).id, 'granted');
    await until(chat, () => chat.status === 'idle');
    expect(server.asked.map(({ url }) => url)).to.deep.equal(['https://b.example/agent']);
  });

  it('counts the first of two answers, and no answer overtakes another', async () => {
    for (const decision of ['granted', 'denied'] as const) {
      const { chat, server, set } = await restored({ endpoint: 'https://c.example/agent' });
      await authorsLoaded();
      set({ agents, agent: 'a' });
      const { id } = pending(chat);
      void chat.respond(id, decision);
      void chat.respond(id, decision === 'granted' ? 'denied' : 'granted');
      await until(chat, () => chat.status === 'idle');
      expect(JSON.stringify(server.bodies)).to.contain(`"decision":"${decision}"`);
    }
  });

  it('can be stopped, and its message be changed, before an answer', async () => {
    const { chat, server } = await restored({ agents, agent: 'a' });
    await authorsLoaded();
    chat.updateMessage(chat.messages.at(-1)?.id ?? '', { metadata: { note: 1 } });
    expect([chat.messages.at(-1)?.metadata, chat.status]).to.deep.equal([{ note: 1 }, 'awaiting-action']);
    chat.stop();
    expect([chat.messages.at(-1)?.status, chat.busy, server.asked]).to.deep.equal(['cancelled', false, []]);
  });

  for (const [name, settings] of Object.entries({
    'if the page lists no agents': { agents: [], endpoint: 'https://c.example/agent' },
    'if that one is gone': { endpoint: 'https://c.example/agent' },
    'if that one is gone, and the page still names it': { agent: 'b' },
  })) {
    it(`sends it to no other agent ${name}`, async () => {
      const { chat, server } = await restored({ agents: agents.slice(0, 1), ...settings });
      void chat.respond(pending(chat).id, 'granted');
      await until(chat, () => chat.status === 'error');
      expect(server.asked).to.deep.equal([]);
    });
  }
});
