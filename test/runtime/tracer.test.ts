import { expect } from '@open-wc/testing';
import { Tracer, type TraceEntry } from '../../src/runtime/tracer.ts';
import type { Frame } from '../../src/transport/frame.ts';
import { callsOf, completionOf, session, status, stream } from './support/scripted-server.ts';
import { makeChat, type Made } from './support/make-chat.ts';

interface Traced extends Made {
  readonly entries: readonly TraceEntry[];
  of<Kind extends TraceEntry['kind']>(kind: Kind): readonly Extract<TraceEntry, { readonly kind: Kind }>[];
}

function trace(...[script, settings]: Parameters<typeof makeChat>): Traced {
  const entries: TraceEntry[] = [];
  const made = makeChat(script, settings, {
    trace: (turn) => new Tracer((entry) => entries.push(entry), turn),
  });
  return {
    ...made,
    entries,
    of: <Kind extends TraceEntry['kind']>(kind: Kind) =>
      entries.filter((entry): entry is Extract<TraceEntry, { readonly kind: Kind }> => entry.kind === kind),
  };
}

async function* batchesOf(...batches: readonly (readonly Frame[])[]): AsyncGenerator<readonly Frame[]> {
  await Promise.resolve();
  yield* batches;
}

const KEY = 'Bearer a-token-of-the-page"with-a-quote';

