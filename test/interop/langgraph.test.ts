/** Conversations with LangGraph's own server and real graphs, on loopback. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ChatMessage } from '../../src/model/message.ts';
import { isRecord } from '../../src/model/json.ts';
import { langgraphServer, type LanggraphServer } from './support/langgraph-server.ts';
import { asked, inShort, realChat, until, type RealChat } from './support/real-chat.ts';

/**
 * `@langchain/langgraph-api` 2.0.0 fails on every run of `@langchain/langgraph` 1.7 that streams subgraphs and values: it takes
 * a note about a checkpoint for the checkpoint. A page says so in `body`.
 */
const settings = { protocol: 'auto' };

/** What a reader sees but for the phases. */
const seen = ({ chat }: RealChat): readonly string[] =>
  chat.messages.flatMap((message) => inShort(message).filter((block) => block !== 'status'));

const paths = ({ sent }: RealChat): readonly string[] =>
  sent.map(({ method, path }) => `${method} ${path.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '*')}`);

const sentAs = ({ sent }: RealChat, field: 'input' | 'command'): readonly unknown[] =>
  sent.map(({ body }) => isRecord(body) && body[field]).filter(Boolean);

const threadIn = ({ sent }: RealChat): string => /\/threads\/[^/]+/.exec(sent.at(-1)?.path ?? '')?.[0] ?? '';

const words = (messages: unknown): readonly string[] =>
  Array.isArray(messages)
    ? messages.filter(isRecord).map(({ type, content }) => `${String(type)}: ${String(content)}`)
    : [];

