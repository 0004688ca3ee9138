/** Conversations with agents that A2A's own SDK serves, in both versions and by both bindings. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isRecord } from '../../src/model/json.ts';
import { a2aServer, type A2aServer } from './support/a2a-server.ts';
import {
  pendingActions,
  received,
  inShort,
  realChat,
  until,
  type RealChat,
  type SentRequest,
} from './support/real-chat.ts';

const CARD = '/.well-known/agent-card.json';

/** The method of a JSON-RPC call, or the path. */
const callOf = ({ method, path, body }: SentRequest): string =>
  isRecord(body) && typeof body['method'] === 'string' ? body['method'] : `${method} ${path}`;
const callsOf = ({ sent }: RealChat): readonly string[] => sent.map(callOf);

/** Paths without the id of a task. */
const withoutId = (call: string): string => call.replace(/tasks\/[\w-]{20,}/, 'tasks/ID');

const paramsOf = (sent: SentRequest | undefined): Readonly<Record<string, unknown>> => {
  const body = isRecord(sent?.body) ? sent.body : {};
  return isRecord(body['params']) ? body['params'] : body;
};
const messageOf = (sent: SentRequest | undefined): Readonly<Record<string, unknown>> => {
  const { message } = paramsOf(sent);
  return isRecord(message) ? message : {};
};

/** The complete text of the agent, message by message. */
const textsOf = ({ chat }: RealChat): readonly (readonly string[])[] =>
  chat.messages.filter(({ role }) => role === 'assistant').map(inShort);

/** A promise that the test resolves. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    passed,
    open() {
      open();
    },
  };
}

interface Way {
  readonly name: string;
  readonly versions: readonly ('0.3' | '1.0')[];
  readonly bindings: readonly ('JSONRPC' | 'HTTP+JSON')[];
  /** The names of the methods in each version. */
  readonly stream: string;
  readonly get: string;
  readonly cancel: string;
  readonly subscribe: string;
  readonly parts: string;
}
const ways: readonly Way[] = [
  {
    name: '1.0 by JSON-RPC',
    versions: ['1.0'],
    bindings: ['JSONRPC'],
    stream: 'SendStreamingMessage',
    get: 'GetTask',
    cancel: 'CancelTask',
    subscribe: 'SubscribeToTask',
    parts: 'parts',
  },
  {
    name: '1.0 by HTTP',
    versions: ['1.0'],
    bindings: ['HTTP+JSON'],
    stream: 'POST /rest/message:stream',
    get: 'GET /rest/tasks/ID',
    cancel: 'POST /rest/tasks/ID:cancel',
    subscribe: 'GET /rest/tasks/ID:subscribe',
    parts: 'parts',
  },
  {
    name: '0.3 by JSON-RPC',
    versions: ['0.3'],
    bindings: ['JSONRPC'],
    stream: 'message/stream',
    get: 'tasks/get',
    cancel: 'tasks/cancel',
    subscribe: 'tasks/resubscribe',
    parts: 'parts',
  },
  {
    name: '0.3 by HTTP',
    versions: ['0.3'],
    bindings: ['HTTP+JSON'],
    stream: 'POST /rest/v1/message:stream',
    get: 'GET /rest/v1/tasks/ID',
    cancel: 'POST /rest/v1/tasks/ID:cancel',
    subscribe: 'GET /rest/v1/tasks/ID:subscribe',
    parts: 'content',
  },
];

