/** Conversations with LangGraph's own server and real graphs, on loopback. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ChatMessage } from '../../src/model/message.ts';
import { isRecord } from '../../src/model/json.ts';
import { langgraphServer, type LanggraphServer } from './support/langgraph-server.ts';
import { pendingActions, inShort, realChat, until, type RealChat } from './support/real-chat.ts';

/**
 * `@langchain/langgraph-api` 2.0.0 fails on every run of `@langchain/langgraph` 1.7 that streams subgraphs and values,
 * because it takes a note about a checkpoint for the checkpoint itself. A page works around it in `body`.
 */
const settings = { protocol: 'auto' };

/** The visible blocks, without the phases. */
const visibleTexts = ({ chat }: RealChat): readonly string[] =>
  chat.messages.flatMap((message) => inShort(message).filter((block) => block !== 'status'));

const paths = ({ sent }: RealChat): readonly string[] =>
  sent.map(({ method, path }) => `${method} ${path.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '*')}`);

const sentAs = ({ sent }: RealChat, field: 'input' | 'command'): readonly unknown[] =>
  sent.map(({ body }) => isRecord(body) && body[field]).filter(Boolean);

const threadIn = ({ sent }: RealChat): string => /\/threads\/[^/]+/.exec(sent.at(-1)?.path ?? '')?.[0] ?? '';

const textsOf = (messages: unknown): readonly string[] =>
  Array.isArray(messages)
    ? messages.filter(isRecord).map(({ type, content }) => `${String(type)}: ${String(content)}`)
    : [];

