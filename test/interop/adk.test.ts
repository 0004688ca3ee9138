/** Google's ADK for JavaScript: the server of `@google/adk-devtools` with agents of `@google/adk` and a scripted model. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { discoverAgents } from '../../src/runtime/tools/discover-agents.ts';
import { pageAddress } from '../../src/runtime/request/page-address.ts';
import type { RespondOptions } from '../../src/runtime/chat-hooks.ts';
import type { ChatSettings } from '../../src/runtime/chat-settings.ts';
import { adkServer, call, calls, refusal, text, thought, type AdkServer } from './support/adk-server.ts';
import { inShort, pendingActions, realChat, shows, until, type RealChat } from './support/real-chat.ts';

/** The agent’s messages in the conversation, in short form. */
const blocksOf = ({ chat }: RealChat): readonly string[] =>
  chat.messages.filter(({ role }) => role === 'assistant').flatMap(inShort);
const paths = ({ sent }: RealChat): readonly string[] =>
  sent.map(({ method, path }) => `${method} ${path.replace(/anonymous-[^/]+/, 'USER').replace(/[\da-f-]{36}/, 'ID')}`);
type Decision = 'granted' | 'denied' | 'answered';

describe('Google ADK', () => {
  let server: AdkServer;
  before(async () => {
    server = await adkServer();
  });
  after(() => server.close());

  const chatWith = (settings: ChatSettings = {}) =>
    realChat({ endpoint: `${server.origin}/run_sse`, protocol: 'adk', ...settings });
  /** Answers the question of a reply, and resolves with the conversation when the agent has continued. */
  async function answerQuestion(conversation: RealChat, decision: Decision, options?: RespondOptions): Promise<void> {
    const { chat } = conversation;
    const sending = chat.send('Do it');
    const [question] = await pendingActions(chat);
    assert.ok(question);
    await chat.respond(question.id, decision, options);
    await sending;
    await until(chat, () => chat.status === 'idle');
  }

  it('answers, and its next turn is in the same session', async () => {
    server.play(text('Hel', 'lo'), text('Yes.'));
    const conversation = chatWith();
    const reply = await conversation.chat.send('Hi');
    assert.deepEqual([inShort(reply), reply.status, reply.finish], [['Hello'], 'complete', 'complete']);
    assert.equal(reply.usage?.total_tokens, 5);
    assert.deepEqual(inShort(await conversation.chat.send('Sure?')), ['Yes.']);
    assert.deepEqual(server.histories[1], ['user: Hi', 'model: Hello', 'user: Sure?']);
    assert.deepEqual(paths(conversation), [
      'GET /list-apps',
      'POST /apps/helper/users/USER/sessions',
      'POST /run_sse',
      'GET /list-apps',
      'POST /run_sse',
    ]);
    assert.deepEqual(conversation.errors, []);
  });

  it('streams', async () => {
    const { chat } = chatWith();
    const gate = Promise.withResolvers<undefined>();
    const [first, ...rest] = text('Once ', 'upon a time.');
    server.play([first ?? {}, gate.promise, ...rest]);
    const sending = chat.send('Tell');
    await shows(chat, 'Once ');
    gate.resolve(undefined);
    assert.deepEqual(inShort(await sending), ['Once upon a time.']);
  });

  it('answers without streaming', async () => {
    server.play(text('Hel', 'lo'));
    const { chat, errors } = chatWith({ endpoint: `${server.origin}/run` });
    const reply = await chat.send('Hi');
    assert.deepEqual([inShort(reply), reply.status, errors], [['Hello'], 'complete', []]);
  });

  it('thinks', async () => {
    server.play(thought('Hm.', 'Yes.'));
    assert.deepEqual(inShort(await chatWith().chat.send('Sure?')), ['thought: Hm.', 'Yes.']);
  });

  it('gets the page’s system text and context in its instruction', async () => {
    server.play(text('Hello'));
    await chatWith({ system: 'Answer in verse.', context: { page: '/cart' } }).chat.send('Hi');
    assert.match(server.instructions[0] ?? '', /Be kind\. Answer in verse\. \/cart/);
  });

  it('runs its tools, and a state delta is the agent’s state', async () => {
    server.play(call('weather', { city: 'Bergen' }), text('21 degrees.'));
    const { chat, errors, states } = chatWith();
    const reply = await chat.send('Weather?');
    assert.deepEqual(inShort(reply), [
      'success: weather({"city":"Bergen"}) → {"city":"Bergen","degrees":21}',
      '21 degrees.',
    ]);
    assert.deepEqual(server.ran, ['weather in Bergen']);
    assert.deepEqual(states, [{ city: 'Bergen' }]);
    assert.deepEqual([reply.status, errors], ['complete', []]);
  });

  it('continues after a tool that has failed', async () => {
    server.play(call('fail', {}), text('It failed.'));
    const reply = await chatWith().chat.send('Stock?');
    assert.deepEqual(inShort(reply), [
      "error: fail({}) → Error in tool 'fail': The stock can’t be read.",
      'It failed.',
    ]);
    assert.equal(reply.status, 'complete');
  });

  it('writes an artifact, which its address returns', async () => {
    server.play(call('report', {}), text('Done.'));
    const reply = await chatWith().chat.send('Report');
    const file = reply.blocks.find((block) => block.type === 'file');
    assert.equal(file?.name, 'report.txt');
    const artifact: unknown = await (await fetch(file.url ?? '')).json();
    assert.deepEqual(artifact, { text: 'All is well.' });
  });

  it('transfers to a sub-agent, which also answers the next turn', async () => {
    server.play(call('transfer_to_agent', { agentName: 'shop' }), text('I sell tickets.'), text('Two.'));
    const { chat, errors } = chatWith();
    await chat.send('A ticket');
    await chat.send('How many?');
    assert.deepEqual(
      chat.messages
        .filter(({ role }) => role === 'assistant')
        .map((reply) => [reply.metadata?.['author'], inShort(reply)]),
      [
        ['shop', ['status', 'I sell tickets.']],
        ['shop', ['Two.']],
      ],
    );
    assert.match(server.instructions[1] ?? '', /You sell tickets\./);
    assert.deepEqual(errors, []);
  });

  describe('asks for permission', () => {
    it('and runs the tool once the user has granted it', async () => {
      server.play(call('book', { city: 'Oslo' }), text('Booked.'));
      const conversation = chatWith();
      await answerQuestion(conversation, 'granted');
      assert.deepEqual(blocksOf(conversation), [
        'success: book({"city":"Oslo"}) → booked Oslo',
        'tool_call_permission: granted',
        'Booked.',
      ]);
      assert.deepEqual(server.ran, ['book Oslo']);
      assert.equal(server.histories[1]?.at(-1), 'user: book → {"result":"booked Oslo"}');
      assert.deepEqual(conversation.errors, []);
    });

    it('and does not run the tool if the user denies it', async () => {
      server.play(call('book', { city: 'Oslo' }), text('Not booked.'));
      const conversation = chatWith();
      await answerQuestion(conversation, 'denied');
      assert.deepEqual(blocksOf(conversation), [
        'error: book({"city":"Oslo"}) → This tool call is rejected.',
        'tool_call_permission: denied',
        'Not booked.',
      ]);
      assert.deepEqual(server.ran, []);
      assert.deepEqual(conversation.errors, []);
    });

    it('for two calls of one response, and each gets its own answer', async () => {
      server.play(calls(['book', { city: 'Oslo' }], ['book', { city: 'Rome' }]), text('Done.'));
      const conversation = chatWith();
      const { chat } = conversation;
      const sending = chat.send('Book both');
      const [oslo, rome] = await pendingActions(chat);
      assert.ok(oslo && rome);
      await chat.respond(oslo.id, 'denied');
      await chat.respond(rome.id, 'granted');
      await sending;
      await until(chat, () => chat.status === 'idle');
      assert.deepEqual(server.ran, ['book Rome']);
      assert.deepEqual(blocksOf(conversation), [
        'error: book({"city":"Oslo"}) → This tool call is rejected.',
        'success: book({"city":"Rome"}) → booked Rome',
        'tool_call_permission: denied',
        'tool_call_permission: granted',
        'Done.',
      ]);
      assert.deepEqual(conversation.errors, []);
    });

    it('beside a call that needs none, whose result the server does not send', async () => {
      server.play(calls(['weather', { city: 'Oslo' }], ['book', { city: 'Oslo' }]), text('Done.'));
      const conversation = chatWith();
      await answerQuestion(conversation, 'granted');
      assert.deepEqual(server.ran, ['weather in Oslo', 'book Oslo']);
      assert.deepEqual(blocksOf(conversation), [
        'error: weather({"city":"Oslo"}) → ',
        'success: book({"city":"Oslo"}) → booked Oslo',
        'tool_call_permission: granted',
        'Done.',
      ]);
      assert.deepEqual(conversation.errors, []);
    });

    it('with data, which the page changes', async () => {
      server.play(call('pay', { amount: 3 }), text('Paid.'));
      const conversation = chatWith();
      await answerQuestion(conversation, 'answered', { payload: { amount: 2 } });
      assert.deepEqual(server.ran, ['pay {"amount":2}']);
    });

    it('with data, which the user accepts', async () => {
      server.play(call('pay', { amount: 3 }), text('Paid.'));
      const conversation = chatWith();
      await answerQuestion(conversation, 'granted');
      assert.deepEqual(server.ran, ['pay {"amount":3}']);
    });
  });

  it('asks for a choice', async () => {
    server.play(call('get_user_choice', { options: ['Red', 'Blue'] }), text('Red it is.'));
    const conversation = chatWith();
    await answerQuestion(conversation, 'answered', { payload: 'Red' });
    assert.deepEqual(blocksOf(conversation), ['question: granted', 'Red it is.']);
    assert.equal(server.histories[1]?.at(-1), 'user: get_user_choice → {"result":"Red"}');
  });

  it('has the page run a long-running tool', async () => {
    server.play(call('where', {}), text('At home.'));
    const where = {
      name: 'where',
      description: '',
      parameters: { type: 'object' },
      execute: () => ({ at: 'home' }),
    };
    const conversation = chatWith({ tools: [where] });
    await conversation.chat.send('Where?');
    assert.deepEqual(blocksOf(conversation), ['success: where({}) → {"at":"home"}', 'At home.']);
    assert.equal(server.histories[1]?.at(-1), 'user: where → {"at":"home"}');
    assert.deepEqual(conversation.errors, []);
  });

  it('continues with a long-running tool of its own', async () => {
    server.play(call('ask_boss', {}), text('Asked.'));
    const reply = await chatWith().chat.send('Ask');
    assert.deepEqual(inShort(reply), ['success: ask_boss({}) → {"status":"pending"}', 'Asked.']);
    assert.equal(reply.status, 'complete');
  });

  it('is stopped, although the server continues the run, and answers the next turn', async () => {
    const { chat, errors } = chatWith();
    const gate = Promise.withResolvers<undefined>();
    const [first, ...rest] = text('Once ', 'upon a time.');
    server.play([first ?? {}, gate.promise, ...rest], text('Yes.'), text('No.'));
    const sending = chat.send('Tell');
    await shows(chat, 'Once ');
    chat.stop();
    assert.equal((await sending).status, 'cancelled');
    assert.deepEqual(inShort(await chat.send('Sure?')), ['Yes.']);
    assert.deepEqual(server.histories[1], ['user: Tell', 'user: Sure?']);
    gate.resolve(undefined);
    assert.deepEqual(inShort(await chat.send('Really?')), ['No.']);
    // The server has stored the reply that was stopped as a complete one.
    assert.ok(server.histories[2]?.includes('model: Once upon a time.'));
    assert.deepEqual(chat.messages.flatMap(inShort), ['Tell', 'Once ', 'Sure?', 'Yes.', 'Really?', 'No.']);
    assert.deepEqual(errors, []);
  });

  describe('fails', () => {
    it('with an error of the model, after the text', async () => {
      const [half] = text('Half');
      server.play([half ?? {}, new Error('{"error":{"code":429,"message":"Slow down."}}')]);
      const conversation = chatWith();
      const reply = await conversation.chat.send('Hi');
      assert.deepEqual([inShort(reply), reply.status], [['Half', 'error: Slow down.'], 'error']);
      assert.deepEqual(
        conversation.errors.map(({ code }) => code),
        ['429'],
      );
    });

    it('with a refusal', async () => {
      server.play(refusal('SAFETY', 'Blocked.'));
      const reply = await chatWith().chat.send('Hi');
      assert.deepEqual([inShort(reply), reply.status], [['error: Blocked.'], 'error']);
    });

    it('with a call of an unknown tool, after which the model answers', async () => {
      server.play(call('unknown', {}), text('Sorry.'));
      const reply = await chatWith().chat.send('Hi');
      assert.deepEqual(inShort(reply), [
        'error: unknown({}) → ',
        'error: Function unknown is not found in the toolsDict.',
        'Sorry.',
      ]);
      assert.equal(reply.status, 'error');
    });

    it('for an app that does not exist', async () => {
      const conversation = chatWith({ body: { appName: 'nobody' } });
      const reply = await conversation.chat.send('Hi');
      assert.deepEqual([inShort(reply), reply.status], [["error: Agent 'nobody' not found."], 'error']);
    });

    it('because its session is gone, and gets a new one', async () => {
      server.play(text('Hello'), text('Yes.'));
      const conversation = chatWith();
      const { metadata } = await conversation.chat.send('Hi');
      const path = `/apps/helper/users/${String(metadata?.['userId'])}/sessions/${String(metadata?.['sessionId'])}`;
      await fetch(server.origin + path, { method: 'DELETE' });
      const failed = await conversation.chat.send('Sure?');
      assert.deepEqual(inShort(failed), [`error: Session not found: ${String(metadata?.['sessionId'])}`]);
      const reply = await conversation.chat.regenerate();
      assert.deepEqual(inShort(reply), ['Yes.']);
      assert.deepEqual(server.histories[1], ['user: Sure?']);
    });
  });

  for (const path of ['/', '/list-apps', '/run_sse'])
    it(`is detected at ${path}`, async () => {
      server.play(call('weather', { city: 'Bergen' }), text('21 ', 'degrees.'), text('Yes.'));
      const { chat, errors } = realChat({ endpoint: server.origin + path, protocol: 'auto' });
      assert.deepEqual(inShort(await chat.send('Weather?')).at(-1), '21 degrees.');
      assert.deepEqual(inShort(await chat.send('Sure?')), ['Yes.']);
      assert.equal(server.histories[2]?.[0], 'user: Weather?');
      assert.deepEqual(errors, []);
    });
});