for (const { name, versions, bindings, stream, get, cancel, subscribe, parts } of ways) {
  describe(`a2a, ${name}`, () => {
    let server: A2aServer;
    before(async () => {
      server = await a2aServer(versions, bindings);
    });
    after(() => server.close());
    const open = (): RealChat => realChat({ endpoint: server.origin + CARD, retry: 'safe' });

    it('answers with only text, and keeps the context', async () => {
      const contexts: (string | undefined)[] = [];
      server.play(({ request, sendText: say }) => {
        contexts.push(request.message?.contextId);
        say(`You said ${JSON.stringify(request.message?.parts.map(({ content }) => content))}`);
      });
      const conversation = open();
      const reply = await conversation.chat.send('Hi');
      assert.deepEqual(inShort(reply), ['You said [{"$case":"text","value":"Hi"}]']);
      assert.deepEqual([reply.status, reply.finish], ['complete', 'complete']);
      await conversation.chat.send('More');
      assert.deepEqual(callsOf(conversation), [`GET ${CARD}`, stream, `GET ${CARD}`, stream]);
      assert.equal(contexts[1], reply.metadata?.['contextId'], 'the second message is in the same context');
      assert.deepEqual(conversation.errors, []);
    });

    it('streams a task: its progress, artifacts that grow and are replaced, files and data', async () => {
      const states: unknown[] = [];
      const paused = gate();
      server.play(async ({ startTask: begin, status, artifact }) => {
        begin();
        status('WORKING', 'Looking');
        artifact('a', [{ text: 'One ' }]);
        await paused.passed;
        artifact('a', [{ text: 'two.' }], { append: true, lastChunk: true });
        artifact('b', [{ text: 'Draft' }]);
        artifact('b', [{ text: 'Final' }, { data: { n: 1 } }, { url: 'https://a.example/a.pdf', filename: 'a.pdf' }]);
        status('COMPLETED');
      });
      const conversation = open();
      const done = conversation.chat.send('Hi');
      await until(conversation.chat, () => textsOf(conversation).some((texts) => texts.includes('One ')));
      states.push(conversation.chat.messages.at(-1)?.blocks.find((block) => block.type === 'status')?.extra);
      paused.open();
      const reply = await done;
      assert.deepEqual(
        textsOf(conversation).map((texts) => texts.filter((text) => text !== 'status')),
        [['One two.'], ['Final', 'data: {"n":1}', 'file']],
      );
      assert.equal(reply.status, 'complete');
      assert.match(JSON.stringify(states), /Looking/);
      const { agentState } = conversation.chat.store.state;
      assert.match(JSON.stringify(agentState), /One .*two\.|One two\./);
      assert.doesNotMatch(JSON.stringify(agentState), /Draft/);
    });

    it('asks the user, and continues with the answer in the same task', async () => {
      const tasks: unknown[] = [];
      server.play(({ request, task, startTask: begin, status, artifact }) => {
        tasks.push(task?.id);
        if (!task) {
          begin();
          status('INPUT_REQUIRED', 'Which city?');
        } else {
          begin('WORKING');
          const content = request.message?.parts[0]?.content;
          artifact('a', [{ text: `Off to ${content?.$case === 'text' ? content.value : '?'}!` }]);
          status('COMPLETED');
        }
      });
      const conversation = open();
      const done = conversation.chat.send('Hi');
      const [question] = await pendingActions(conversation.chat);
      assert.equal(question?.action_type, 'question');
      assert.deepEqual(textsOf(conversation).flat().includes('Which city?'), true);
      await conversation.chat.respond(question.id, 'answered', { payload: 'Rome' });
      assert.equal((await done).status, 'complete');
      const texts = textsOf(conversation).flat();
      assert.equal(texts.filter((text) => text === 'Which city?').length, 1);
      assert.ok(texts.includes('Off to Rome!'));
      const sent = conversation.sent.filter((request) => callOf(request) === stream).map(messageOf);
      assert.equal(sent.length, 2);
      assert.deepEqual(
        sent[1]?.[parts],
        parts === 'content' || versions[0] === '1.0' ? [{ text: 'Rome' }] : [{ kind: 'text', text: 'Rome' }],
      );
      assert.equal(sent[1]['taskId'], tasks[1]);
      assert.ok(tasks[1] && !tasks[0]);
    });

    it('shows why a task has failed', async () => {
      server.play(({ startTask: begin, status, artifact }) => {
        begin();
        artifact('a', [{ text: 'Half' }]);
        status('FAILED', 'No more fuel.');
      });
      const conversation = open();
      const reply = await conversation.chat.send('Hi');
      assert.deepEqual(
        textsOf(conversation)
          .flat()
          .filter((text) => text !== 'status'),
        ['Half', 'error: No more fuel.'],
      );
      assert.deepEqual([reply.status, reply.finish], ['error', 'error']);
      assert.deepEqual(
        conversation.errors.map(({ kind, message }) => [kind, message]),
        [['agent', 'No more fuel.']],
      );
    });

    it('shows that an agent broke down', async () => {
      server.play(() => {
        throw new Error('Out of memory.');
      });
      const conversation = open();
      const reply = await conversation.chat.send('Hi');
      assert.equal(reply.status, 'error');
      assert.match(textsOf(conversation).flat().join(), /Out of memory\./);
    });

    it('cancels a task that the user stops', async () => {
      const paused = gate();
      server.play(async ({ startTask: begin, artifact }) => {
        begin('WORKING');
        artifact('a', [{ text: 'Half' }]);
        await paused.passed;
      });
      const conversation = open();
      const done = conversation.chat.send('Hi');
      await until(conversation.chat, () => textsOf(conversation).flat().includes('Half'));
      const cancelledBefore = server.cancelled.length;
      conversation.chat.stop();
      const reply = await done;
      assert.deepEqual([reply.status, reply.finish], ['cancelled', 'cancelled']);
      await received(() => server.cancelled.length > cancelledBefore);
      paused.open();
      // The card is requested again: the URL of a lost reply is not trusted.
      assert.deepEqual(callsOf(conversation).map(withoutId), [`GET ${CARD}`, stream, `GET ${CARD}`, cancel]);
      assert.equal(server.cancelled.at(-1), reply.metadata?.['taskId']);
      assert.ok(inShort(reply).includes('Half'), 'what has arrived stays');
    });

    it('resumes a task whose connection is lost, without duplicated text', async () => {
      const paused = gate();
      server.play(async ({ startTask: begin, status, artifact }) => {
        begin();
        status('WORKING');
        artifact('a', [{ text: 'One ' }]);
        artifact('a', [{ text: 'two ' }], { append: true });
        await paused.passed;
        artifact('a', [{ text: 'three.' }], { append: true, lastChunk: true });
        artifact('b', [{ text: 'Four.' }]);
        status('COMPLETED', 'Done.');
      });
      const conversation = open();
      const { chat } = conversation;
      const done = chat.send('Hi');
      await until(chat, () => textsOf(conversation).flat().includes('One two '));
      const { agentState } = chat.store.state;
      server.drop();
      // The task's current state, after which its events continue.
      await until(chat, () => chat.store.state.agentState !== agentState);
      paused.open();
      const reply = await done;
      assert.equal(reply.status, 'complete');
      assert.deepEqual(
        textsOf(conversation)
          .flat()
          .filter((text) => text !== 'status'),
        ['One two three.', 'Four.', 'Done.'],
      );
      assert.deepEqual(callsOf(conversation).map(withoutId), [`GET ${CARD}`, stream, `GET ${CARD}`, get, subscribe]);
      assert.deepEqual(conversation.errors, []);
    });

    it('shows the result of a task that ended while the connection was lost', async () => {
      const paused = gate();
      server.play(async ({ startTask: begin, status, artifact }) => {
        begin('WORKING');
        artifact('a', [{ text: 'Half' }]);
        await paused.passed;
        artifact('a', [{ text: 'Whole' }]);
        status('COMPLETED');
      });
      const conversation = open();
      const { chat } = conversation;
      const done = chat.send('Hi');
      await until(chat, () => textsOf(conversation).flat().includes('Half'));
      server.drop();
      paused.open();
      assert.equal((await done).status, 'complete');
      assert.deepEqual(
        textsOf(conversation)
          .flat()
          .filter((text) => text !== 'status'),
        ['Whole'],
      );
    });
  });
}

