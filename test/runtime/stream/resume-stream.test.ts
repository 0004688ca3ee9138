import { expect } from '@open-wc/testing';
import type { Run } from '../../../src/conversation/run.ts';
import type { Adapter } from '../../../src/protocols/core/adapter.ts';
import { ProtocolRegistry } from '../../../src/protocols/registry.ts';
import { Restarts } from '../../../src/runtime/stream/resume-stream.ts';
import { changesOf, lines, makeChat, until, wordsOf, type Made } from '../support/make-chat.ts';
import { silent, status, stream, unreachable, watchedBody, type Answerer } from '../support/scripted-server.ts';
import { END, replaying, resumable, says, wireAgent } from '../support/wire-agent.ts';

const dropped =
  (body: string): Answerer =>
  () =>
    watchedBody([body], 'drop').response();
const cut = dropped(says({ id: '1', content: 'one ' }, { id: '2', content: 'two ' }));
const saved = [
  { role: 'user', text: 'Hi' },
  { role: 'assistant', text: 'one tw', status: 'interrupted', metadata: { run: 'r1' } },
] as const;

describe('Restarts', () => {
  const runOf = (length: number): Run => ({ messages: [], current: 0, failed: false, length });

  it('counts the restarts since the last one that brought new content', () => {
    const restarts = new Restarts();
    const steps = [0, 0, 5, 5, 3, 6].map((length) => {
      restarts.add();
      return restarts.countAfter(runOf(length));
    });
    expect(steps).to.deep.equal([1, 2, 0, 1, 2, 0]);
    expect(restarts.countAfter(runOf(6))).to.equal(0);
  });
});

