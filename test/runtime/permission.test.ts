import { aTimeout, expect } from '@open-wc/testing';
import type { LLMAgentEventData } from '../../src/model/events/agent-events.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { sse } from '../support/play-body.ts';
import type { ChatSettings } from '../../src/runtime/chat-settings.ts';
import { isAsking, makeChat, pending, until } from './support/make-chat.ts';
import { status, stream, type Answerer } from './support/scripted-server.ts';

const events = (...data: readonly Omit<LLMAgentEventData, 'eventId'>[]): Answerer =>
  stream(
    sse(...data.map((fields) => ({ type: 'response', data: { eventId: 'e', ...fields } })), {
      type: 'end',
      data: { eventId: 'e', userStop: false },
    }),
  );
const permission = (id: string): Omit<LLMAgentEventData, 'eventId'> => ({
  tool_call: 'permission-required',
  tool_call_id: id,
  tool_call_name: 'write_file',
  tool_call_params: '{"path":"a.txt"}',
  permission_request: {
    toolName: 'write_file',
    serverName: 'files',
    permissionType: 'write',
    description: 'Write a.txt',
  },
});
const written = events({ content: 'Written.' });

async function start(...script: readonly Answerer[]) {
  const made = makeChat(script, { protocol: 'deepchat-events' });
  const sent = made.chat.send('Write it');
  await until(made.chat, isAsking);
  return { ...made, sent };
}

