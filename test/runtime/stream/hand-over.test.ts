import { expect } from '@open-wc/testing';
import { ProtocolRegistry } from '../../../src/protocols/registry.ts';
import { bytesOf, cutsOf } from '../../support/cuts.ts';
import { sse } from '../../support/play-body.ts';
import { lines, makeChat } from '../support/make-chat.ts';
import { stream, watchedBody } from '../support/scripted-server.ts';

const auto = { protocol: 'auto' };
const said = (...pieces: readonly string[]) => pieces.map((content) => ({ type: 'token', data: { content } }));
const table = { type: 'dataframe_data', data: { name: 'Depots', columns: ['Depot', 'Free'], rows: [['North', 4]] } };
const done = { type: 'done', data: {} };
const TEXT = ['Four ', 'depots ', 'are ', 'open', '. '];

async function replyTo(body: string, pieces: readonly Uint8Array[] = [bytesOf(body)]) {
  const readable = () =>
    new Response(new Blob(pieces.map((piece) => new Uint8Array(piece))).stream(), {
      headers: { 'content-type': 'text/event-stream' },
    });
  const made = makeChat([readable], auto);
  await made.chat.send('Hi');
  return made;
}

describe('a custom JSON stream that a named protocol is sure of later', () => {
  it('is read by that protocol from there on, however it is cut', async () => {
    const body = sse(...said(...TEXT), table, ...said('That is all.'), done);
    for (const { chunks, name } of cutsOf(body)) {
      const { chat } = await replyTo(body, chunks);
      expect(lines(chat), name).to.deep.equal([
        'user complete: Hi',
        'assistant complete: Four depots are open.  | data | That is all.',
      ]);
    }
  });

  it('does not repeat text that the last event contains again', async () => {
    const body = sse(
      ...said(...TEXT),
      table,
      { type: 'final_answer', data: { content: `${TEXT.join('')}Come in.` } },
      done,
    );
    const { chat } = await replyTo(body);
    expect(lines(chat).at(-1)).to.equal('assistant complete: Four depots are open.  | data | Come in.');
  });

  it('keeps a tool call together with its result', async () => {
    const body = sse(
      ...said(...TEXT),
      { type: 'tool_call', data: { tool_id: 't', tool_name: 'count', arguments: {} } },
      { type: 'tool_result', data: { tool_id: 't', result: 'four' } },
      done,
    );
    const { chat } = await replyTo(body);
    const call = chat.messages.at(-1)?.blocks.find(({ type }) => type === 'tool_call');
    expect(call).to.deep.include({
      status: 'success',
      tool_call: { id: 't', name: 'count', params: '{}', response: 'four' },
    });
  });

  it('is sent the next message in the format of that protocol', async () => {
    const { chat, server } = makeChat([stream(sse(...said(...TEXT), table, done))], auto);
    await chat.send('Hi');
    expect(chat.store.state.protocol).to.equal('agent-session');
    await chat.send('And then?');
    expect(server.bodies.at(-1)).to.have.all.keys('messages');
  });

  it('stays custom where that protocol would read another text', async () => {
    const pieces = ['Four ', 'depots ', 'are ', 'open'].map((reply) => ({ reply }));
    const { chat, told } = await replyTo(sse(...pieces, table, { reply: '.' }, { done: true }));
    expect(lines(chat).at(-1)).to.equal('assistant complete: Four depots are open.');
    expect(told.warnings.map(({ kind }) => kind)).to.deep.equal(['unknown']);
  });

  it('stays custom after its end', async () => {
    const { chat } = await replyTo(sse(...said(...TEXT), done, table));
    expect(lines(chat).at(-1)).to.match(/^assistant complete: Four depots are open\. ?/);
  });

  it('stays custom where a page names it', async () => {
    const { chat } = makeChat([stream(sse(...said(...TEXT), table, done))], { protocol: 'json-stream' });
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal('assistant complete: Four depots are open. ');
  });

  it('may be handed over to a protocol of the page', async () => {
    const protocols = new ProtocolRegistry();
    protocols.register({
      id: 'depots',
      detect: ({ frames }) => (frames.some(({ data }) => data.includes('"depots"')) ? 'sure' : 'no'),
      request: (_turn, { url }) => ({ url, init: { method: 'POST', body: {} } }),
      async *decode(batches) {
        for await (const frames of batches) {
          yield frames.flatMap(({ data }) => {
            const { say, depots = [] } = JSON.parse(data) as { say?: string; depots?: string[] };
            return say === undefined
              ? ([
                  { type: 'text', content: depots.join(' and ') },
                  { type: 'stop', stop_reason: 'complete' },
                ] as const)
              : ([{ type: 'text', content: say }] as const);
          });
        }
      },
    });
    const body = sse(...TEXT.map((say) => ({ say })), { depots: ['North', 'south'] });
    const { chat } = makeChat([stream(body)], auto, { protocols });
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal('assistant complete: Four depots are open. North and south');
  });

  it('is read to its end although a protocol that was tried reports an end', async () => {
    const protocols = new ProtocolRegistry();
    protocols.register({
      id: 'depots',
      detect: ({ frames }) => (frames.some(({ data }) => data.includes('"depots"')) ? 'sure' : 'no'),
      request: (_turn, { url }) => ({ url, init: { method: 'POST', body: {} } }),
      async *decode(batches, { reportEnd }) {
        for await (const _frames of batches) {
          reportEnd?.();
          yield [{ type: 'text', content: 'Something else.' }];
        }
      },
    });
    const open = new ReadableStream<Uint8Array>({
      async start(controller) {
        // The first frames decide which protocol reads the reply.
        for (const event of said(...TEXT, ...TEXT)) controller.enqueue(bytesOf(sse(event)));
        await new Promise((resolve) => setTimeout(resolve, 20));
        controller.enqueue(bytesOf(sse({ ...said('All ')[0], depots: [] })));
        // Longer than a stream is read after its end was reported.
        await new Promise((resolve) => setTimeout(resolve, 1200));
        controller.enqueue(bytesOf(sse(...said('day.'))));
        controller.close();
      },
    });
    const headers = { 'content-type': 'text/event-stream' };
    const { chat } = makeChat([() => new Response(open, { headers })], auto, { protocols });
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal(`assistant complete: ${'Four depots are open. '.repeat(2)}All day.`);
  });

  it('closes the connection when the user stops', async () => {
    const body = watchedBody([sse(...said(...TEXT), table)]);
    const { chat } = makeChat([body.response], auto);
    const sent = chat.send('Hi');
    await new Promise<void>((resolve) => {
      const end = chat.store.subscribe(() => {
        if (!lines(chat).at(-1)?.includes('data')) return;
        end();
        resolve();
      });
    });
    chat.stop();
    await sent;
    expect(body.cancelled).to.equal(true);
  });
});