describe('a broken stream', () => {
  it('continues after the last frame, without duplicated text', async () => {
    const rest = stream(says({ id: '2', content: 'two ' }, { id: '3', content: 'three' }, END));
    const { chat, server, told } = makeChat([cut, rest], { protocol: resumable });
    const answer = await chat.send('Hi');
    expect(wordsOf(answer)).to.deep.equal(['one two three']);
    expect(answer.status).to.equal('complete');
    const asked = server.asked[1];
    expect([asked?.url, asked?.init.method, asked?.headers.get('last-event-id')]).to.deep.equal([
      `${location.origin}/agent/rest`,
      'GET',
      '2',
    ]);
    expect(told.errors).to.deep.equal([]);
  });

  it('drops nothing if frames share their id', async () => {
    const first = dropped(says({ id: 'm', content: 'one ' }, { id: 'm', content: 'two ' }));
    const { chat } = makeChat([first, stream(says({ id: 'm', content: 'three' }, END))], { protocol: resumable });
    expect(wordsOf(await chat.send('Hi'))).to.deep.equal(['one two three']);
  });

  it('restarts if the server repeats the complete reply', async () => {
    const { chat } = makeChat([cut, stream(says({ content: 'one two three' }, END))], { protocol: replaying });
    expect(wordsOf(await chat.send('Hi'))).to.deep.equal(['one two three']);
  });

  it('restarts if it ended without its end marker', async () => {
    const short = stream(says({ content: 'one ' }));
    const { chat } = makeChat([short, stream(says({ content: 'one two' }, END))], { protocol: replaying });
    expect(wordsOf(await chat.send('Hi'))).to.deep.equal(['one two']);
  });

  it('is interrupted by the drop, with the received text, if restarts bring no new text', async () => {
    const { chat, server, told } = makeChat([cut], { protocol: replaying });
    const sent = chat.send('Hi');
    chat.store.subscribe(() => chat.store.state.wait?.now());
    const answer = await sent;
    expect([answer.status, ...wordsOf(answer)]).to.deep.equal(['interrupted', 'one two ', 'error: dropped']);
    expect(told.errors.map(({ kind }) => kind)).to.deep.equal(['network']);
    expect(server.asked).to.have.length(4);
  });

  it('restarts as long as each restart brings new text', async () => {
    const parts = ['one ', 'one two ', 'one two three ', 'one two three four ', 'one two three four five '];
    const ever = parts.map((content) => dropped(says({ content })));
    const { chat } = makeChat([...ever, stream(says({ content: 'one to six' }, END))], { protocol: replaying });
    const sent = chat.send('Hi');
    chat.store.subscribe(() => chat.store.state.wait?.now());
    const answer = await sent;
    expect([answer.status, ...wordsOf(answer)]).to.deep.equal(['complete', 'one to six']);
  });

  for (const [name, protocol, answer] of [
    ['brings one new frame', resumable, (index: number) => says({ id: String(index), content: 'a' })],
    ['brings a frame without text', resumable, (index: number) => says({ id: String(index) })],
    ['repeats the reply with one more letter', replaying, (index: number) => says({ content: 'a'.repeat(index + 1) })],
  ] as const) {
    it(`rule 109: is resumed less and less often if each response ${name}`, async () => {
      const script = Array.from({ length: 8 }, (_, index) => dropped(answer(index)));
      const { chat, server } = makeChat([...script, stream(says(END))], { protocol });
      const waits: number[] = [];
      chat.store.subscribe(() => {
        const { wait } = chat.store.state;
        if (!wait) return;
        waits.push(Math.round(((wait.until ?? 0) - Date.now()) / 500) * 500);
        wait.now();
      });
      await chat.send('Hi');
      expect(server.asked).to.have.length(9);
      expect(waits).to.deep.equal([500, 1000, 2000, 4000, 8000, 8000, 8000, 8000]);
    });
  }

  it('keeps the received text if the server has forgotten the reply', async () => {
    const nothing = stream(': nothing\n\n');
    const { chat } = makeChat([cut, nothing, nothing, nothing, nothing, nothing], { protocol: replaying });
    const answer = await chat.send('Hi');
    expect(answer.status).to.equal('interrupted');
    expect(wordsOf(answer)[0]).to.equal('one two ');
    expect(new Set(answer.blocks.map(({ id }) => id)).size).to.equal(answer.blocks.length);
  });

  it('aborts an attempt that has timed out before the next one', async () => {
    const open: number[] = [];
    const noResponse: Answerer = (asked) => {
      const others = made.server.asked.filter(({ url, init }) => url === asked.url && init !== asked.init);
      open.push(others.filter(({ init }) => init.signal?.aborted === false).length);
      return silent(asked);
    };
    const made: Made = makeChat([cut, noResponse], { protocol: replaying, limits: { firstByte: 20 } });
    const sent = made.chat.send('Hi');
    made.chat.store.subscribe(() => made.chat.store.state.wait?.now());
    expect((await sent).status).to.equal('interrupted');
    expect(open).to.deep.equal([0, 0, 0]);
  });

  it('reconnects after the network has been away', async () => {
    const { chat } = makeChat([cut, unreachable, stream(says({ id: '3', content: 'three' }, END))], {
      protocol: resumable,
    });
    expect(wordsOf(await chat.send('Hi'))).to.deep.equal(['one two three']);
  });

  const short = stream(says({ id: '1', content: 'one ' }));
  const continuing: Adapter = {
    ...resumable,
    resume: (turn, options) => resumable.resume?.(turn, { ...options, lastEventId: '1' }),
  };
  for (const [name, script, protocol, reason] of [
    ['can’t resume this reply', cut, { ...wireAgent, resume: () => undefined }, 'dropped'],
    ['can’t, as it finds out later', cut, { ...wireAgent, resume: () => Promise.resolve(undefined) }, 'dropped'],
    ['could only continue a reply whose text has ended', short, continuing, 'cut'],
  ] as const) {
    it(`ends without a wait if the protocol ${name}`, async () => {
      const { chat, server } = makeChat([script], { protocol });
      const statuses = changesOf(chat, ({ status: current }) => current);
      const answer = await chat.send('Hi');
      expect([answer.status, wordsOf(answer).at(-1)]).to.deep.equal(['interrupted', `error: ${reason}`]);
      expect(statuses).not.to.include('reconnecting');
      expect(server.asked).to.have.length(1);
    });
  }

  it('asks the server about its state only after the wait', async () => {
    const asking: Adapter = {
      ...replaying,
      resume: async (turn, options) => {
        await options.ask({ url: `${options.url}/state`, init: { method: 'GET' } });
        return replaying.resume?.(turn, options);
      },
    };
    const state = () => Response.json({});
    const { chat, server } = makeChat([cut, state, stream(says({ content: 'one two' }, END))], { protocol: asking });
    const sent = chat.send('Hi');
    await until(chat, ({ status: current }) => current === 'reconnecting');
    expect(server.asked).to.have.length(1);
    expect((await sent).status).to.equal('complete');
    expect(server.asked).to.have.length(3);
  });

  const lost = dropped('');
  const two = stream(says({ content: 'one two' }, END));
  for (const [name, protocol, script, text] of [
    ['its first response', replaying, [lost, two], 'one two'],
    [
      'the response that continues it',
      resumable,
      [cut, lost, stream(says({ content: 'three' }, END))],
      'one two three',
    ],
    ['the response that repeats it', replaying, [cut, lost, two], 'one two'],
    ['each response before the last attempt', replaying, [lost, lost, lost, two], 'one two'],
  ] as const) {
    it(`is resumed if the connection is lost after the head of ${name}`, async () => {
      const { chat, server, told } = makeChat(script, { protocol });
      const sent = chat.send('Hi');
      chat.store.subscribe(() => chat.store.state.wait?.now());
      const answer = await sent;
      expect([answer.status, ...wordsOf(answer)]).to.deep.equal(['complete', text]);
      expect([server.asked.length, told.errors]).to.deep.equal([script.length, []]);
    });
  }

  it('is resumed if the page’s `headers` needs the network too', async () => {
    let calls = 0;
    const headers = () => (++calls === 2 ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve({}));
    const { chat, server, told } = makeChat([cut, two], { protocol: replaying, headers });
    const sent = chat.send('Hi');
    chat.store.subscribe(() => chat.store.state.wait?.now());
    const answer = await sent;
    expect([answer.status, ...wordsOf(answer)]).to.deep.equal(['complete', 'one two']);
    expect([calls, server.asked.length, told.errors]).to.deep.equal([3, 2, []]);
  });

  for (const protocol of [resumable, replaying]) {
    it(`is interrupted if each connection is lost after its head, ${protocol === resumable ? 'with' : 'without'} ids`, async () => {
      const { chat, server, told } = makeChat([cut, lost], { protocol });
      const sent = chat.send('Hi');
      chat.store.subscribe(() => chat.store.state.wait?.now());
      const answer = await sent;
      expect([answer.status, ...wordsOf(answer)]).to.deep.equal(['interrupted', 'one two ', 'error: dropped']);
      expect([server.asked.length, told.errors.length]).to.deep.equal([4, 1]);
    });
  }

  it('of a detected protocol is resumed if the connection is lost after the head', async () => {
    const protocols = new ProtocolRegistry();
    protocols.register({ ...replaying, detect: ({ frames }) => (frames.length > 0 ? 'sure' : 'no') });
    const { chat, server } = makeChat([two, lost, two], { protocol: 'auto' }, { protocols });
    await chat.send('Hi');
    expect(wordsOf(await chat.send('Again'))).to.deep.equal(['one two']);
    expect(server.asked.map(({ url }) => url.split('/').at(-1))).to.deep.equal(['agent', 'agent', 'rest']);
  });

  it('of a later round is interrupted if the connection is lost after its head: only the earlier run is known', async () => {
    const tool = { name: 'cart', description: 'Ours.', parameters: {}, execute: () => 'ours' };
    const calls = { tool_call: 'start', tool_call_id: 'c1', tool_call_name: 'cart', tool_call_params: '{}' } as const;
    const asks = stream(says({ content: 'one ' }, calls, { finish: 'tool_use' }));
    const { chat, server } = makeChat([asks, lost, two], { protocol: replaying, tools: [tool] });
    const answer = await chat.send('Hi');
    expect(answer.status).to.equal('interrupted');
    expect(server.asked).to.have.length(2);
  });

  it('that ended without its end marker sends no request for a continuation, which its decoder could not read', async () => {
    const continuing: Adapter = {
      ...wireAgent,
      resume: (_turn, { url }) => ({ request: { url: `${url}/rest`, init: { method: 'GET' } }, from: 'last' }),
    };
    const { chat, server } = makeChat([stream(says({ content: 'one ' })), two], { protocol: continuing });
    const answer = await chat.send('Hi');
    expect([answer.status, ...wordsOf(answer)]).to.deep.equal(['interrupted', 'one ', 'error: cut']);
    expect(server.asked).to.have.length(1);
  });

  it('is interrupted, with the received text, if the run no longer exists', async () => {
    const { chat, told } = makeChat([cut, status(204)], { protocol: resumable });
    const answer = await chat.send('Hi');
    expect([answer.status, ...wordsOf(answer)]).to.deep.equal(['interrupted', 'one two ', 'error: dropped']);
    expect(told.errors).to.have.length(1);
  });

  it('is interrupted if the protocol can’t resume, and nothing is sent again', async () => {
    const { chat, server } = makeChat([cut], { protocol: wireAgent });
    expect((await chat.send('Hi')).status).to.equal('interrupted');
    expect(server.asked).to.have.length(1);
  });

  it('stays stopped if the user has stopped it meanwhile', async () => {
    const { chat, server } = makeChat([cut, stream(says(END))], { protocol: resumable });
    const sent = chat.send('Hi');
    await until(chat, () => chat.status === 'reconnecting');
    chat.stop();
    expect((await sent).status).to.equal('cancelled');
    expect(server.asked).to.have.length(1);
  });
});

