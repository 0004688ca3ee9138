import { expect } from '@open-wc/testing';
import type { ChatSettings } from '../../src/runtime/chat-settings.ts';
import type { FakeSocket } from '../support/fake-socket.ts';
import { socketOf, useFakeSockets } from './support/fake-sockets.ts';
import { isAsking, lines, makeChat, pending, until, type Made } from './support/make-chat.ts';

const start = (settings: ChatSettings = {}): Made =>
  makeChat([], { endpoint: 'https://agents.example/agents/clerk/a', protocol: 'cloudflare-agents', ...settings });

const sentBy = (socket: FakeSocket): readonly Record<string, unknown>[] =>
  socket.sent.map((text) => JSON.parse(String(text)) as Record<string, unknown>);

/** What the agent sends in response to a request. */
const response = (id: unknown, chunk: object | undefined, more: object = {}): string =>
  JSON.stringify({
    type: 'cf_agent_use_chat_response',
    id,
    body: chunk ? JSON.stringify(chunk) : '',
    done: false,
    ...more,
  });
const begins = (id: unknown, text: string): readonly string[] => [
  response(id, { type: 'start', messageId: 'm' }),
  response(id, { type: 'text-start', id: 't' }),
  response(id, { type: 'text-delta', id: 't', delta: text }),
];
const ends = (id: unknown, text: string): readonly string[] => [
  response(id, { type: 'text-delta', id: 't', delta: text }),
  response(id, { type: 'text-end', id: 't' }),
  response(id, { type: 'finish', finishReason: 'stop' }),
  response(id, undefined, { done: true }),
];

describe('a reply of a Cloudflare agent', () => {
  useFakeSockets();

  /** The socket with this number, open, and the message that it has sent. */
  async function opened(made: Made, index = 0): Promise<readonly [FakeSocket, Record<string, unknown>]> {
    const socket = await socketOf(made, index);
    socket.open();
    while (socket.sent.length === 0) await new Promise((resolve) => setTimeout(resolve));
    return [socket, sentBy(socket)[0] ?? {}];
  }

  it('comes over its socket, which is closed at the end', async () => {
    const made = start();
    const sent = made.chat.send('Hi');
    const [socket, { type, id, init }] = await opened(made);
    expect([socket.url, type]).to.deep.equal(['wss://agents.example/agents/clerk/a', 'cf_agent_use_chat_request']);
    expect(JSON.stringify(init)).to.contain('Hi');
    socket.say(JSON.stringify({ type: 'cf_agent_identity', name: 'a', agent: 'clerk' }));
    socket.say(...begins('another', 'Not mine.'), ...begins(id, 'Hel'), ...ends(id, 'lo.'));
    await sent;
    expect(lines(made.chat)).to.deep.equal(['user complete: Hi', 'assistant complete: Hello.']);
    expect([socket.closed, made.told.errors]).to.deep.equal([true, []]);
  });

  it('rule 22: is requested without the data that a form of another agent has sent', async () => {
    const endpoint = 'https://agents.example/agents/clerk/a';
    const agents = [
      { id: 'bank', name: 'Bank', endpoint: 'https://bank.example/agent', protocol: 'ai-sdk' },
      { id: 'clerk', name: 'Clerk', endpoint, protocol: 'cloudflare-agents' },
    ];
    const made = start({ endpoint: undefined, agents, agent: 'clerk' });
    const data = { name: 'login', context: { password: 'hunter2-PW' }, secrets: ['password'] };
    made.chat.messages = [{ role: 'user', text: 'Signed in', agentId: 'bank', metadata: { data } }];
    const sent = made.chat.send('And a flight');
    const [socket, { id, init }] = await opened(made);
    expect(JSON.stringify(init))
      .to.contain('And a flight')
      .and.not.to.contain('hunter2-PW')
      .and.not.to.contain('login');
    socket.say(...begins(id, 'Hel'), ...ends(id, 'lo.'));
    await sent;
  });

  it('is cancelled by a message of its own when the user stops', async () => {
    const made = start();
    const sent = made.chat.send('Hi');
    const [socket, { id }] = await opened(made);
    socket.say(...begins(id, 'Half'));
    await until(made.chat, () => lines(made.chat).at(-1)?.includes('Half') === true);
    made.chat.stop();
    expect((await sent).status).to.equal('cancelled');
    const [, message] = await opened(made, 1);
    expect(message).to.deep.equal({ type: 'cf_agent_chat_request_cancel', id });
    expect(socket.closed).to.equal(true);
  });

  it('is resumed when its socket breaks, without duplicated text', async () => {
    const made = start();
    const sent = made.chat.send('Hi');
    const [socket, { id }] = await opened(made);
    socket.say(...begins(id, 'Hel'));
    await until(made.chat, () => lines(made.chat).at(-1)?.includes('Hel') === true);
    socket.hangUp({ code: 1006, wasClean: false });
    await until(made.chat, () => made.chat.store.state.wait !== undefined);
    made.chat.store.state.wait?.now();
    const [again, message] = await opened(made, 1);
    expect(message).to.deep.equal({ type: 'cf_agent_stream_resume_ack', id });
    again.say(...begins(id, 'Hel'), ...ends(id, 'lo.'));
    await sent;
    expect(lines(made.chat).at(-1)).to.equal('assistant complete: Hello.');
    expect(made.told.errors).to.deep.equal([]);
  });

  it('keeps its text if the agent has forgotten it', async () => {
    const made = start();
    made.chat.store.subscribe(() => {
      made.chat.store.state.wait?.now();
    });
    const sent = made.chat.send('Hi');
    const [socket, { id }] = await opened(made);
    socket.say(...begins(id, 'Half'));
    await until(made.chat, () => lines(made.chat).at(-1)?.includes('Half') === true);
    socket.hangUp({ code: 1006, wasClean: false });
    for (let index = 1; ; index++) {
      const [again] = await Promise.race([opened(made, index), sent.then(() => [undefined] as const)]);
      if (!again) break;
      again.say(response(id, undefined, { done: true, replay: true }));
    }
    const reply = await sent;
    expect(reply.status).to.equal('interrupted');
    expect(lines(made.chat).at(-1)).to.match(/^assistant interrupted: Half/);
  });

  it('has the page run a tool of the page, and gets the result with the messages', async () => {
    const tool = {
      name: 'where',
      description: 'Where the user is.',
      parameters: { type: 'object' },
      needsApproval: true,
      execute: () => ({ at: 'home' }),
    };
    const made = start({ tools: [tool] });
    const sent = made.chat.send('Where?');
    const [socket, { id, init }] = await opened(made);
    const body = JSON.parse((init as { body: string }).body) as { clientTools: readonly { name: string }[] };
    expect(body.clientTools.map(({ name }) => name)).to.deep.equal(['where']);
    socket.say(
      response(id, { type: 'start', messageId: 'm' }),
      response(id, { type: 'tool-input-available', toolCallId: 'c', toolName: 'where', input: {} }),
      response(id, { type: 'finish', finishReason: 'tool-calls' }),
      response(id, undefined, { done: true }),
    );
    await until(made.chat, isAsking);
    void made.chat.respond(pending(made.chat).id, 'granted');
    const [next, message] = await opened(made, 1);
    expect(JSON.stringify(message['init'])).to.contain('output-available').and.contain('home');
    next.say(...begins(message['id'], 'At '), ...ends(message['id'], 'home.'));
    await sent;
    expect(lines(made.chat).at(-1)).to.contain('At home.');
  });
});

