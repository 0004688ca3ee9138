import { expect } from '@open-wc/testing';
import { ChatError } from '../../../src/errors.ts';
import { defaultLimits, type Limits } from '../../../src/runtime/limits.ts';
import { readResponse } from '../../../src/runtime/stream/read-response.ts';
import { lines, makeChat } from '../support/make-chat.ts';
import { session, silent, stream, watchedBody } from '../support/scripted-server.ts';

const never = new AbortController().signal;

/** The frames of a response, and why they ended early. */
async function read(
  response: Response,
  limits: Partial<Limits> = {},
  signal = never,
): Promise<{ readonly data: readonly string[]; readonly problem?: string }> {
  const data: string[] = [];
  try {
    const { batches } = await readResponse(response, { limits: { ...defaultLimits, ...limits }, signal });
    for await (const batch of batches) data.push(...batch.map((frame) => frame.data));
    return { data };
  } catch (error) {
    return { data, problem: error instanceof ChatError ? error.reason : String(error) };
  }
}

describe('readResponse()', () => {
  it('yields the frames of a body, and releases it', async () => {
    const body = watchedBody(['data: a\n\nda', 'ta: b\n\n'], 'close');
    expect(await read(body.response())).to.deep.equal({ data: ['a', 'b'] });
  });

  it('reads the complete body without a stream', async () => {
    const whole = new Response('data: a\n\ndata: b\n\n');
    const without = { body: null, headers: whole.headers, text: () => whole.text() } as Response;
    expect(await read(without)).to.deep.equal({ data: ['a', 'b'] });
  });

  const rows: readonly {
    readonly name: string;
    readonly pieces: readonly string[];
    readonly end: 'open' | 'drop' | 'close';
    readonly limits?: Partial<Limits>;
    readonly data: readonly string[];
    readonly problem: string;
  }[] = [
    {
      name: 'a body that becomes silent',
      pieces: ['data: a\n\n'],
      end: 'open',
      limits: { idle: 1 },
      data: ['a'],
      problem: 'stalled',
    },
    {
      name: 'a body that never begins',
      pieces: [],
      end: 'open',
      limits: { firstByte: 1 },
      data: [],
      problem: 'no-answer',
    },
    { name: 'a lost connection', pieces: ['data: a\n\n'], end: 'drop', data: ['a'], problem: 'dropped' },
    { name: 'a connection lost before the first byte', pieces: [], end: 'drop', data: [], problem: 'dropped' },
    {
      name: 'an event that is too large',
      pieces: ['data: a\n\n', `data: ${'x'.repeat(50)}`],
      end: 'open',
      limits: { eventBytes: 40 },
      data: ['a'],
      problem: 'event-too-long',
    },
    {
      name: 'a stream that is too large',
      pieces: ['data: a\n\n', 'data: b\n\n'],
      end: 'open',
      limits: { streamBytes: 12 },
      data: ['a'],
      problem: 'stream-too-long',
    },
  ];
  for (const { name, pieces, end, limits, data, problem } of rows) {
    it(`${name}: yields the frames before, and releases the body`, async () => {
      const body = watchedBody(pieces, end);
      expect(await read(body.response(), limits)).to.deep.equal({ data, problem });
      expect(body.cancelled).to.equal(end === 'open');
    });
  }

  it('rule 60: yields to the page within a body that one read gives completely', async () => {
    const body = `data: ${'x'.repeat(40_000)}\n\n`.repeat(8);
    const { batches } = await readResponse(new Response(body), { limits: defaultLimits, signal: never });
    const happened: string[] = [];
    for await (const batch of batches) {
      if (happened.length === 0) setTimeout(() => happened.push('task'));
      const until = performance.now() + 20;
      while (performance.now() < until) continue;
      happened.push(...batch.map(() => 'event'));
    }
    expect(happened.indexOf('task')).to.be.within(1, 7);
  });

  it('a body that is aborted by the page’s own fetch is a lost connection', async () => {
    const aborted = (): ReadableStream<Uint8Array> =>
      new ReadableStream(
        {
          start(controller) {
            controller.enqueue(new TextEncoder().encode(session('Half an ans', false)));
          },
          pull(controller) {
            controller.error(new DOMException('The user aborted a request.', 'AbortError'));
          },
        },
        { highWaterMark: 0 },
      );
    const headers = { 'content-type': 'text/event-stream' };
    const { chat, told } = makeChat([() => new Response(aborted(), { headers })]);
    const answer = await chat.send('Hi');
    expect(answer.status).to.equal('interrupted');
    expect(told.errors.map(({ kind }) => kind)).to.deep.equal(['network']);
    expect(lines(chat).at(-1)).to.equal('assistant interrupted: Half an ans | error: dropped');
  });

  it('an unreadable body without a stream is a lost connection', async () => {
    const broken = { body: null, headers: new Headers(), text: () => Promise.reject(new TypeError('network error')) };
    expect(await read(broken as unknown as Response)).to.deep.equal({ data: [], problem: 'dropped' });
  });

  it('silence has no limit while the agent waits for the user', async () => {
    let asked = 0;
    const body = watchedBody(['data: a\n\n']);
    const limits = { ...defaultLimits, idle: 1 };
    const silenceFrom = (): number => (++asked < 3 ? performance.now() : -Infinity);
    const { batches } = await readResponse(body.response(), { limits, signal: never, silenceFrom });
    const iterator = batches[Symbol.asyncIterator]();
    await iterator.next();
    const reason = await iterator.next().catch((error: unknown) => error instanceof ChatError && error.reason);
    expect([reason, asked]).to.deep.equal(['stalled', 3]);
  });

  it('a limit of 0 means no limit', async () => {
    const body = watchedBody(['data: a\n\n'], 'close');
    const limits = { idle: Infinity, firstByte: Infinity };
    expect(await read(body.response(), limits)).to.deep.equal({ data: ['a'] });
  });

  it('after an abort, it releases a body that ignores the signal', async () => {
    const controller = new AbortController();
    const body = watchedBody(['data: a\n\n']);
    const { batches } = await readResponse(body.response(), { limits: defaultLimits, signal: controller.signal });
    const iterator = batches[Symbol.asyncIterator]();
    await iterator.next();
    const next = iterator.next();
    controller.abort();
    expect((await next).done).to.equal(true);
    expect(body.cancelled).to.equal(true);
  });
});