describe('the tracer', () => {
  it('reports the request, the response, and each frame with its events', async () => {
    const { chat, of } = trace([stream(session('Hello'))]);
    const reply = await chat.send('Hi');
    const turn = chat.messages[0]?.id;
    const [request] = of('request');
    expect(request).to.include({ turn, method: 'POST', url: new URL('/agent', location.href).href });
    expect(JSON.parse(request?.body ?? '')).to.have.property('messages');
    expect(of('response')).to.have.length(1);
    expect(of('response')[0]).to.include({ status: 200, contentType: 'text/event-stream' });
    expect(of('stream')[0]).to.include({ framing: 'sse' });
    expect(of('frame').map(({ number, frame }) => [number, /"type":"(\w+)"/.exec(frame.data)?.[1]])).to.deep.equal([
      [1, 'content'],
      [2, 'session_end'],
    ]);
    const words = of('event').filter(({ event }) => event.type === 'response' && event.data.content === 'Hello');
    expect(words.map(({ number, blocks }) => ({ number, blocks }))).to.deep.equal([
      { number: 1, blocks: [reply.blocks[0]?.id] },
    ]);
    expect(
      of('event')
        .filter(({ event }) => event.type === 'end')
        .map(({ number }) => number),
    ).to.deep.equal([2]);
    expect(of('messages').at(-1)?.messages).to.deep.equal([reply]);
    expect(of('protocol')[0]).to.include({ id: 'agent-session' });
  });

  it('shows no query, no header value and nothing that looks like a key', async () => {
    const { chat, entries } = trace([stream(session(`You sent ${KEY} and sk-abcdefghijklmnop.`))], {
      endpoint: '/agent?key=secret-of-the-query',
      headers: { authorization: KEY },
      body: { note: KEY },
    });
    await chat.send(`My key is sk-qrstuvwxyzabcdef.`);
    const [turn] = entries;
    const told = entries
      .filter(({ kind }) => kind !== 'turn' && kind !== 'messages')
      .map((entry) => JSON.stringify(entry));
    const kept = turn?.kind === 'turn' ? [turn.text, JSON.stringify(turn.mask(chat.messages))] : [];
    for (const text of [...told, ...kept]) {
      for (const secret of ['a-token-of-the-page', 'secret-of-the-query', 'sk-abc', 'sk-qrs']) {
        expect(text).not.to.include(secret);
      }
    }
  });

  it('shows no key of an earlier request, no name that is a key, and none in a content type', async () => {
    const server = (): Response =>
      new Response(`data: ${JSON.stringify({ type: 'a', 'an-earlier-key': 1 })}\n\n${session('an-earlier-key')}`, {
        headers: { 'content-type': 'text/event-stream; key=an-earlier-key' },
      });
    let key = 'an-earlier-key';
    const { chat, entries } = trace([stream(session('Hi')), server, status(500, 'It was an-earlier-key.')], {
      headers: () => ({ 'x-api-key': key }),
    });
    await chat.send('One');
    key = 'a-later-key';
    await chat.send('Two');
    const { length } = entries;
    expect(length).to.be.above(5);
    const reply = await chat.send('Three');
    const told = entries.filter(({ kind }) => kind !== 'turn' && kind !== 'messages');
    expect(JSON.stringify(told)).to.include('***').and.not.to.include('an-earlier-key');
    expect(JSON.stringify(reply)).to.include('It was ***.');
  });

  for (const protocol of ['ai-sdk', 'ag-ui', 'agentscope', 'deepchat-events', 'a2a']) {
    it(`rule 30: shows no password that a form sends, however short: ${protocol}`, async () => {
      const data = {
        name: 'login',
        surfaceId: 's',
        sourceComponentId: 'go',
        context: { user: 'ann', password: 'pw"1', greeting: 'I am hunter2-PW' },
        dataModel: { form: { password: 'pw"1', other: 'hunter2-PW' } },
        secrets: ['password', 'greeting'],
      };
      const answer = stream('data: {"echo":"I am hunter2-PW"}\n\n');
      const { chat, entries, of } = trace([answer], { protocol, endpoint: `/${protocol}/message:stream` });
      await chat.send({ text: 'Sign in', data });
      expect(of('request').at(-1)?.body).to.match(/Sign in|"ann"/);
      const told = JSON.stringify(entries.map((entry) => ({ ...entry, mask: undefined })));
      expect(told).not.to.contain('hunter2-PW');
      // In JSON inside of JSON the quotation mark has several spellings.
      expect(told).not.to.match(/pw[\\"]+1/);
    });
  }

  it('reports warnings with their frame', async () => {
    const { chat, of } = trace([stream(`data: {broken\n\n${session('Hello')}`)]);
    await chat.send('Hi');
    expect(of('warning').map(({ number, warning }) => [number, warning])).to.deep.equal([[1, 'malformed']]);
  });

  it('reports the frames of an unknown stream, and a bad status', async () => {
    const { chat, of } = trace([stream('data: {"odd":1}\n\n'), status(500, 'Out of memory')], { protocol: 'auto' });
    await chat.send('Hi');
    expect(of('frame').map(({ frame }) => frame.data)).to.deep.equal(['{"odd":1}']);
    expect(of('fed')).to.deep.equal([]);
    await chat.send('Again');
    expect(of('response').map((entry) => entry.status)).to.deep.equal([200, 500]);
  });

  it('assigns events of page tools to no frame, and reports each new round', async () => {
    const { chat, of } = trace([stream(callsOf(['c1', 'look', '{}'])), stream(completionOf('Seen.'))], {
      protocol: 'openai-chat',
      tools: [{ name: 'look', description: 'Looks', parameters: { type: 'object' }, execute: () => 'a tree' }],
    });
    await chat.send('Look');
    const result = of('event').find(
      ({ event }) => event.type === 'response' && event.data.tool_call_response !== undefined,
    );
    expect(result?.number).to.equal(undefined);
    expect(of('round')).to.have.length(1);
    expect(of('request')).to.have.length(2);
  });

  it('reports no frame that it has not seen arrive', async () => {
    const entries: TraceEntry[] = [];
    const message = { id: 't', role: 'user', status: 'complete', blocks: [], timestamp: 1 } as const;
    const tracer = new Tracer((entry) => entries.push(entry), message);
    const batches = batchesOf([{ data: 'a' }, { data: 'b' }]);
    const fed: string[] = [];
    for await (const batch of tracer.feed(batches)) fed.push(...batch.map(({ data }) => data));
    expect(fed).to.deep.equal(['a', 'b']);
    expect(entries.map(({ kind }) => kind)).to.deep.equal(['turn']);
  });

  it('keeps frames batched if nobody traces', async () => {
    const batches: number[] = [];
    const seen = {
      id: 'seen',
      request: () => ({ url: '/agent', init: {} }),
      async *decode(frames: AsyncIterable<readonly unknown[]>) {
        for await (const batch of frames) batches.push(batch.length);
        yield [{ type: 'end', data: { eventId: 'e', userStop: false } }] as const;
      },
    };
    const { chat } = makeChat([stream('data: 1\n\ndata: 2\n\n')], { protocol: seen });
    await chat.send('Hi');
    expect(batches).to.deep.equal([2]);
  });
});