/**
 * Recorded from `agents` 0.32.0 and `@cloudflare/ai-chat` 0.12.2 in workerd, with a scripted model, 2026-11-29. Each
 * recording has the messages of one socket.
 */
for (const settings of [
  { protocol: 'cloudflare-agents' },
  { protocol: 'auto', endpoint: 'wss://agents.example/agents/clerk/a' },
])
  describe(`recorded conversations of a Cloudflare agent, with protocol="${settings.protocol}"`, () => {
    useFakeSockets();

    /** The messages of a recording, as answers to a request with this id. */
    async function messagesOf(name: string, id: unknown): Promise<readonly string[]> {
      const answer = await fetch(new URL(`../protocols/cloudflare-agents/${name}.ndjson`, import.meta.url));
      const all = (await answer.text()).trimEnd();
      const [, recorded = ''] = /"id":"([^"]+)","type":"cf_agent_use_chat_response"/.exec(all) ?? [];
      return all.replaceAll(`"${recorded}"`, JSON.stringify(id)).split('\n');
    }
    const where = {
      name: 'location',
      description: '',
      parameters: { type: 'object' },
      execute: () => ({ at: 'home' }),
    };
    let made: Made;
    let requests: readonly Record<string, unknown>[];
    beforeEach(() => {
      made = start({ tools: [where], ...settings });
      requests = [];
    });
    /** Answers the request of the socket with this number, with all of the recording or its first messages. */
    async function answer(index: number, name: string, count?: number): Promise<void> {
      const socket = await socketOf(made, index);
      socket.open();
      while (socket.sent.length === 0) await new Promise((resolve) => setTimeout(resolve));
      const [request = {}] = sentBy(socket);
      requests = [...requests, request];
      socket.say(...(await messagesOf(name, request['id'])).slice(0, count));
    }
    const sentMessages = (index: number): readonly { readonly role: string; readonly parts: readonly object[] }[] =>
      (JSON.parse((requests[index]?.['init'] as { body: string }).body) as { messages: [] }).messages;
    /** Sends a message, answers the question of the reply, and the agent continues. */
    async function answerQuestion(decision: 'granted' | 'denied', note?: string): Promise<void> {
      const sent = made.chat.send('Cancel it');
      await answer(0, 'approval');
      await until(made.chat, isAsking);
      void made.chat.respond(pending(made.chat).id, decision, { ...(note !== undefined && { note }) });
      await answer(1, `approval-${decision}`);
      await sent;
    }
    const callsOf = () =>
      made.chat.messages.flatMap(({ blocks }) =>
        blocks.flatMap((block) =>
          block.type === 'tool_call' ? [[block.status, block.tool_call.name, block.tool_call.response]] : [],
        ),
      );

    it('answers, and its next turn has the history', async () => {
      const first = made.chat.send('Hi');
      await answer(0, 'reply');
      await first;
      const second = made.chat.send('Sure?');
      await answer(1, 'next-turn');
      await second;
      expect(lines(made.chat)).to.deep.equal([
        'user complete: Hi',
        'assistant complete: Hello 👋 “you”.',
        'user complete: Sure?',
        'assistant complete: Yes: 3 texts before.',
      ]);
      expect(sentMessages(1).map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'user']);
      expect(made.told.errors).to.deep.equal([]);
    });

    it('runs its tools, also one that fails', async () => {
      const first = made.chat.send('Where is it?');
      await answer(0, 'tool');
      await first;
      const second = made.chat.send('Break it');
      await answer(1, 'tool-fails');
      await second;
      expect(callsOf()).to.deep.equal([
        ['success', 'find_order', '{"order":"A-1","state":"shipped"}'],
        ['error', 'find_order', 'No such order.'],
      ]);
      expect(lines(made.chat).at(-1)).to.contain('“done”');
      expect(made.told.errors).to.deep.equal([]);
    });

    it('asks for permission, which is granted', async () => {
      await answerQuestion('granted');
      expect(callsOf()).to.deep.equal([['success', 'cancel_order', '{"cancelled":"A-1"}']]);
      expect(lines(made.chat).at(-1)).to.contain('says {"cancelled":"A-1"} — “done”.');
      expect(JSON.stringify(sentMessages(1))).to.contain('"approved":true');
      expect([made.told.errors, made.told.warnings]).to.deep.equal([[], []]);
    });

    it('asks for permission, which is denied', async () => {
      await answerQuestion('denied', 'Too dear.');
      expect(callsOf()).to.deep.equal([['error', 'cancel_order', 'Too dear.']]);
      expect(JSON.stringify(sentMessages(1)))
        .to.contain('"approved":false')
        .and.contain('Too dear.');
      expect([made.told.errors, made.told.warnings]).to.deep.equal([[], []]);
    });

    it('rule 121: sends the note of a permission as the page redacts it', async () => {
      made = start({ ...settings, redact: (text) => text.replaceAll('Ann', 'A.') });
      await answerQuestion('denied', 'Ann says no.');
      expect(JSON.stringify(requests[1])).to.contain('A. says no.').and.not.to.contain('Ann');
    });

    it('continues after an answer in a page that was reloaded', async () => {
      void made.chat.send('Cancel it');
      await answer(0, 'approval');
      await until(made.chat, isAsking);
      void made.chat.respond(pending(made.chat).id, 'granted');
      await answer(1, 'approval-granted', 8);
      await until(made.chat, () => lines(made.chat).at(-1)?.includes('The tool ') === true);
      made.chat.interrupt();
      const { messages } = made.chat;
      made = start(settings);
      made.chat.messages = messages;
      const resuming = made.chat.resume();
      await answer(2, 'approval-granted');
      await resuming;
      expect(callsOf()).to.deep.equal([['success', 'cancel_order', '{"cancelled":"A-1"}']]);
      expect(lines(made.chat).at(-1)).to.equal(
        'assistant complete: tool_call | action | The tool says {"cancelled":"A-1"} — “done”.',
      );
      expect(made.told.errors).to.deep.equal([]);
    });

    it('has the page run a tool of the page', async () => {
      const sent = made.chat.send('Page?');
      await answer(0, 'page-tool');
      await answer(1, 'page-tool-answered');
      await sent;
      expect(callsOf()).to.deep.equal([['success', 'location', '{"at":"home"}']]);
      expect(lines(made.chat).at(-1)).to.contain('says {"at":"home"} — “done”.');
      expect(made.told.errors).to.deep.equal([]);
    });

    it('is stopped, and answers the next turn', async () => {
      const sent = made.chat.send('Tell');
      await answer(0, 'stopped', -1);
      await until(made.chat, () => lines(made.chat).at(-1)?.includes('word1') === true);
      made.chat.stop();
      expect((await sent).status).to.equal('cancelled');
      const next = made.chat.send('Sure?');
      await answer(2, 'next-turn');
      await next;
      expect(lines(made.chat).slice(1)).to.deep.equal([
        'assistant cancelled: word0 word1 ',
        'user complete: Sure?',
        'assistant complete: Yes: 3 texts before.',
      ]);
      expect(made.told.errors).to.deep.equal([]);
    });

    it('ends as stopped when another page has stopped it', async () => {
      const sent = made.chat.send('Tell');
      await answer(0, 'stopped');
      expect([(await sent).status, made.told.errors]).to.deep.equal(['cancelled', []]);
    });

    it('reports an error of the model, after the text', async () => {
      const sent = made.chat.send('Fail');
      await answer(0, 'model-fails');
      await sent;
      expect(lines(made.chat).at(-1)).to.equal('assistant error: Half | error: The model is overloaded.');
    });
  });