describe('rule 12: the limits of a reply', () => {
  const say = (text: string): string => `data: ${JSON.stringify({ type: 'content', data: { content: text } })}\n\n`;
  const tool = (id: string): string =>
    `data: ${JSON.stringify({ type: 'tool_call_start', data: { tool_id: id, tool_name: 'f' } })}\n\n`;
  const rows: readonly {
    readonly name: string;
    readonly limits: Partial<Limits>;
    readonly body: string;
    readonly end: string;
  }[] = [
    { name: 'characters', limits: { messageBytes: 5 }, body: say('Hello.'), end: 'Hello. | error: answer-too-long' },
    {
      name: 'blocks',
      limits: { blocks: 1 },
      body: tool('a') + say('Hello.'),
      end: 'tool_call | Hello. | error: answer-too-long',
    },
    {
      name: 'tool calls',
      limits: { toolCalls: 1 },
      body: tool('a') + tool('b'),
      end: 'tool_call | tool_call | error: answer-too-long',
    },
    {
      name: 'bytes of the stream',
      limits: { streamBytes: 100 },
      body: say('Hello.').repeat(3),
      end: 'Hello. | error: stream-too-long',
    },
  ];
  for (const { name, limits, body, end } of rows) {
    it(`${name}: ends with an error, and the received text is kept`, async () => {
      const { chat, told } = makeChat([stream(body)], { limits });
      await chat.send('Hi');
      expect(lines(chat).at(-1)).to.equal(`assistant error: ${end}`);
      expect(told.errors.map(({ kind }) => kind)).to.deep.equal(['limit']);
    });
  }

  it('rule 16: a reply that falls silent is interrupted, and what came is kept', async () => {
    const body = watchedBody([session('Half', false)]);
    const { chat, told } = makeChat([body.response], { limits: { idle: 1 } });
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal('assistant interrupted: Half | error: stalled');
    expect(told.errors.map(({ kind, retryable }) => [kind, retryable])).to.deep.equal([['timeout', true]]);
    expect(body.cancelled).to.equal(true);
  });

  it('a server that never responds is given up, and its request is aborted', async () => {
    const { chat, server } = makeChat([silent], { limits: { firstByte: 1 } });
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal('assistant interrupted: error: no-answer');
    expect(server.asked[0]?.init.signal?.aborted).to.equal(true);
  });
});
