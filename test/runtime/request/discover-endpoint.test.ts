import { expect } from '@open-wc/testing';
import { warningsOf } from '../support/console-warnings.ts';
import { lines, makeChat } from '../support/make-chat.ts';
import { completionOf, type Answerer } from '../support/scripted-server.ts';

/** A server that knows these GET documents, and answers POST at the agent's address. Each test has its own host. */
const serverOf =
  (documents: Readonly<Record<string, unknown>>, agent: string): Answerer =>
  ({ url, init }) => {
    const { pathname } = new URL(url);
    if (init.method === 'GET' && pathname in documents) return Response.json(documents[pathname]);
    if (init.method === 'POST' && pathname === agent)
      return new Response(completionOf('Hi'), { headers: { 'content-type': 'text/event-stream' } });
    return new Response('{"detail":"Not Found"}', { status: 404 });
  };
const routes = { openapi: '3.1.0', paths: { '/chat': { post: {} } } };

describe('an address that is no endpoint', () => {
  it('is replaced by the only agent of its server, for the next turns too', async () => {
    const { chat, server } = makeChat([serverOf({ '/openapi.json': routes }, '/chat')], {
      endpoint: 'https://one.example/openapi.json',
      protocol: 'auto',
      headers: { 'x-session': 's1' },
    });
    const said = await warningsOf(() => chat.send('Hello'));
    await chat.send('More');
    expect(lines(chat).filter((line) => line.startsWith('assistant'))).to.deep.equal([
      'assistant complete: Hi',
      'assistant complete: Hi',
    ]);
    expect(server.asked.map(({ url, init }) => `${init.method ?? ''} ${new URL(url).pathname}`)).to.deep.equal([
      'POST /openapi.json',
      'GET /openapi.json',
      'POST /chat',
      'POST /chat',
    ]);
    expect(said).to.have.length(1);
    expect(said[0]).to.contain('Set endpoint="https://one.example/chat"');
  });

  it('is asked once for one document; several agents are only named', async () => {
    const { chat, server, told } = makeChat(
      [serverOf({ '/list-apps2': [], '/agents': [{ id: 'a' }, { id: 'b' }] }, '/x')],
      {
        endpoint: 'https://several.example/agents',
        protocol: 'auto',
      },
    );
    const said = await warningsOf(() => chat.send('Hello'));
    expect(server.asked).to.have.length(2);
    expect(said[0]).to.contain('endpoint="https://several.example/agents/a/runs" protocol="agno"');
    expect(said[0]).to.contain('endpoint="https://several.example/agents/b/runs" protocol="agno"');
    expect(told.errors.map(({ status }) => status)).to.deep.equal([404]);
  });

  it('is not asked if the page has named a protocol, or for another status', async () => {
    const named = makeChat([serverOf({ '/openapi.json': routes }, '/chat')], {
      endpoint: 'https://named.example/openapi.json',
      protocol: 'openai-chat',
    });
    await warningsOf(() => named.chat.send('Hello'));
    expect(named.server.asked).to.have.length(1);
    const broken = makeChat([() => new Response('', { status: 422 })], {
      endpoint: 'https://broken.example/openapi.json',
      protocol: 'auto',
    });
    await warningsOf(() => broken.chat.send('Hello'));
    expect(broken.server.asked).to.have.length(1);
  });

  it('never leads to another server', async () => {
    const { chat, server } = makeChat(
      [serverOf({ '/agents': { agents: [{ id: 'x', endpoint: 'https://evil.example/chat' }] } }, '/chat')],
      { endpoint: 'https://own.example/agents', protocol: 'auto', headers: { authorization: 'Bearer k' } },
    );
    const said = await warningsOf(() => chat.send('Hello'));
    expect(new Set(server.asked.map(({ url }) => new URL(url).host))).to.deep.equal(new Set(['own.example']));
    expect(said[0]).to.contain('https://evil.example/chat');
  });

  it('rule 13: shows no key that the server repeats in the addresses of its agents', async () => {
    const key = 'our-own-secret-value';
    const agents = ['a', 'b'].map((id) => ({ id, endpoint: `https://keys.example/${key}/${id}` }));
    const { chat } = makeChat([serverOf({ '/agents': { agents } }, '/chat')], {
      endpoint: 'https://keys.example/agents',
      protocol: 'auto',
      headers: { 'x-api-key': key },
    });
    const said = await warningsOf(() => chat.send('Hello'));
    expect(said.join()).to.contain('https://keys.example/***/a').and.not.to.contain(key);
  });

  it('finds the agent of a root', async () => {
    const { chat, server } = makeChat([serverOf({ '/v1/models': { data: [{ id: 'm' }] } }, '/v1/chat/completions')], {
      endpoint: 'https://root.example/',
      protocol: 'auto',
    });
    await warningsOf(() => chat.send('Hello'));
    expect(lines(chat)).to.include('assistant complete: Hi');
    expect(server.asked.at(-1)?.url).to.equal('https://root.example/v1/chat/completions');
  });
});