/** Source: `docs/protocols/deepchat-events.md`: the next request carries the decision. */
describe('a permission request of the agent', () => {
  for (const decision of ['granted', 'denied'] as const) {
    it(`${decision} is sent with the next request, and the reply continues in the same message`, async () => {
      const { chat, server, sent } = await start(events({ content: 'May I?' }, permission('t')), written);
      void chat.respond(pending(chat).id, decision);
      const answer = await sent;
      expect(server.asked).to.have.length(2);
      expect((server.bodies[1] as { permissions: unknown }).permissions).to.deep.equal([
        { tool_call_id: 't', decision, permissionType: 'write', serverName: 'files' },
      ]);
      expect(server.bodies[0]).not.to.have.property('permissions');
      expect(chat.messages).to.have.length(2);
      expect(answer.blocks.map(({ type, status }) => [type, status])).to.deep.equal([
        ['content', 'success'],
        ['action', decision],
        ['content', 'success'],
      ]);
      expect(answer).to.include({ status: 'complete', finish: 'complete' });
    });
  }

  const begun = { tool_call: 'start', tool_call_id: 't', tool_call_name: 'write_file' } as const;
  const callIn = ({ blocks }: ChatMessage) => blocks.find(({ type }) => type === 'tool_call');

  it('keeps its call open over the end of the stream, for the result in the next one', async () => {
    const result = { tool_call: 'end', tool_call_id: 't', tool_call_response: 'One line' } as const;
    const { chat, sent } = await start(events(begun, permission('t')), events(result, { content: 'Written.' }));
    void chat.respond(pending(chat).id, 'granted');
    const answer = await sent;
    expect(answer.blocks.map(({ type, status }) => [type, status])).to.deep.equal([
      ['tool_call', 'success'],
      ['action', 'granted'],
      ['content', 'success'],
    ]);
    expect(callIn(answer)).to.have.nested.property('tool_call.response', 'One line');
  });

  it('keeps its call open if “Always” has answered it before the end of the stream', async () => {
    const result = { tool_call: 'end', tool_call_id: 't', tool_call_response: 'One line' } as const;
    const turn = [events(begun, permission('t')), events(result, { content: 'Written.' })];
    const { chat, server, sent } = await start(...turn, ...turn);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await sent;
    const answer = await chat.send('Again');
    expect(server.asked).to.have.length(4);
    expect(callIn(answer))
      .to.include({ status: 'success' })
      .and.to.have.nested.property('tool_call.response', 'One line');
  });

  it('whose call gets no result has failed with the reply, also if “Always” has answered it', async () => {
    const { chat, sent } = await start(
      events(begun, permission('t')),
      written,
      events(begun, permission('t')),
      written,
    );
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await sent;
    expect(callIn(await chat.send('Again'))).to.include({ status: 'error' });
  });

  for (const decision of ['granted', 'denied'] as const) {
    it(`keeps its call open if it was ${decision} while the stream continued`, async () => {
      let feed: ReadableStreamDefaultController<Uint8Array> | undefined;
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void (feed = controller) });
      const say = (event: object): void => feed?.enqueue(new TextEncoder().encode(sse(event)));
      const result = { tool_call: 'end', tool_call_id: 't', tool_call_response: 'One line' } as const;
      const { chat } = makeChat([() => new Response(body), events(result)], { protocol: 'deepchat-events' });
      const sent = chat.send('Write it');
      say({ type: 'response', data: { eventId: 'e', ...begun } });
      say({ type: 'response', data: { eventId: 'e', ...permission('t') } });
      await until(chat, () => chat.status === 'streaming' && chat.messages.at(-1)?.blocks.length === 2);
      void chat.respond(pending(chat).id, decision);
      say({ type: 'end', data: { eventId: 'e', userStop: false } });
      feed?.close();
      expect(callIn(await sent)).to.include({ status: 'success' });
    });
  }

  it('whose call gets no result has failed with the reply', async () => {
    const { chat, sent } = await start(events(begun, permission('t')), written);
    void chat.respond(pending(chat).id, 'granted');
    expect(callIn(await sent)).to.include({ status: 'error' });
  });

  it('that is never answered leaves no call open', async () => {
    const { chat, sent } = await start(events(begun, permission('t')), written);
    chat.stop();
    expect(callIn(await sent)).to.include({ status: 'cancel' });
  });

  it('several are answered together, after the last answer', async () => {
    const { chat, server, sent } = await start(events(permission('a'), permission('b')), written);
    void chat.respond(pending(chat).id, 'granted');
    expect(chat.status).to.equal('awaiting-action');
    void chat.respond(pending(chat).id, 'denied');
    await sent;
    expect(server.asked).to.have.length(2);
    expect((server.bodies[1] as { permissions: unknown }).permissions).to.deep.equal([
      { tool_call_id: 'a', decision: 'granted', permissionType: 'write', serverName: 'files' },
      { tool_call_id: 'b', decision: 'denied', permissionType: 'write', serverName: 'files' },
    ]);
  });

  it('may be answered while the stream continues', async () => {
    let feed: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (feed = controller) });
    const say = (text: string): void => feed?.enqueue(new TextEncoder().encode(text));
    const { chat, server } = makeChat([() => new Response(body), written], { protocol: 'deepchat-events' });
    const sent = chat.send('Write it');
    say(sse({ type: 'response', data: { eventId: 'e', ...permission('t') } }));
    await until(chat, () => chat.status === 'streaming' && chat.messages.at(-1)?.blocks.length === 1);
    void chat.respond(pending(chat).id, 'granted');
    say(sse({ type: 'end', data: { eventId: 'e', userStop: false } }));
    feed?.close();
    expect((await sent).status).to.equal('complete');
    expect(server.asked).to.have.length(2);
  });

  /** A server that holds its stream after a permission request, and answers other requests as given. */
  function holding(decided: Answerer, limits: ChatSettings['limits'] = {}, settings: ChatSettings = {}) {
    let feed: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (feed = controller) });
    const say = (...data: readonly object[]): void => {
      feed?.enqueue(new TextEncoder().encode(sse(...data)));
    };
    const all = { protocol: 'deepchat-events', limits, ...settings };
    const made = makeChat([() => new Response(body), decided, written], all);
    const reply = made.chat.send('Write it');
    say({ type: 'response', data: { eventId: 'e', ...permission('t') } });
    const end = (): void => {
      say({ type: 'end', data: { eventId: 'e', userStop: false } });
      feed?.close();
    };
    return { ...made, reply, say, end };
  }
  const asks = (chat: ReturnType<typeof makeChat>['chat']): Promise<void> =>
    until(chat, () => chat.status === 'streaming' && chat.messages.at(-1)?.blocks.length === 1);
  const accepted: Answerer = () => new Response(null, { status: 204 });
  const decision = { tool_call_id: 't', decision: 'granted', permissionType: 'write', serverName: 'files' };

  it('goes out at once if the server holds its stream for it, and the stream continues', async () => {
    const { chat, server, reply, say, end } = holding(accepted);
    await asks(chat);
    void chat.respond(pending(chat).id, 'granted');
    await server.heard(2);
    expect(server.bodies[1]).to.deep.equal({ permissions: [decision] });
    say({ type: 'response', data: { eventId: 'e', content: 'Written.' } });
    end();
    expect((await reply).blocks.map(({ type }) => type)).to.deep.equal(['action', 'content']);
    expect(server.asked).to.have.length(2);
  });

  it('rule 24: is asked of the user again when a permanent one has answered several times in a stream that is held open', async () => {
    const made = holding(accepted, {}, { maxToolRounds: 2 });
    const { chat, server, say } = made;
    await asks(chat);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    for (const requests of [2, 3]) {
      await server.heard(requests);
      say({ type: 'response', data: { eventId: 'e', ...permission(`t${String(requests)}`) } });
    }
    await until(chat, () => chat.messages.at(-1)?.blocks.at(-1)?.status === 'pending');
    expect([server.asked.length, pending(chat).tool_call?.id]).to.deep.equal([3, 't3']);
    void chat.respond(pending(chat).id, 'granted');
    await server.heard(4);
    say({ type: 'response', data: { eventId: 'e', ...permission('t4') } });
    await server.heard(5);
    expect(server.bodies[4]).to.deep.equal({ permissions: [{ ...decision, tool_call_id: 't4' }] });
    made.end();
    await made.reply;
  });

  it('goes out when the stream is silent, also after a last event that was on its way', async () => {
    const { chat, server, reply, say, end } = holding(accepted);
    await asks(chat);
    void chat.respond(pending(chat).id, 'granted');
    say({ type: 'response', data: { eventId: 'e', content: 'Meanwhile. ' } });
    await until(chat, () => chat.messages.at(-1)?.blocks.length === 2);
    await server.heard(2);
    expect(server.bodies[1]).to.deep.equal({ permissions: [decision] });
    say({ type: 'response', data: { eventId: 'e', content: 'Written.' } });
    end();
    expect((await reply).status).to.equal('complete');
    expect(server.asked).to.have.length(2);
  });

  it('the server has its full time from the answer on, however long the user took', async () => {
    const { chat, reply, say, end } = holding(accepted, { idle: 1000 });
    await asks(chat);
    await aTimeout(700);
    void chat.respond(pending(chat).id, 'granted');
    await aTimeout(700);
    say({ type: 'response', data: { eventId: 'e', content: 'Written.' } });
    end();
    expect((await reply).status).to.equal('complete');
  });

  it('is sent with the next request if that server refuses it', async () => {
    const { chat, server, reply, end } = holding(status(404));
    await asks(chat);
    void chat.respond(pending(chat).id, 'granted');
    await server.heard(2);
    end();
    await reply;
    expect(server.bodies[2]).to.deep.include({ permissions: [decision] });
    expect(server.bodies[2]).to.have.property('messages');
  });

  it('is sent with the next request if the stream has continued without it', async () => {
    const { chat, server, reply, say, end } = holding(written);
    await asks(chat);
    void chat.respond(pending(chat).id, 'granted');
    say({ type: 'response', data: { eventId: 'e', content: 'Meanwhile' } });
    await until(chat, () => chat.messages.at(-1)?.blocks.length === 2);
    end();
    await reply;
    expect(server.asked).to.have.length(2);
    expect(server.bodies[1]).to.have.property('messages');
  });

  const boom = { type: 'error', data: { eventId: 'e', error: 'Boom' } } as const;
  const ends = (...last: readonly object[]): Answerer =>
    stream(sse({ type: 'response', data: { eventId: 'e', ...permission('t') } }, ...last));
  it('ends with its stream if that ends with an error', async () => {
    const { chat, server, told } = makeChat([ends(boom, { type: 'end', data: { eventId: 'e' } }), written], {
      protocol: 'deepchat-events',
    });
    const { status: ended, blocks } = await chat.send('Write it');
    expect([ended, blocks[0]?.status]).to.deep.equal(['error', 'cancel']);
    expect(told.errors.map(({ message }) => message)).to.deep.equal(['Boom']);
    void chat.respond(blocks[0]?.id ?? '', 'granted');
    expect([chat.busy, server.asked.length]).to.deep.equal([false, 1]);
  });

  it('that was answered before the stream ended with an error is not sent', async () => {
    const { chat, server, reply, say, end } = holding(written);
    await asks(chat);
    void chat.respond(pending(chat).id, 'granted');
    say(boom);
    end();
    const { status: ended, blocks } = await reply;
    expect([ended, blocks[0]?.status, server.asked.length]).to.deep.equal(['error', 'cancel', 1]);
  });

  it('outlives an error if the stream says that it waits', async () => {
    const { server, sent, chat } = await start(
      ends(boom, { type: 'response', data: { eventId: 'e', finish: 'tool_use' } }),
      written,
    );
    void chat.respond(pending(chat).id, 'granted');
    await sent;
    expect(server.asked).to.have.length(2);
  });

  const stopped = ends({ type: 'end', data: { eventId: 'e', userStop: true } });

  it('outlives a stop by the server, and can be answered', async () => {
    const { server, sent, chat } = await start(stopped, written);
    void chat.respond(pending(chat).id, 'granted');
    await sent;
    expect(server.asked).to.have.length(2);
  });

  for (const name of ['before', 'after']) {
    it(`of a reply that the server has stopped ends with the message that the user sent ${name} the stop`, async () => {
      const { chat, server } = makeChat([stopped, written], { protocol: 'deepchat-events' });
      const sent = chat.send('Write it');
      if (name === 'after') await until(chat, isAsking);
      const next = await chat.send('Something else');
      const reply = await sent;
      expect([reply.status, reply.metadata?.['stoppedBy'], reply.blocks[0]?.status]).to.deep.equal([
        'cancelled',
        'server',
        'cancel',
      ]);
      expect([next.status, chat.status, server.asked.length]).to.deep.equal(['complete', 'idle', 2]);
    });
  }

  it('is cancelled by a stop, and nothing more is sent', async () => {
    const { chat, server, sent } = await start(events(permission('t')), written);
    chat.stop();
    const answer = await sent;
    expect(answer).to.include({ status: 'cancelled', finish: 'cancelled' });
    expect(answer.blocks[0]?.status).to.equal('cancel');
    void chat.respond(answer.blocks[0]?.id ?? '', 'granted');
    expect([chat.status, server.asked.length]).to.deep.equal(['idle', 1]);
  });

  it('an answer without a request does nothing', async () => {
    const { chat, server } = await start(events(permission('t')), written);
    const before = chat.messages;
    void chat.respond('nobody', 'granted');
    expect(chat.messages).to.equal(before);
    expect(server.asked).to.have.length(1);
    chat.stop();
  });
});
