/** Questions of a stream that breaks and starts again: an answer to the first one does not count for another. */
import { expect } from '@open-wc/testing';
import type { BlockOf } from '../../src/model/blocks.ts';
import type { LLMAgentEvent, LLMAgentEventData } from '../../src/model/events/agent-events.ts';
import type { Adapter, Answer } from '../../src/protocols/core/adapter.ts';
import { makeChat, pending, until } from './support/make-chat.ts';
import { stream, watchedBody } from './support/scripted-server.ts';

const event = (data: Omit<LLMAgentEventData, 'eventId'>): string =>
  `data: ${JSON.stringify({ type: 'response', data: { eventId: 'e', ...data } })}\n\n`;

const question = (tool: string, params: string, id = 'c1'): string =>
  event({
    tool_call: 'permission-required',
    tool_call_id: id,
    tool_call_params: params,
    permission_request: { toolName: tool, serverName: '', permissionType: 'write', description: '' },
    request: { id: 'q1' },
  });

/** A protocol that sends a broken reply again from its start, and whose questions come in the stream. */
const startsAgain = (sent: (readonly Answer[])[]): Adapter => ({
  id: 'starts-again',
  kind: 'agent',
  request: (turn, { url }) => {
    sent.push(turn.answers);
    return { url, init: { method: 'POST', body: {} } };
  },
  resume: (_turn, { url }) => ({ request: { url, init: { method: 'GET' } }, from: 'start' }),
  async *decode(batches) {
    for await (const frames of batches) yield frames.map(({ data }) => JSON.parse(data) as LLMAgentEvent);
  },
});

function play(first: string, again: string) {
  const sent: (readonly Answer[])[] = [];
  let drop: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(first));
      drop = () => {
        controller.error(new TypeError('network error'));
      };
    },
  });
  const made = makeChat(
    [
      () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
      () => watchedBody([again], 'close').response(),
      stream(event({ content: 'Done', finish: 'complete' })),
    ],
    { protocol: startsAgain(sent) },
  );
  return {
    ...made,
    sent,
    drop: () => {
      drop();
    },
  };
}

const isAsked = (block: BlockOf<'action'>, tool: string): boolean => block.tool_call?.name === tool;
const hasQuestion = (chat: ReturnType<typeof play>['chat'], tool: string): boolean =>
  chat.messages.some(({ blocks }) => blocks.some((block) => block.type === 'action' && isAsked(block, tool)));
const END = event({ finish: 'tool_use' });

describe('A question of a stream that starts again', () => {
  it('is not answered by what the user said to another one before', async () => {
    const { chat, sent, drop } = play(question('get_time', '{}'), question('delete_account', '{"all":true}') + END);
    const reply = chat.send('Go');
    await until(chat, () => hasQuestion(chat, 'get_time'));
    void chat.respond(pending(chat).id, 'granted');
    drop();
    await until(chat, () => hasQuestion(chat, 'delete_account'));
    void chat.respond(pending(chat).id, 'denied');
    await reply;
    expect(sent.map((answers) => answers.map(({ decision }) => decision))).to.deep.equal([[], ['denied']]);
  });

  it('has an id of its own, so that a late answer to another one does not count', async () => {
    const { chat, sent, drop } = play(question('get_time', '{}'), question('delete_account', '{"all":true}') + END);
    const reply = chat.send('Go');
    await until(chat, () => hasQuestion(chat, 'get_time'));
    const { id } = pending(chat);
    drop();
    await until(chat, () => hasQuestion(chat, 'delete_account'));
    // For example from another tab, which has not heard of the change.
    void chat.respond(id, 'granted');
    expect(pending(chat).status).to.equal('pending');
    void chat.respond(pending(chat).id, 'denied');
    await reply;
    expect(sent.at(-1)?.map(({ decision }) => decision)).to.deep.equal(['denied']);
  });

  it('keeps its id if it is the same, so that it stays in its place', async () => {
    const { chat, sent, drop } = play(question('get_time', '{}'), question('get_time', '{}') + END);
    const reply = chat.send('Go');
    await until(chat, () => hasQuestion(chat, 'get_time'));
    const { id } = pending(chat);
    void chat.respond(id, 'granted');
    drop();
    await until(chat, () => chat.status === 'awaiting-action');
    void chat.respond(id, 'denied');
    await reply;
    expect(sent.at(-1)?.map(({ decision }) => decision)).to.deep.equal(['denied']);
  });

  it('does not change that an answer of an earlier round was sent after it', async () => {
    const { chat, server } = makeChat(
      [
        stream(question('get_time', '{}', 'c1') + question('get_date', '{}', 'c2') + END),
        stream(event({ content: 'Ha' })),
        stream(event({ content: 'Half.', finish: 'complete' })),
        stream(event({ content: 'Done', finish: 'complete' })),
      ],
      { protocol: { ...startsAgain([]), nextAnswers: (answers) => answers.slice(0, 1) } },
    );
    const reply = chat.send('Go');
    await until(chat, () => chat.status === 'awaiting-action');
    void chat.respond(pending(chat).id, 'granted');
    void chat.respond(pending(chat).id, 'denied');
    const { blocks } = await reply;
    expect(server.asked.filter(({ init }) => init.method === 'POST')).to.have.length(3);
    const asked = blocks.filter(({ type }) => type === 'action');
    expect(asked.map((block) => [block.status, block.extra?.['unsent']])).to.deep.equal([
      ['granted', undefined],
      ['denied', undefined],
    ]);
  });
});
