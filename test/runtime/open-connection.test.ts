import { expect } from '@open-wc/testing';
import { untilEnd, watchEnd } from '../../src/runtime/stream/end-of-stream.ts';
import type { Frame } from '../../src/transport/frame.ts';
import { handFed, settled } from '../support/fake-delay.ts';
import { changesOf, makeChat, until, wordsOf } from './support/make-chat.ts';
import { completionOf, session, stream, watchedBody } from './support/scripted-server.ts';
import { END, resumable, says } from './support/wire-agent.ts';

const said = (text: string): string => completionOf(text).replace('data: [DONE]\n\n', '');
const usage =
  'data: {"object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}\n\n';

describe('a connection that stays open after the end', () => {
  const ends = [
    { name: 'an end event', protocol: 'agent-session', pieces: [session('Hello.')] },
    { name: '[DONE]', protocol: 'openai-chat', pieces: [completionOf('Hello.')] },
    { name: 'a finish reason', protocol: 'openai-chat', pieces: [said('Hello.')] },
  ];
  for (const { name, protocol, pieces } of ends) {
    it(`is closed: ${name} is the end`, async function () {
      this.timeout(10_000);
      const body = watchedBody(pieces, 'open');
      const { chat, told } = makeChat([body.response], { protocol });
      const answer = await chat.send('Hi');
      expect([answer.status, ...wordsOf(answer)]).to.deep.equal(['complete', 'Hello.']);
      await settled();
      expect([body.cancelled, told.errors]).to.deep.equal([true, []]);
    });
  }

  for (const { name, protocol, pieces } of ends) {
    it(`that is lost then changes nothing: ${name}`, async () => {
      const { chat } = makeChat([watchedBody(pieces, 'drop').response], { protocol });
      expect((await chat.send('Hi')).status).to.equal('complete');
    });
  }

  it('that is lost then is not resumed', async () => {
    const body = watchedBody([says({ id: '1', content: 'Hello.' }, END)], 'drop');
    const { chat, server } = makeChat([body.response], { protocol: resumable });
    const statuses = changesOf(chat, ({ status }) => status);
    expect((await chat.send('Hi')).status).to.equal('complete');
    expect(server.asked).to.have.length(1);
    expect(statuses).not.to.include('reconnecting');
  });

  it('that becomes silent then changes nothing', async () => {
    const { chat } = makeChat([watchedBody([said('Hello.')], 'open').response], {
      protocol: 'openai-chat',
      limits: { idle: 1 },
    });
    expect((await chat.send('Hi')).status).to.equal('complete');
  });

  it('is read for events after a finish reason', async () => {
    const { chat } = makeChat([watchedBody([said('Hello.'), usage], 'drop').response], { protocol: 'openai-chat' });
    expect((await chat.send('Hi')).usage).to.include({ total_tokens: 3 });
  });

  it('without an end is interrupted', async () => {
    const { chat } = makeChat([watchedBody([session('Half', false)], 'drop').response]);
    expect((await chat.send('Hi')).status).to.equal('interrupted');
  });

  it('of one round does not delay the turn', async () => {
    const body = watchedBody([session('Hello.')], 'open');
    const { chat } = makeChat([body.response, stream(session('Again.'))]);
    await chat.send('Hi');
    expect((await chat.send('Hi')).status).to.equal('complete');
    await until(chat, () => chat.status === 'idle');
    expect(body.cancelled).to.equal(true);
  });
});

describe('untilOver()', () => {
  it('a heartbeat does not prolong the wait', async () => {
    const end = watchEnd(0);
    async function* beats(): AsyncGenerator<readonly Frame[]> {
      for (;;) {
        await settled();
        yield [{ data: 'ping' }];
      }
    }
    let count = 0;
    for await (const batch of untilEnd(beats(), end)) {
      count += batch.length;
      end.report();
    }
    expect(count).to.be.greaterThan(0);
    end.dispose();
  });

  it('without an end marker it waits until the body ends', async () => {
    const { stream: batches, feed, end } = handFed<readonly Frame[]>();
    feed([{ data: 'a' }], [{ data: 'b' }]);
    end();
    const read: string[] = [];
    for await (const batch of untilEnd(batches, watchEnd(0))) read.push(...batch.map(({ data }) => data));
    expect(read).to.deep.equal(['a', 'b']);
  });
});