describe('session events without metadata', () => {
  const content = (...pieces: readonly string[]) =>
    pieces.map((text) => ({ type: 'content', data: { content: text } }));
  const end = (status: string) => ({ type: 'session_end', data: { status } });
  const BUSY = 'The model is busy.';
  const error = { type: 'error', data: { error_type: 'timeout', message: BUSY, recoverable: true } };
  const rows: readonly {
    readonly name: string;
    readonly events: readonly object[];
    readonly line: string;
    readonly protocol?: string | undefined;
  }[] = [
    ...['error', 'cancelled'].flatMap((status) => [
      {
        name: `a long text that ends as ${status}`,
        events: [...content(...TEXT), end(status)],
        line: `${status}: Four depots are open. `,
      },
      {
        name: `a short text that ends as ${status}`,
        events: [...content('Half'), end(status)],
        line: `${status}: Half`,
      },
      {
        name: `a thought and a text that end as ${status}`,
        events: [{ type: 'thinking', data: { content: 'Hm', stage: 'planning' } }, ...content('Half'), end(status)],
        line: `${status}: reasoning_content | Half`,
      },
    ]),
    { name: 'a text that is completed', events: [...content('Hello'), end('completed')], line: 'complete: Hello' },
    {
      name: 'an error after which the reply continues',
      events: [...content('Half '), error, ...content('whole'), end('completed')],
      line: 'complete: Half  | error: The model is busy. | whole',
    },
    {
      name: 'an error after which a long reply continues',
      events: [...content(...TEXT), error, ...content('That is all.'), end('completed')],
      line: 'complete: Four depots are open.  | error: The model is busy. | That is all.',
    },
    {
      name: 'an error, and the end of the session',
      events: [error, end('error')],
      line: 'error: error: The model is busy.',
      protocol: undefined,
    },
  ];
  for (const { name, events, line, ...expected } of rows) {
    it(`are read as a session: ${name}`, async () => {
      const body = sse(...events);
      for (const { chunks, name: cut } of cutsOf(body)) {
        const { chat } = await replyTo(body, chunks);
        expect(lines(chat).at(-1), cut).to.equal(`assistant ${line}`);
        const protocol = 'protocol' in expected ? expected.protocol : 'agent-session';
        expect(chat.store.state.protocol, cut).to.equal(protocol);
      }
    });
  }

  const token = (...pieces: readonly string[]) => said(...pieces);
  const flat = ({ data, ...event }: { readonly type: string; readonly data: object }) => ({ ...event, ...data });
  const finalAnswer = { type: 'final_answer', data: { content: 'There are 19 chairs.' } };
  const thinking = { type: 'thinking', data: { content: 'Hm' } };
  const stored = [
    { type: 'tool_call', tool_id: 't9', tool_name: 'stock', arguments: {} },
    { type: 'tool_result', tool_id: 't9', status: 'failed', error: { message: 'locked', code: 'L' } },
  ];
  for (const shape of [(event: typeof finalAnswer): object => event, flat])
    for (const { name, events, line } of [
      {
        name: 'a final answer after other text',
        events: [...token('Let me check ', 'the stock ', 'first. ').map(shape), shape(finalAnswer), done],
        line: /^complete: Let me check the stock first\.\s+There are 19 chairs\.$/,
      },
      {
        name: 'a final answer that repeats the text',
        events: [...token('There are ', '19 chairs.').map(shape), shape(finalAnswer), done],
        line: /^complete: There are 19 chairs\.$/,
      },
      { name: 'only a final answer', events: [shape(finalAnswer), done], line: /^complete: There are 19 chairs\.$/ },
      {
        name: 'a thought and a final answer',
        events: [shape(thinking), shape(thinking), shape(finalAnswer), done],
        line: /^complete: reasoning_content \| There are 19 chairs\.$/,
      },
    ])
      it(`with older names: ${name}, ${shape === flat ? 'flat' : 'with data'}`, async () => {
        const body = sse(...events);
        for (const { chunks, name: cut } of cutsOf(body)) {
          const { chat } = await replyTo(body, chunks);
          expect((lines(chat).at(-1) ?? '').replace('assistant ', ''), cut).to.match(line);
        }
      });

  it('with older names: a failed tool with its fields on the top level', async () => {
    const body = sse(...token('One ', 'moment. ').map(flat), ...stored, ...token('It is locked.').map(flat), done);
    const { chat } = await replyTo(body);
    const call = chat.messages.at(-1)?.blocks.find(({ type }) => type === 'tool_call');
    expect(call).to.have.nested.property('tool_call.response', 'locked');
    expect(call?.status).to.equal('error');
  });

  it('a stage of thinking is kept', async () => {
    const body = sse(
      { type: 'thinking', data: { content: 'Hm', stage: 'planning' } },
      ...content('Half'),
      end('error'),
    );
    const { chat } = await replyTo(body);
    expect(chat.messages.at(-1)?.blocks[0]?.extra?.['stage']).to.equal('planning');
  });

  for (const { name, events } of [
    { name: 'a message', events: [{ type: 'error', data: { message: BUSY } }, done] },
    {
      name: 'a text',
      events: [
        { type: 'error', data: BUSY },
        { type: 'done', data: null },
      ],
    },
    { name: 'a message at the top level', events: [{ type: 'error', message: BUSY }, { type: 'done' }] },
    {
      name: 'a message after a thought',
      events: [{ type: 'thinking', data: { content: 'Hm' } }, { type: 'error', data: { message: BUSY } }, done],
    },
  ]) {
    it(`a first reply that is an error is shown: ${name}`, async () => {
      const { chat } = await replyTo(sse(...events));
      const reply = chat.messages.at(-1);
      expect([reply?.status, reply?.blocks.at(-1)?.type, reply?.blocks.at(-1)?.content]).to.deep.equal([
        'error',
        'error',
        BUSY,
      ]);
      // The next request may be of any protocol.
      expect(chat.store.state.protocol).to.equal(undefined);
    });
  }

  for (const { name, events } of [
    { name: 'short', events: [{ type: 'chunk', text: 'Half' }, end('completed')] },
    { name: 'with other fields in data', events: [{ type: 'token', data: { text: 'Half' } }, end('completed')] },
    {
      name: 'of several pieces',
      events: [...['H', 'a', 'l', 'f'].map((text) => ({ type: 'chunk', text })), end('completed')],
    },
  ]) {
    it(`the end of a session is not enough where the text is another’s: ${name}`, async () => {
      const { chat } = await replyTo(sse(...events));
      expect([lines(chat).at(-1), chat.store.state.protocol]).to.deep.equal([
        'assistant complete: Half',
        'json-stream',
      ]);
    });
  }
});