describe('resume()', () => {
  it('resumes a stored reply from its start', async () => {
    const { chat, server } = makeChat([stream(says({ content: 'one two' }, END))], { protocol: resumable });
    chat.messages = saved;
    const answer = await chat.resume();
    expect(lines(chat)).to.deep.equal(['user complete: Hi', 'assistant complete: one two']);
    expect(answer.metadata).to.deep.equal({ run: 'r1' });
    expect(server.asked.map(({ url }) => url)).to.deep.equal([`${location.origin}/agent/rest`]);
  });

  it('keeps the message unchanged if the run no longer exists', async () => {
    const { chat, told } = makeChat([status(204)], { protocol: resumable });
    chat.messages = [saved[0], { role: 'assistant', text: 'Once', status: 'complete' }, saved[1]];
    const before = chat.messages;
    expect(await chat.resume()).to.equal(before[2]);
    expect(chat.messages).to.have.length(3);
    for (const [index, message] of chat.messages.entries()) expect(message).to.equal(before[index]);
    expect(chat.status).to.equal('error');
    expect(told.errors).to.deep.equal([]);
    expect(told.messages.map(({ role }) => role)).not.to.contain('assistant');
  });

  it('ends a reply that was cut in mid-text if the run no longer exists', async () => {
    const { chat, told } = makeChat([status(204)], { protocol: resumable });
    chat.messages = [saved[0], { ...saved[1], status: 'streaming' }];
    await chat.resume();
    expect(lines(chat)).to.deep.equal(['user complete: Hi', 'assistant interrupted: one tw']);
    expect(told.errors).to.deep.equal([]);
  });

  it('rejects without a reply', async () => {
    const { chat, told } = makeChat([status(204)], { protocol: resumable });
    chat.messages = saved.slice(0, 1);
    expect(wordsOf(await chat.resume())).to.deep.equal(['error: no-resume']);
    expect(told.errors).to.have.length(1);
  });

  it('gives the decoder a repeated reply as an empty one, with the reply’s own metadata', async () => {
    const seen: unknown[] = [];
    const looking: Adapter = {
      ...resumable,
      decode(batches, context) {
        seen.push(...context.turn.messages.map(({ blocks, metadata }) => [blocks.length, metadata]));
        return wireAgent.decode(batches, context);
      },
    };
    const { chat } = makeChat([stream(says({ content: 'one two' }, END))], { protocol: looking });
    chat.messages = saved;
    await chat.resume();
    expect(seen).to.deep.equal([
      [1, undefined],
      [0, { run: 'r1' }],
    ]);
  });

  it('rejects if no reply was interrupted', async () => {
    const { chat } = makeChat([status(204)], { protocol: resumable });
    chat.messages = [saved[0], { role: 'assistant', text: 'one two' }];
    const refused = await chat.resume().catch((error: unknown) => String(error));
    expect(refused).to.contain('no reply to resume');
  });

  it('rejects if the protocol can’t resume', async () => {
    const { chat } = makeChat([status(204)], { protocol: wireAgent });
    chat.messages = saved;
    expect(wordsOf(await chat.resume())).to.deep.equal(['one tw', 'error: no-resume']);
  });
});