describe('Google ADK with two apps', () => {
  let server: AdkServer;
  before(async () => {
    server = await adkServer(['helper', 'flow']);
  });
  after(() => server.close());

  it('needs the name of one', async () => {
    const { chat } = realChat({ endpoint: `${server.origin}/run_sse`, protocol: 'adk' });
    assert.deepEqual(inShort(await chat.send('Hi')), [
      'error: The ADK server has 2 apps: helper, flow. Set "appName" in "body" to the one to use.',
    ]);
  });

  it('lists them in the agent picker', async () => {
    const agents = await discoverAgents(pageAddress(`${server.origin}/list-apps`), {});
    assert.deepEqual(
      agents.map(({ name, endpoint, protocol }) => [name, endpoint, protocol]),
      [
        ['helper', `${server.origin}/apps/helper`, 'adk'],
        ['flow', `${server.origin}/apps/flow`, 'adk'],
      ],
    );
    server.play(text('Hello'));
    const { chat, errors } = realChat({ agents, agent: 'helper' });
    assert.deepEqual(inShort(await chat.send('Hi')), ['Hello']);
    assert.deepEqual(errors, []);
  });

  it('runs a workflow, which asks a question', async () => {
    const conversation = realChat({ endpoint: `${server.origin}/apps/flow`, protocol: 'adk' });
    const { chat } = conversation;
    const sending = chat.send('Hi');
    const [question] = await pendingActions(chat);
    assert.equal(question?.content, 'Which colour?');
    await chat.respond(question.id, 'answered', { payload: 'Red' });
    await sending;
    await until(chat, () => chat.status === 'idle');
    assert.deepEqual(blocksOf(conversation), ['question: granted', 'I take Red.']);
    assert.deepEqual(conversation.errors, []);
  });
});
