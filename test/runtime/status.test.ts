import { expect } from '@open-wc/testing';
import { phaseOf, usageOf } from '../../src/runtime/chat/chat-state.ts';
import type { ChatSettings } from '../../src/runtime/chat-settings.ts';
import { sse } from '../support/play-body.ts';
import { changesOf, isAsking, makeChat, pending, until } from './support/make-chat.ts';
import { session, status, stream, unreachable, type Answerer } from './support/scripted-server.ts';

const rows: readonly {
  readonly name: string;
  readonly script: readonly Answerer[];
  readonly settings?: ChatSettings;
  readonly statuses: readonly string[];
}[] = [
  {
    name: 'a reply that succeeds',
    script: [stream(session('Hello.'))],
    statuses: ['idle', 'connecting', 'streaming', 'idle'],
  },
  { name: 'a refused request', script: [status(403)], statuses: ['idle', 'connecting', 'streaming', 'error'] },
  {
    name: 'a cut stream',
    script: [stream(session('Half', false))],
    statuses: ['idle', 'connecting', 'streaming', 'error'],
  },
  {
    name: 'a retry',
    script: [unreachable, stream(session('Hello.'))],
    settings: { retry: 'auto' },
    statuses: ['idle', 'connecting', 'reconnecting', 'connecting', 'streaming', 'idle'],
  },
];

describe('status', () => {
  for (const { name, script, settings = {}, statuses } of rows) {
    it(`through ${name}`, async () => {
      const { chat } = makeChat(script, settings);
      const seen = changesOf(chat, (one) => one.status);
      chat.store.subscribe(() => {
        chat.store.state.wait?.now();
      });
      await chat.send('Hi');
      expect(seen).to.deep.equal(statuses);
    });
  }

  it('is awaiting-action while a permission is open, and the message keeps streaming', async () => {
    const ask = sse(
      { type: 'response', data: { eventId: 'e', tool_call: 'permission-required', tool_call_id: 't' } },
      { type: 'end', data: { eventId: 'e', userStop: false } },
    );
    const done = sse(
      { type: 'response', data: { eventId: 'e', content: 'Done.' } },
      { type: 'end', data: { eventId: 'e', userStop: false } },
    );
    const { chat } = makeChat([stream(ask), stream(done)], { protocol: 'deepchat-events' });
    const seen = changesOf(chat, (one) => one.status);
    const sent = chat.send('Hi');
    await until(chat, isAsking);
    expect(chat.messages.at(-1)).to.include({ status: 'streaming', finish: 'tool_use' });
    void chat.respond(pending(chat).id, 'granted');
    await sent;
    expect(seen).to.deep.equal(['idle', 'connecting', 'streaming', 'awaiting-action', 'streaming', 'idle']);
  });
});

describe('phase', () => {
  it('is the phase of the running reply, and undefined without one', async () => {
    const body = sse(
      { type: 'response', data: { eventId: 'e', phase: { name: 'thinking' } } },
      { type: 'response', data: { eventId: 'e', phase: { name: 'answering', message: 'Writing' } } },
      { type: 'end', data: { eventId: 'e', userStop: false } },
    );
    const { chat } = makeChat([stream(body)], { protocol: 'deepchat-events' });
    const seen = changesOf(chat, ({ store }) => phaseOf(store.state));
    await chat.send('Hi');
    expect(seen.at(-1)).to.equal(undefined);
    expect(seen).to.include('answering');
  });
});

describe('usage', () => {
  it('is the sum over all messages, each counted once', async () => {
    const chunk = (more: object): object => ({ object: 'chat.completion.chunk', choices: [], ...more });
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const body = sse(
      chunk({ choices: [{ index: 0, delta: { content: 'Hello.' }, finish_reason: 'stop' }], usage }),
      chunk({ usage }),
      '[DONE]',
    );
    const { chat } = makeChat([stream(body)], { protocol: 'openai-chat' });
    await chat.send('Hi');
    await chat.send('And?');
    expect(usageOf(chat.messages)).to.deep.equal({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 });
  });
});

describe('the state', () => {
  it('keeps unchanged parts identical', async () => {
    const { chat } = makeChat([stream(session('Hello.'))]);
    await chat.send('Hi');
    const [first, second] = chat.messages;
    const sent = chat.send('And?');
    expect(chat.messages.slice(0, 2)).to.deep.equal([first, second]);
    await sent;
    expect([chat.messages[0] === first, chat.messages[1] === second]).to.deep.equal([true, true]);
    expect(chat.messages).to.equal(chat.messages);
  });

  it('a removed subscriber gets no events', async () => {
    const { chat } = makeChat([stream(session('Hello.'))]);
    let heard = 0;
    const end = chat.store.subscribe(() => heard++);
    end();
    await chat.send('Hi');
    expect(heard).to.equal(0);
  });
});
