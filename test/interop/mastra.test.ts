/** Mastra's own server, with an agent, one with a memory, a network and a durable agent. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ChatSettings } from '../../src/runtime/chat-settings.ts';
import { call, done, streamingModel, textParts } from './support/ai-sdk-server.ts';
import { mastraServer, type MastraTestServer } from './support/mastra-server.ts';
import { inShort, pendingActions, realChat, received, shows, until } from './support/real-chat.ts';

const says = (text: string) => [...textParts(text), ...done()];
const calls = (id: string, name: string, input: object) => [...call(id, name, input), ...done('tool-calls')];
const memory = { resource: 'user-17' };

/** A `fetch` whose response bodies can be cut while the server's connection stays open. */
function cutFetch(): { readonly fetch: typeof fetch; cut(): void } {
  const bodies: ReadableStreamDefaultController<Uint8Array>[] = [];
  return {
    fetch: async (input, init) => {
      const { body, headers, status } = await fetch(input, { ...init, signal: null });
      const cuttable = new ReadableStream<Uint8Array>({
        async start(controller) {
          bodies.push(controller);
          for await (const bytes of body ?? []) if (controller.desiredSize !== null) controller.enqueue(bytes);
          if (controller.desiredSize !== null) controller.close();
        },
      });
      return new Response(cuttable, { headers, status });
    },
    cut() {
      for (const controller of bodies) controller.error(new TypeError('network error'));
    },
  };
}