describe('LangGraph’s server', () => {
  let server: LanggraphServer;
  before(async () => {
    server = await langgraphServer();
  });
  after(() => server.close());

  const chatWith = (graph: string, more: Parameters<typeof realChat>[0] = {}): RealChat =>
    realChat({ ...settings, protocol: 'langgraph', endpoint: `${server.origin}?assistant_id=${graph}`, ...more });
  /** A reply that pauses in the middle of its text. */
  const heldReply = async (conversation: RealChat): Promise<{ readonly done: Promise<ChatMessage> }> => {
    const message = server.nextMessage();
    const done = conversation.chat.send('Hi');
    assert.equal(await message, 'held');
    await until(conversation.chat, () => visibleTexts(conversation).includes('Half'));
    return { done };
  };

  it('is detected, and gets the complete conversation if it stores none', async () => {
    const conversation = realChat({ ...settings, endpoint: `${server.origin}/runs/stream` });
    await conversation.chat.send('Hi');
    await conversation.chat.send('Again');
    // Each frame is JSON over many lines, and its text contains line breaks too.
    assert.deepEqual(visibleTexts(conversation), [
      'Hi',
      'You said:\nhuman: Hi',
      'Again',
      'You said:\nhuman: Hi\nai: You said:\nhuman: Hi\nhuman: Again',
    ]);
    assert.deepEqual(paths(conversation), ['POST /runs/stream', 'POST /runs/stream']);
    assert.deepEqual(conversation.errors, []);
  });

  it('stores the conversation in a thread that is created once, without duplicates', async () => {
    const conversation = realChat({ ...settings, protocol: 'langgraph', endpoint: server.origin });
    await conversation.chat.send('Hi');
    await conversation.chat.send('Again');
    const expected = [
      'human: Hi',
      'ai: You said:\nhuman: Hi',
      'human: Again',
      'ai: You said:\nhuman: Hi\nai: You said:\nhuman: Hi\nhuman: Again',
    ];
    assert.deepEqual(
      visibleTexts(conversation),
      expected.map((line) => line.replace(/^\w+: /, '')),
    );
    assert.deepEqual(paths(conversation), [
      'POST /threads',
      'POST /threads/*/runs/stream',
      'POST /threads/*/runs/stream',
    ]);
    assert.deepEqual(
      sentAs(conversation, 'input').map((input) => textsOf(isRecord(input) && input['messages'])),
      [['human: Hi'], ['human: Again']],
    );
    const state = await server.get(`${threadIn(conversation)}/state`);
    const values = isRecord(state) && isRecord(state['values']) ? state['values'] : {};
    assert.deepEqual(textsOf(values['messages']), expected);
  });

  it('uses a new thread for an edit or a regenerated reply', async () => {
    const conversation = realChat({ ...settings, protocol: 'langgraph', endpoint: server.origin });
    await conversation.chat.send('Hi');
    await conversation.chat.send('Again');
    await conversation.chat.regenerate();
    assert.deepEqual(visibleTexts(conversation).at(-1), 'You said:\nhuman: Hi\nai: You said:\nhuman: Hi\nhuman: Again');
    assert.equal(visibleTexts(conversation).length, 4);
    const edited = conversation.chat.messages[2]?.id ?? '';
    await conversation.chat.edit(edited, 'Other');
    await conversation.chat.send('More');
    const other = 'You said:\nhuman: Hi\nai: You said:\nhuman: Hi\nhuman: Other';
    assert.deepEqual(visibleTexts(conversation).slice(2, 4), ['Other', other]);
    assert.deepEqual(paths(conversation).filter((path) => path === 'POST /threads').length, 3);
    const last = sentAs(conversation, 'input').at(-1);
    assert.deepEqual(textsOf(isRecord(last) && last['messages']), ['human: More']);
  });

  it('sends the last chunks of a long answer after the state that contains them, and they are shown once', async () => {
    const conversation = realChat({ ...settings, protocol: 'langgraph', endpoint: server.origin });
    const question = 'A long question, at least for a single one. '.repeat(5);
    await conversation.chat.send(question);
    assert.deepEqual(visibleTexts(conversation), [question, `You said:\nhuman: ${question}`]);
  });

  it("shows the data that a node writes, and its state as the agent's state", async () => {
    const conversation = chatWith('trip');
    await conversation.chat.send('Hi');
    assert.deepEqual(visibleTexts(conversation), ['Hi', 'data: {"seen":"a tower\\nby the river"}', 'It is Lisbon.']);
    const cities = conversation.states.map((state) => isRecord(state) && state['city']);
    assert.deepEqual(cities, [undefined, 'Lisbon', 'Lisbon']);
    const { agentState } = conversation.chat.store.state;
    assert.deepEqual(textsOf(isRecord(agentState) && agentState['messages']), ['human: Hi', 'ai: It is Lisbon.']);
  });

  it('shows the messages of a subgraph, without its values', async () => {
    const body = { stream_mode: ['messages-tuple', 'updates', 'custom'] };
    const conversation = chatWith('nested', { body });
    await conversation.chat.send('Hi');
    assert.deepEqual(visibleTexts(conversation), ['Hi', 'You said:\nhuman: Hi']);
  });

  describe('a run that asks', () => {
    for (const [name, decision, options, answer] of [
      ['with the one of its options', 'answered', { payload: 'blue' }, 'blue'],
      ['with nothing', 'answered', { payload: '' }, ''],
      ['by a yes', 'granted', {}, true],
      ['by a no', 'denied', {}, false],
    ] as const) {
      it(`a question, which is answered ${name}`, async () => {
        const conversation = chatWith('asking');
        const done = conversation.chat.send('Hi');
        const [question] = await pendingActions(conversation.chat);
        assert.equal(question?.content, 'Which colour?');
        assert.deepEqual(question.extra?.['options'], [
          { label: 'red', value: 'red' },
          { label: 'blue', value: 'blue' },
        ]);
        await conversation.chat.respond(question.id, decision, options);
        const { status } = await done;
        assert.equal(status, 'complete');
        const state = decision === 'denied' ? 'denied' : 'granted';
        assert.deepEqual(visibleTexts(conversation), [
          'Hi',
          `interrupt: ${state}`,
          `I take ${JSON.stringify(answer)}.`,
        ]);
        assert.deepEqual(sentAs(conversation, 'command'), [{ resume: answer }]);
        assert.equal(sentAs(conversation, 'input').length, 1, 'the question is sent once');
      });
    }

    it('a question, which is answered by the user’s text', async () => {
      const conversation = chatWith('asking');
      const done = conversation.chat.send('Hi');
      await pendingActions(conversation.chat);
      await conversation.chat.send('Green');
      await done;
      assert.deepEqual(visibleTexts(conversation), ['Hi', 'interrupt: granted', 'I take "Green".']);
    });

    it('two questions in parallel, and each node gets its own answer', async () => {
      const conversation = chatWith('askingTwice');
      const done = conversation.chat.send('Hi');
      const answers: Readonly<Record<string, string>> = { 'Which colour?': 'blue', 'Which size?': 'big' };
      for (const { id, content = '' } of await pendingActions(conversation.chat)) {
        await conversation.chat.respond(id, 'answered', { payload: answers[content] });
      }
      await done;
      assert.deepEqual(visibleTexts(conversation), [
        'Hi',
        'interrupt: granted',
        'interrupt: granted',
        'Colour: blue.',
        'Size: big.',
      ]);
    });

    it('for a decision on each of its actions', async () => {
      const conversation = chatWith('review');
      const done = conversation.chat.send('Hi');
      const [ada, bob, cy] = await pendingActions(conversation.chat);
      assert.ok(ada && bob && cy);
      assert.deepEqual(
        [ada, bob, cy].map(({ content }) => content),
        ['Mail to ada', 'Mail to bob', 'Mail to cy'],
      );
      assert.equal(bob.extra?.['decisions'], 'approve edit reject');
      assert.equal(bob.extra['editable'], true);
      await conversation.chat.respond(cy.id, 'denied', { note: 'Not him.' });
      await conversation.chat.respond(ada.id, 'granted');
      await conversation.chat.respond(bob.id, 'granted', { arguments: { to: 'bea' } });
      await done;
      assert.deepEqual(visibleTexts(conversation), [
        'Hi',
        'I write to them.',
        'success: mail({"to":"ada"}) → Sent to ada.',
        'success: mail({"to":"bob"}) → Sent to bea.',
        'error: mail({"to":"cy"}) → Not him.',
        'tool_call_permission: granted',
        'tool_call_permission: granted',
        'tool_call_permission: denied',
        'That is all.',
      ]);
    });
  });

  it('ends a run that the user stops, and answers the next message', async () => {
    const conversation = chatWith('held');
    const { done } = await heldReply(conversation);
    const message = server.nextMessage();
    conversation.chat.stop();
    assert.equal((await done).status, 'cancelled');
    assert.equal(await message, 'aborted', 'the node hears of it');
    await conversation.chat.send('More');
    assert.deepEqual(visibleTexts(conversation), ['Hi', 'Half', 'More', 'At once.']);
    assert.deepEqual(paths(conversation).slice(2), [
      'POST /threads/*/runs/*/cancel?wait=0&action=interrupt',
      'POST /threads/*/runs/stream',
    ]);
  });

  it('fails in a node: the text stays, followed by the reason', async () => {
    const conversation = chatWith('broken');
    const { status, finish } = await conversation.chat.send('Hi');
    assert.deepEqual({ status, finish }, { status: 'error', finish: 'error' });
    assert.deepEqual(visibleTexts(conversation), ['Hi', 'I look.', 'error: The shelf is empty.']);
    assert.deepEqual(
      conversation.errors.map(({ code }) => code),
      ['TypeError'],
    );
  });

  it('is resumed after the last event when the connection was lost', async () => {
    const conversation = chatWith('held');
    const { done } = await heldReply(conversation);
    server.cut();
    server.letGo();
    assert.equal((await done).status, 'complete');
    assert.deepEqual(visibleTexts(conversation), ['Hi', 'Half, and whole.']);
    assert.deepEqual(paths(conversation).slice(1), ['POST /threads/*/runs/stream', 'GET /threads/*/runs/*/stream']);
    assert.match(server.requests(), /^last-event-id: [1-9]\d*\r$/im);
  });

  it('is asked again on the user’s request for a run that has continued without a client', async () => {
    const conversation = chatWith('held');
    const { done } = await heldReply(conversation);
    conversation.chat.interrupt();
    assert.equal((await done).status, 'interrupted');
    server.letGo();
    assert.equal((await conversation.chat.resume()).status, 'complete');
    assert.deepEqual(visibleTexts(conversation), ['Hi', 'Half, and whole.']);
    assert.match(server.requests(), /^last-event-id: -1\r$/im);
  });
});
