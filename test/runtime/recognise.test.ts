import { expect } from '@open-wc/testing';
import { ChatError } from '../../src/errors.ts';
import type { Adapter } from '../../src/protocols/adapter.ts';
import { ProtocolRegistry } from '../../src/protocols/registry.ts';
import { recognise } from '../../src/runtime/recognise.ts';
import { openFrames } from '../../src/transport/open-frames.ts';
import { chunksOf } from '../support/cuts.ts';
import { sse } from '../support/play-body.ts';
import { lines, makeChat } from './support/make-chat.ts';
import { completionOf, session, stream, watchedBody } from './support/scripted-server.ts';

const auto = { protocol: 'auto' };
const PAGE = '<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>';

async function find(body: string, pieces = [body]): Promise<string> {
  const url = new URL('https://agent.example/x');
  try {
    const frames = await openFrames(chunksOf(pieces));
    const { entry, batches } = await recognise(frames, { url, headers: new Headers() }, new ProtocolRegistry().list());
    let count = 0;
    for await (const batch of batches) count += batch.length;
    return `${entry.id}, ${String(count)} frames`;
  } catch (error) {
    return error instanceof ChatError ? `${error.kind}: ${error.reason}` : String(error);
  }
}

describe('recognise()', () => {
  const ping = ': ping\n\n';
  const rows = [
    { name: 'session events', body: session('Hello.'), found: 'agent-session, 2 frames' },
    { name: 'a chat completion', body: completionOf('Hello.'), found: 'openai-chat, 3 frames' },
    { name: 'comments in front', body: ping + session('Hello.'), found: 'agent-session, 2 frames' },
    { name: 'plain text', body: 'Hello there.', found: 'text, 1 frames' },
    { name: 'a web page', body: PAGE, found: 'unsupported-stream: html' },
    {
      name: 'events that nobody knows',
      body: sse({ kind: 'x' }, { kind: 'y' }),
      found: 'unsupported-stream: unsupported',
    },
    { name: 'nothing', body: '', found: 'protocol: empty' },
    { name: 'nothing but comments', body: ping, found: 'protocol: empty' },
  ];
  for (const { name, body, found } of rows) {
    it(`${name}: ${found}, however it is cut`, async () => {
      expect(await find(body)).to.equal(found);
      expect((await find(body, Array.from(body))).replace(/\d+ frames/, '')).to.equal(found.replace(/\d+ frames/, ''));
    });
  }

  it('decides within a bounded number of frames, and loses none of them', async () => {
    const strange = sse(...Array.from({ length: 16 }, () => ({ kind: 'x' })));
    const body = watchedBody([strange]);
    const { chat } = makeChat([body.response], auto);
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal('assistant error: error: unsupported');
    expect(body.cancelled).to.equal(true);
  });

  it('shows the first characters, as text', async () => {
    const { chat, told } = makeChat([stream(PAGE)], auto);
    const answer = await chat.send('Hi');
    expect(told.errors[0]?.kind).to.equal('unsupported-stream');
    expect(told.errors[0]?.message).to.contain('It begins: <!DOCTYPE html>');
    expect(answer.blocks.map(({ type }) => type)).to.deep.equal(['error']);
  });

  it('a page is refused where the protocol is set, too', async () => {
    const { chat } = makeChat([stream(PAGE)]);
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal('assistant error: error: html');
  });
});

describe('protocol=auto', () => {
  it('sends what the common servers each take, then speaks what was found', async () => {
    const { chat, server } = makeChat([stream(session('Hello.'))], auto);
    await chat.send('Hi');
    expect(chat.store.state.protocol).to.equal('agent-session');
    await chat.send('And?');
    expect(server.bodies[0]).to.deep.include({ message: 'Hi', threadId: chat.threadId, stream: true });
    expect(server.bodies[1]).to.deep.equal({
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'And?' },
      ],
    });
  });

  it('keeps what was found for each endpoint', async () => {
    const { chat, server, set } = makeChat([stream(session('Hello.'))], auto);
    await chat.send('Hi');
    set({ endpoint: '/other' });
    await chat.send('And?');
    set({ endpoint: '/agent' });
    await chat.send('And?');
    const asked = server.bodies.map((body) => 'threadId' in (body as object));
    expect(asked).to.deep.equal([true, true, false]);
  });

  it('reads an answer in another protocol than was found before', async () => {
    const { chat } = makeChat([stream(session('Hello.')), stream(completionOf('Good day.'))], auto);
    await chat.send('Hi');
    await chat.send('And?');
    expect(chat.store.state.protocol).to.equal('openai-chat');
    expect(lines(chat).at(-1)).to.equal('assistant complete: Good day.');
  });

  it('takes the page’s own protocol, by its own signs', async () => {
    const mine: Adapter = {
      id: 'mine',
      detect: ({ frames }) => (frames.some(({ json }) => Array.isArray(json) && json[0] === 'say') ? 'sure' : 'no'),
      request: (_turn, { url }) => ({ url, init: { method: 'POST', body: {} } }),
      async *decode(batches) {
        for await (const batch of batches) {
          yield batch.flatMap(({ data }) => [
            { type: 'text' as const, content: (JSON.parse(data) as string[])[1] ?? '' },
            { type: 'stop' as const, stop_reason: 'complete' as const },
          ]);
        }
      },
    };
    const protocols = new ProtocolRegistry();
    const undo = protocols.register(mine);
    const { chat } = makeChat([stream(sse(['say', 'Hello.']))], auto, { protocols });
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal('assistant complete: Hello.');
    undo();
    expect(protocols.get('mine')).to.equal(undefined);
  });

  it('an unknown name is a caller’s mistake, said in the reply', async () => {
    const { chat, server, told } = makeChat([stream(session('Hello.'))], { protocol: 'opanai-chat' });
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal('assistant error: error: bad-protocol');
    expect(told.errors[0]?.message).to.contain('openai-chat');
    expect(server.asked).to.deep.equal([]);
  });
});