describe('a2a, a card with all interfaces', () => {
  it('uses the newer version by JSON-RPC', async () => {
    const server = await a2aServer(['0.3', '1.0']);
    server.play(({ sendText: say }) => {
      say('Hello');
    });
    const conversation = realChat({ endpoint: server.origin + CARD });
    assert.deepEqual(inShort(await conversation.chat.send('Hi')), ['Hello']);
    assert.deepEqual(callsOf(conversation), [`GET ${CARD}`, 'SendStreamingMessage']);
    await server.close();
  });
});

describe('a2a, at the address of an interface', () => {
  let server: A2aServer;
  before(async () => {
    server = await a2aServer(['1.0']);
    server.play(({ sendText: say }) => {
      say('Hello');
    });
  });
  after(() => server.close());

  it('uses the version of the page’s header', async () => {
    const conversation = realChat({
      endpoint: `${server.origin}/a2a`,
      protocol: 'a2a',
      headers: { 'A2A-Version': '1.0' },
    });
    assert.deepEqual(inShort(await conversation.chat.send('Hi')), ['Hello']);
    assert.deepEqual(callsOf(conversation), ['SendStreamingMessage']);
  });

  it('detects the version by the address of a method', async () => {
    const conversation = realChat({ endpoint: `${server.origin}/rest/message:stream` });
    assert.deepEqual(inShort(await conversation.chat.send('Hi')), ['Hello']);
    assert.deepEqual(callsOf(conversation), ['POST /rest/message:stream']);
  });

  it('retries automatically in the other version after an unsupported one', async () => {
    const conversation = realChat({ endpoint: `${server.origin}/a2a`, protocol: 'a2a' });
    assert.deepEqual(inShort(await conversation.chat.send('Hi')), ['Hello']);
    assert.deepEqual(callsOf(conversation), ['message/stream', 'SendStreamingMessage']);
  });
});