describe('Mastra', () => {
  let server: MastraTestServer;
  before(async () => {
    server = await mastraServer();
  });
  after(() => server.close());

  const chatWith = (settings: ChatSettings = {}, agent = 'helper') =>
    realChat({ endpoint: `${server.origin}/api/agents/${agent}/stream`, protocol: 'mastra', ...settings });

  it('answers in a stream, and its next turn has the history', async () => {
    const model = streamingModel();
    server.play(model.stream, says('Yes.'));
    const { chat, errors } = chatWith();
    const sending = chat.send('Hi');
    const [start, first, ...rest] = says('Hello');
    if (start && first) model.write(start, first);
    await shows(chat, 'Hel');
    model.write(...rest);
    model.end();
    const reply = await sending;
    assert.deepEqual([inShort(reply), reply.status, reply.finish], [['Hello'], 'complete', 'complete']);
    assert.deepEqual(reply.usage, { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 });
    assert.deepEqual(inShort(await chat.send('Sure?')), ['Yes.']);
    assert.deepEqual(server.histories()[1], [
      ['system', ['Help.']],
      ['user', ['Hi']],
      ['assistant', ['Hello']],
      ['user', ['Sure?']],
    ]);
    assert.deepEqual(errors, []);
  });

  it('with a memory, gets only the new message', async () => {
    server.play(says('Hello'), says('Yes.'));
    const { chat, errors, sent } = chatWith({ body: { memory } }, 'remembering');
    await chat.send('Hi');
    assert.deepEqual(inShort(await chat.send('Sure?')), ['Yes.']);
    assert.deepEqual(server.histories()[1], [
      ['system', ['Help.']],
      ['user', ['Hi']],
      ['assistant', ['Hello']],
      ['user', ['Sure?']],
    ]);
    assert.deepEqual([sent.length, errors], [2, []]);
  });

  it('runs tools of the server, and the next turn has their results', async () => {
    server.play(calls('a', 'weather', { city: 'Bergen' }), says('21 degrees.'), says('Yes.'));
    const { chat, errors } = chatWith();
    const reply = await chat.send('Weather?');
    assert.deepEqual(inShort(reply), ['success: weather({"city":"Bergen"}) → {"degrees":21}', '21 degrees.']);
    assert.deepEqual([reply.status, reply.usage?.total_tokens], ['complete', 14]);
    await chat.send('Sure?');
    assert.deepEqual(server.histories()[2], [
      ['system', ['Help.']],
      ['user', ['Weather?']],
      ['assistant', [['a', { city: 'Bergen' }]]],
      ['tool', [['a', '{"degrees":21}']]],
      ['assistant', ['21 degrees.']],
      ['user', ['Sure?']],
    ]);
    assert.deepEqual(errors, []);
  });

  it('shows why calls have failed', async () => {
    server.play(
      [
        ...call('a', 'weather', { city: 'Atlantis' }),
        ...call('b', 'weather', { town: 'Bergen' }),
        ...calls('c', 'wether', {}),
      ],
      says('It failed.'),
    );
    const reply = await chatWith().chat.send('Weather?');
    const [thrown, refused, unknown, text] = inShort(reply);
    assert.equal(thrown, 'error: weather({"city":"Atlantis"}) → No such city.');
    assert.match(refused ?? '', /^error: weather\({"town":"Bergen"}\) → Tool input validation failed for weather\./);
    assert.match(unknown ?? '', /^error: wether\({}\) → /);
    assert.deepEqual([text, reply.status], ['It failed.', 'complete']);
  });

  it('shows the text of an agent that is called as a tool', async () => {
    server.play(calls('a', 'agent-guide', { prompt: 'Rome?' }), says('The Forum.'), says('See the Forum.'));
    const { chat, errors } = chatWith();
    const { blocks } = await chat.send('Rome?');
    const [card, inner, text] = blocks;
    assert.deepEqual(
      [
        card?.type,
        inner?.type === 'content' && [inner.content, inner.parentId],
        text?.type === 'content' && text.content,
      ],
      ['tool_call', ['The Forum.', card?.id], 'See the Forum.'],
    );
    assert.deepEqual(errors, []);
  });

  for (const agent of ['helper', 'durable'])
    for (const decision of ['granted', 'denied'] as const)
      it(`asks for permission, which is ${decision}: ${agent}`, async () => {
        server.play(calls('a', 'book', { city: 'Oslo' }), says('Fine.'));
        const { chat, errors } = chatWith({}, agent);
        const sending = chat.send('Book it');
        const [question] = await pendingActions(chat);
        assert.deepEqual(server.ran, []);
        void chat.respond(question?.id ?? '', decision, { note: 'Too dear.' });
        await sending;
        await until(chat, () => chat.status === 'idle');
        const isGranted = decision === 'granted';
        assert.deepEqual(chat.messages.slice(1).flatMap(inShort), [
          isGranted ? 'success: book({"city":"Oslo"}) → {"booked":"Oslo"}' : 'error: book({"city":"Oslo"}) → Too dear.',
          `tool_call_permission: ${decision}`,
          'Fine.',
        ]);
        assert.deepEqual(server.ran, isGranted ? [{ city: 'Oslo' }] : []);
        assert.deepEqual(server.histories()[1]?.at(-1), [
          'tool',
          [['a', isGranted ? { booked: 'Oslo' } : 'Too dear.']],
        ]);
        assert.deepEqual(errors, []);
      });

  for (const agent of ['helper', 'durable'])
    it(`asks for each of two calls, if the page requires it: ${agent}`, async () => {
      server.play(
        [...call('a', 'weather', { city: 'Oslo' }), ...calls('b', 'weather', { city: 'Bergen' })],
        says('Fine.'),
      );
      const { chat, errors } = chatWith({ body: { requireToolApproval: true } }, agent);
      const sending = chat.send('Weather?');
      const [first] = await pendingActions(chat);
      void chat.respond(first?.id ?? '', 'denied');
      await until(chat, () => chat.status !== 'awaiting-action');
      const [second] = await pendingActions(chat);
      void chat.respond(second?.id ?? '', 'granted');
      await sending;
      await until(chat, () => chat.status === 'idle');
      assert.equal(chat.messages.flatMap(inShort).at(-1), 'Fine.');
      assert.deepEqual(server.ran, [{ city: 'Bergen' }]);
      assert.deepEqual(errors, []);
    });

  for (const agent of ['helper', 'durable'])
    it(`continues a suspended tool with the user’s data: ${agent}`, async () => {
      server.play(calls('a', 'plan', { city: 'Oslo' }), says('Planned.'));
      const { chat, errors } = chatWith({}, agent);
      const sending = chat.send('Plan it');
      const [question] = await pendingActions(chat);
      assert.equal(question?.content, 'Which day?');
      void chat.respond(question.id, 'answered', { payload: { day: 'Monday' } });
      await sending;
      await until(chat, () => chat.status === 'idle');
      assert.deepEqual(chat.messages.slice(1).flatMap(inShort), [
        'success: plan({"city":"Oslo"}) → {"planned":"Oslo"}',
        'question: granted',
        'Planned.',
      ]);
      assert.deepEqual([server.ran, errors], [[{ day: 'Monday' }], []]);
    });

  for (const [agent, body] of [
    ['helper', {}],
    ['remembering', { memory }],
    ['durable', {}],
  ] as const)
    it(`has the page run tools of the page: ${agent}`, async () => {
      server.play(calls('a', 'where', {}), says('At home.'));
      const where = { name: 'where', description: '', parameters: { type: 'object' }, execute: () => ({ at: 'home' }) };
      const { chat, errors } = chatWith({ tools: [where], body }, agent);
      assert.deepEqual(inShort(await chat.send('Where?')), ['success: where({}) → {"at":"home"}', 'At home.']);
      assert.deepEqual(server.histories()[1]?.slice(1), [
        ['user', ['Where?']],
        ['assistant', [['a', {}]]],
        ['tool', [['a', '{"at":"home"}']]],
      ]);
      assert.deepEqual(errors, []);
    });

  it('asks for permission for a tool of an agent that is called as a tool', async () => {
    server.play(
      calls('a', 'agent-agency', { prompt: 'Oslo' }),
      calls('b', 'book', { city: 'Oslo' }),
      says('Booked.'),
      says('Fine.'),
    );
    const { chat, errors } = chatWith();
    const sending = chat.send('Book it');
    const [question] = await pendingActions(chat);
    assert.deepEqual(question?.tool_call, { id: 'a', name: 'book', params: '{"city":"Oslo"}' });
    void chat.respond(question.id, 'granted');
    await sending;
    await until(chat, () => chat.status === 'idle');
    const [agency, ...others] = chat.messages.slice(1).flatMap(inShort);
    assert.match(agency ?? '', /^success: agent-agency\({"prompt":"Oslo"}\) → {"text":"Booked."/);
    assert.deepEqual(others, [
      'success: book({"city":"Oslo"}) → {"booked":"Oslo"}',
      'tool_call_permission: granted',
      'Booked.',
      'Fine.',
    ]);
    assert.deepEqual([server.ran, errors], [[{ city: 'Oslo' }], []]);
  });

  it('is informed of a stop, and then answers the next turn', async () => {
    const model = streamingModel();
    server.play(model.stream, says('Yes.'));
    const { chat, errors } = chatWith();
    const sending = chat.send('Tell');
    model.write(...textParts('Once upon').slice(0, 2));
    await shows(chat, 'Onc');
    chat.stop();
    assert.equal((await sending).status, 'cancelled');
    await received(() => server.isAborted());
    assert.deepEqual(inShort(await chat.send('Sure?')), ['Yes.']);
    assert.deepEqual(errors, []);
  });

  it('reports an error of the model, before and after the text', async () => {
    const model = streamingModel();
    server.play(new Error('Overloaded.'));
    const reply = await chatWith().chat.send('Hi');
    assert.deepEqual([inShort(reply), reply.status], [['error: Overloaded.'], 'error']);
    server.play(model.stream);
    const sending = chatWith().chat.send('Hi');
    model.write(...textParts('Half'), { type: 'error', error: new Error('Overloaded.') });
    model.end();
    const half = await sending;
    assert.deepEqual([inShort(half), half.status], [['Half', 'error: Overloaded.'], 'error']);
  });

  it('reports an unknown agent', async () => {
    const reply = await chatWith({}, 'nobody').chat.send('Hi');
    assert.deepEqual([inShort(reply), reply.status], [['error: Agent with id nobody not found'], 'error']);
  });

  describe('with protocol="auto"', () => {
    let single: MastraTestServer;
    before(async () => {
      single = await mastraServer(['helper']);
    });
    after(() => single.close());

    for (const path of ['', '/api/agents', '/api/agents/helper/stream'])
      it(`answers at ${path || 'the root'} of a server with one agent`, async () => {
        single.play(says('Hello'), says('Yes.'));
        const { chat, errors } = realChat({ endpoint: single.origin + path });
        assert.deepEqual(inShort(await chat.send('Hi')), ['Hello']);
        assert.deepEqual(inShort(await chat.send('Sure?')), ['Yes.']);
        assert.deepEqual(single.histories()[1]?.[1], ['user', ['Hi']]);
        assert.deepEqual(errors, []);
      });
  });

  describe('continues a reply of a durable agent', () => {
    const text = says('Once upon a time.');

    it('whose connection has broken, while the server’s side of it is open', async () => {
      const model = streamingModel();
      server.play(model.stream);
      const { fetch, cut } = cutFetch();
      const { chat, errors } = chatWith({ fetch }, 'durable');
      const sending = chat.send('Tell');
      model.write(...text.slice(0, 2));
      await shows(chat, 'Onc');
      cut();
      await until(chat, () => chat.status === 'reconnecting');
      chat.store.state.wait?.now();
      model.write(...text.slice(2));
      model.end();
      const reply = await sending;
      assert.deepEqual([inShort(reply), reply.status, errors], [['Once upon a time.'], 'complete', []]);
    });

    it('up to the broken connection, if the server has noticed it', async () => {
      const model = streamingModel();
      server.play(model.stream);
      const { chat, sent } = chatWith({}, 'durable');
      const sending = chat.send('Tell');
      model.write(...text.slice(0, 2));
      await shows(chat, 'Onc');
      server.cut();
      await until(chat, () => chat.status === 'reconnecting');
      await received(() => server.isAborted());
      chat.store.state.wait?.now();
      const reply = await sending;
      assert.deepEqual([inShort(reply), reply.status], [['Onc'], 'cancelled']);
      assert.deepEqual(
        sent.map(({ path }) => path.split('/').at(-1)),
        ['stream', 'observe'],
      );
    });
  });

  it('shows a network', async () => {
    const routes = (value: object) => says(JSON.stringify(value));
    const choice = { primitiveId: 'guide', primitiveType: 'agent', prompt: 'Rome?', selectionReason: 'It knows Rome.' };
    const end = { isComplete: true, completionReason: 'Done', finalResult: 'See the Forum.' };
    server.play(routes(choice), says('The Forum.'), routes(end), routes(end));
    const { chat, errors } = chatWith({
      endpoint: `${server.origin}/api/agents/remembering/network`,
      body: { memory },
    });
    const reply = await chat.send('Rome?');
    assert.deepEqual(
      [inShort(reply), reply.status],
      [
        [
          'thought: It knows Rome.\n\n',
          'success: guide({"prompt":"Rome?"}) → The Forum.',
          'The Forum.',
          'See the Forum.',
        ],
        'complete',
      ],
    );
    assert.deepEqual(errors, []);
  });
});