describe('LangGraph’s server', () => {
  let server: LanggraphServer;
  before(async () => {
    server = await langgraphServer();
  });
  after(() => server.close());

  const talkTo = (graph: string, more: Parameters<typeof realChat>[0] = {}): RealChat =>
    realChat({ ...settings, protocol: 'langgraph', endpoint: `${server.origin}?assistant_id=${graph}`, ...more });
  /** A reply that stands still in the middle of its words. */
  const heldReply = async (talk: RealChat): Promise<{ readonly done: Promise<ChatMessage> }> => {
    const told = server.told();
    const done = talk.chat.send('Hi');
    assert.equal(await told, 'held');
    await until(talk.chat, () => seen(talk).includes('Half'));
    return { done };
  };

  it('is detected, and gets the complete conversation if it stores none', async () => {
    const talk = realChat({ ...settings, endpoint: `${server.origin}/runs/stream` });
    await talk.chat.send('Hi');
    await talk.chat.send('Again');
    // The frames are JSON over many lines, and what is said has lines too.
    assert.deepEqual(seen(talk), [
      'Hi',
      'You said:\nhuman: Hi',
      'Again',
      'You said:\nhuman: Hi\nai: You said:\nhuman: Hi\nhuman: Again',
    ]);
    assert.deepEqual(paths(talk), ['POST /runs/stream', 'POST /runs/stream']);
    assert.deepEqual(talk.errors, []);
  });

  it('stores the conversation in a thread that is created once, without duplicates', async () => {
    const talk = realChat({ ...settings, protocol: 'langgraph', endpoint: server.origin });
    await talk.chat.send('Hi');
    await talk.chat.send('Again');
    const said = [
      'human: Hi',
      'ai: You said:\nhuman: Hi',
      'human: Again',
      'ai: You said:\nhuman: Hi\nai: You said:\nhuman: Hi\nhuman: Again',
    ];
    assert.deepEqual(
      seen(talk),
      said.map((line) => line.replace(/^\w+: /, '')),
    );
    assert.deepEqual(paths(talk), ['POST /threads', 'POST /threads/*/runs/stream', 'POST /threads/*/runs/stream']);
    assert.deepEqual(
      sentAs(talk, 'input').map((input) => words(isRecord(input) && input['messages'])),
      [['human: Hi'], ['human: Again']],
    );
    const state = await server.get(`${threadIn(talk)}/state`);
    const values = isRecord(state) && isRecord(state['values']) ? state['values'] : {};
    assert.deepEqual(words(values['messages']), said);
  });

  it('uses a new thread for an edit or a regenerated reply', async () => {
    const talk = realChat({ ...settings, protocol: 'langgraph', endpoint: server.origin });
    await talk.chat.send('Hi');
    await talk.chat.send('Again');
    await talk.chat.regenerate();
    assert.deepEqual(seen(talk).at(-1), 'You said:\nhuman: Hi\nai: You said:\nhuman: Hi\nhuman: Again');
    assert.equal(seen(talk).length, 4);
    const edited = talk.chat.messages[2]?.id ?? '';
    await talk.chat.edit(edited, 'Other');
    await talk.chat.send('More');
    const other = 'You said:\nhuman: Hi\nai: You said:\nhuman: Hi\nhuman: Other';
    assert.deepEqual(seen(talk).slice(2, 4), ['Other', other]);
    assert.deepEqual(paths(talk).filter((path) => path === 'POST /threads').length, 3);
    const last = sentAs(talk, 'input').at(-1);
    assert.deepEqual(words(isRecord(last) && last['messages']), ['human: More']);
  });

  it('sends the last chunks of a long answer after the state that contains them, and they are shown once', async () => {
    const talk = realChat({ ...settings, protocol: 'langgraph', endpoint: server.origin });
    const question = 'A long question, at least for a single one. '.repeat(5);
    await talk.chat.send(question);
    assert.deepEqual(seen(talk), [question, `You said:\nhuman: ${question}`]);
  });

  it('shows what a node writes as data, and its state as the state', async () => {
    const talk = talkTo('trip');
    await talk.chat.send('Hi');
    assert.deepEqual(seen(talk), ['Hi', 'data: {"seen":"a tower\\nby the river"}', 'It is Lisbon.']);
    const cities = talk.states.map((state) => isRecord(state) && state['city']);
    assert.deepEqual(cities, [undefined, 'Lisbon', 'Lisbon']);
    const { agentState } = talk.chat.store.state;
    assert.deepEqual(words(isRecord(agentState) && agentState['messages']), ['human: Hi', 'ai: It is Lisbon.']);
  });

  it('shows the messages of a subgraph, without its values', async () => {
    const body = { stream_mode: ['messages-tuple', 'updates', 'custom'] };
    const talk = talkTo('nested', { body });
    await talk.chat.send('Hi');
    assert.deepEqual(seen(talk), ['Hi', 'You said:\nhuman: Hi']);
  });

  describe('asks', () => {
    for (const [name, decision, options, answer] of [
      ['with the one of its options', 'answered', { payload: 'blue' }, 'blue'],
      ['with nothing', 'answered', { payload: '' }, ''],
      ['by a yes', 'granted', {}, true],
      ['by a no', 'denied', {}, false],
    ] as const) {
      it(`a question, which is answered ${name}`, async () => {
        const talk = talkTo('asking');
        const done = talk.chat.send('Hi');
        const [question] = await asked(talk.chat);
        assert.equal(question?.content, 'Which colour?');
        assert.deepEqual(question.extra?.['options'], [
          { label: 'red', value: 'red' },
          { label: 'blue', value: 'blue' },
        ]);
        await talk.chat.respond(question.id, decision, options);
        const { status } = await done;
        assert.equal(status, 'complete');
        const state = decision === 'denied' ? 'denied' : 'granted';
        assert.deepEqual(seen(talk), ['Hi', `interrupt: ${state}`, `I take ${JSON.stringify(answer)}.`]);
        assert.deepEqual(sentAs(talk, 'command'), [{ resume: answer }]);
        assert.equal(sentAs(talk, 'input').length, 1, 'the question is sent once');
      });
    }

    it('a question, which is answered by what the reader writes', async () => {
      const talk = talkTo('asking');
      const done = talk.chat.send('Hi');
      await asked(talk.chat);
      await talk.chat.send('Green');
      await done;
      assert.deepEqual(seen(talk), ['Hi', 'interrupt: granted', 'I take "Green".']);
    });

    it('two questions in parallel, and each node gets its own answer', async () => {
      const talk = talkTo('askingTwice');
      const done = talk.chat.send('Hi');
      const answers: Readonly<Record<string, string>> = { 'Which colour?': 'blue', 'Which size?': 'big' };
      for (const { id, content = '' } of await asked(talk.chat)) {
        await talk.chat.respond(id, 'answered', { payload: answers[content] });
      }
      await done;
      assert.deepEqual(seen(talk), ['Hi', 'interrupt: granted', 'interrupt: granted', 'Colour: blue.', 'Size: big.']);
    });

    it('for a decision on each of its actions', async () => {
      const talk = talkTo('review');
      const done = talk.chat.send('Hi');
      const [ada, bob, cy] = await asked(talk.chat);
      assert.ok(ada && bob && cy);
      assert.deepEqual(
        [ada, bob, cy].map(({ content }) => content),
        ['Mail to ada', 'Mail to bob', 'Mail to cy'],
      );
      assert.equal(bob.extra?.['decisions'], 'approve edit reject');
      assert.equal(bob.extra['editable'], true);
      await talk.chat.respond(cy.id, 'denied', { note: 'Not him.' });
      await talk.chat.respond(ada.id, 'granted');
      await talk.chat.respond(bob.id, 'granted', { arguments: { to: 'bea' } });
      await done;
      assert.deepEqual(seen(talk), [
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
    const talk = talkTo('held');
    const { done } = await heldReply(talk);
    const told = server.told();
    talk.chat.stop();
    assert.equal((await done).status, 'cancelled');
    assert.equal(await told, 'aborted', 'the node hears of it');
    await talk.chat.send('More');
    assert.deepEqual(seen(talk), ['Hi', 'Half', 'More', 'At once.']);
    assert.deepEqual(paths(talk).slice(2), [
      'POST /threads/*/runs/*/cancel?wait=0&action=interrupt',
      'POST /threads/*/runs/stream',
    ]);
  });

  it('fails in a node: what was said stays, and the reason stands behind it', async () => {
    const talk = talkTo('broken');
    const { status, finish } = await talk.chat.send('Hi');
    assert.deepEqual({ status, finish }, { status: 'error', finish: 'error' });
    assert.deepEqual(seen(talk), ['Hi', 'I look.', 'error: The shelf is empty.']);
    assert.deepEqual(
      talk.errors.map(({ code }) => code),
      ['TypeError'],
    );
  });

  it('is joined again behind the last event where the connection was lost', async () => {
    const talk = talkTo('held');
    const { done } = await heldReply(talk);
    server.cut();
    server.letGo();
    assert.equal((await done).status, 'complete');
    assert.deepEqual(seen(talk), ['Hi', 'Half, and whole.']);
    assert.deepEqual(paths(talk).slice(1), ['POST /threads/*/runs/stream', 'GET /threads/*/runs/*/stream']);
    assert.match(server.heard(), /^last-event-id: [1-9]\d*\r$/im);
  });

  it('is asked again by the reader for a run that has gone on without them', async () => {
    const talk = talkTo('held');
    const { done } = await heldReply(talk);
    talk.chat.interrupt();
    assert.equal((await done).status, 'interrupted');
    server.letGo();
    assert.equal((await talk.chat.resume()).status, 'complete');
    assert.deepEqual(seen(talk), ['Hi', 'Half, and whole.']);
    assert.match(server.heard(), /^last-event-id: -1\r$/im);
  });
});
